/** Scopes and modules of the interface in words. */

export const SCOPES: Readonly<Record<string, string>> = {
  'units:read': 'Einheiten, Feldkatalog und Gruppierungen lesen',
  'region:read': 'Regionale Auswertungen lesen',
  'reference:read': 'Auswahlwerte und Stand der Datensätze lesen',
  'ausschreibungen:read': 'Ausschreibungen und Zuschläge lesen',
  'portfolio:read': 'Portfolio lesen',
  'portfolio:write': 'Portfolio ändern',
  'custom_fields:read': 'Eigene Felder und ihre Werte lesen',
  'custom_fields:write': 'Werte eigener Felder setzen',
  'custom_fields:define': 'Eigene Felder anlegen und ändern',
  'contacts:read': 'Kontakte lesen',
  'contacts:write': 'Kontakte anlegen, ändern und löschen',
  'saved_filters:read': 'Gespeicherte Filter lesen',
  'saved_filters:write': 'Gespeicherte Filter anlegen, ändern und löschen',
  'shares:read': 'Öffentliche Links lesen',
  'shares:write': 'Öffentliche Links anlegen und widerrufen',
  'alerts:read': 'Alarme lesen',
  'alerts:write': 'Alarme anlegen, ändern und löschen',
  'connections:read': 'Verbindungen und geteilte Felder lesen',
  'connections:write': 'Angefragte Felder beantworten',
  'connections:manage': 'Verbindungen, ihre Anlagen und freigegebenen Felder verwalten',
  'mailboxes:read': 'Postfächer lesen',
  'mailboxes:write': 'Postfächer anlegen, ändern und löschen',
  'channel:read': 'Nachrichten lesen',
  'channel:write': 'Nachrichten schreiben',
  'events:read': 'Ereignisse lesen',
  'webhooks:read': 'Endpunkte und Zustellprotokoll lesen',
  'webhooks:manage': 'Endpunkte ändern und Geheimnisse lesen',
  'keys:read': 'Liste der Schlüssel lesen',
  'keys:write': 'Schlüssel anlegen und widerrufen',
  'audit:read': 'Protokoll der Aufrufe lesen',
};

export interface ModuleWords {
  readonly name: string;
  /** The use of the module. */
  readonly gives: string;
}

export const MODULES: Readonly<Record<string, ModuleWords>> = {
  api: { name: 'API', gives: 'Zugang zur Schnittstelle und zu diesen Seiten' },
  analysis: { name: 'Analyse', gives: 'Einheiten einzeln: Listen, Suche, alle Angaben zu einer Anlage' },
  workspace: { name: 'Arbeitsbereich', gives: 'eigene Felder zu Anlagen, und Kontakte' },
  portfolio: { name: 'Portfolio', gives: 'die Anlagen der eigenen Organisation mit ihren Rollen' },
  connection: { name: 'Verbindungen', gives: 'Verbindungen zu Partnern, geteilte Felder und Nachrichten' },
  ausschreibungen: { name: 'Ausschreibungen', gives: 'Gebotstermine, Zuschläge und ihre Einheiten' },
  eeg_verguetung: { name: 'EEG-Vergütung', gives: 'berechnete Vergütung und Förderende je Anlage' },
};
