import { say } from '../../format/language.ts';

/** Scopes and modules of the interface in words. */

export const SCOPES: Readonly<Record<string, string>> = {
  'units:read': say('Einheiten, Feldkatalog und Gruppierungen lesen', 'Read units, fields and groups'),
  'region:read': say('Regionale Auswertungen lesen', 'Read regional analyses'),
  'reference:read': say(
    'Auswahlwerte und Stand der Datensätze lesen',
    'Read values of filters and the state of the datasets',
  ),
  'ausschreibungen:read': say('Ausschreibungen und Zuschläge lesen', 'Read tenders and awards'),
  'portfolio:read': say('Portfolio lesen', 'Read the portfolio'),
  'portfolio:write': say('Portfolio ändern', 'Change the portfolio'),
  'custom_fields:read': say('Eigene Felder und ihre Werte lesen', 'Read own fields and their values'),
  'custom_fields:write': say('Werte eigener Felder setzen', 'Set values of own fields'),
  'custom_fields:define': say('Eigene Felder anlegen und ändern', 'Make and change own fields'),
  'contacts:read': say('Kontakte lesen', 'Read contacts'),
  'contacts:write': say('Kontakte anlegen, ändern und löschen', 'Make, change and delete contacts'),
  'saved_filters:read': say('Gespeicherte Filter lesen', 'Read saved filters'),
  'saved_filters:write': say(
    'Gespeicherte Filter anlegen, ändern und löschen',
    'Make, change and delete saved filters',
  ),
  'shares:read': say('Öffentliche Links lesen', 'Read public links'),
  'shares:write': say('Öffentliche Links anlegen und widerrufen', 'Make and withdraw public links'),
  'alerts:read': say('Alarme lesen', 'Read alerts'),
  'alerts:write': say('Alarme anlegen, ändern und löschen', 'Make, change and delete alerts'),
  'connections:read': say('Verbindungen und geteilte Felder lesen', 'Read connections and shared fields'),
  'connections:write': say('Angefragte Felder beantworten', 'Answer fields that were asked for'),
  'connections:manage': say(
    'Verbindungen, ihre Anlagen und freigegebenen Felder verwalten',
    'Manage connections, their units and released fields',
  ),
  'mailboxes:read': say('Postfächer lesen', 'Read mailboxes'),
  'mailboxes:write': say('Postfächer anlegen, ändern und löschen', 'Make, change and delete mailboxes'),
  'channel:read': say('Nachrichten lesen', 'Read messages'),
  'channel:write': say('Nachrichten schreiben', 'Write messages'),
  'events:read': say('Ereignisse lesen', 'Read events'),
  'webhooks:read': say('Endpunkte und Zustellprotokoll lesen', 'Read endpoints and the delivery log'),
  'webhooks:manage': say('Endpunkte ändern und Geheimnisse lesen', 'Change endpoints and read secrets'),
  'keys:read': say('Liste der Schlüssel lesen', 'Read the list of keys'),
  'keys:write': say('Schlüssel anlegen und widerrufen', 'Make and revoke keys'),
  'audit:read': say('Protokoll der Aufrufe lesen', 'Read the log of calls'),
};

export interface ModuleWords {
  readonly name: string;
  /** The use of the module. */
  readonly gives: string;
}

export const MODULES: Readonly<Record<string, ModuleWords>> = {
  api: {
    name: 'API',
    gives: say('Zugang zur Schnittstelle und zu diesen Seiten', 'access to the interface and to these pages'),
  },
  analysis: {
    name: say('Analyse', 'Analysis'),
    gives: say(
      'Einheiten einzeln: Listen, Suche, alle Angaben zu einer Anlage',
      'single units: lists, search, everything about a unit',
    ),
  },
  workspace: {
    name: say('Arbeitsbereich', 'Workspace'),
    gives: say('eigene Felder zu Anlagen, und Kontakte', 'own fields of units, and contacts'),
  },
  portfolio: {
    name: 'Portfolio',
    gives: say(
      'die Anlagen der eigenen Organisation mit ihren Rollen',
      'the units of the own organisation with their roles',
    ),
  },
  connection: {
    name: say('Verbindungen', 'Connections'),
    gives: say(
      'Verbindungen zu Partnern, geteilte Felder und Nachrichten',
      'connections to partners, shared fields and messages',
    ),
  },
  ausschreibungen: {
    name: say('Ausschreibungen', 'Tenders'),
    gives: say('Gebotstermine, Zuschläge und ihre Einheiten', 'bid dates, awards and their units'),
  },
  eeg_verguetung: {
    name: say('EEG-Vergütung', 'EEG remuneration'),
    gives: say('berechnete Vergütung und Förderende je Anlage', 'computed remuneration and end of support by unit'),
  },
};
