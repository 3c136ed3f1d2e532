import { say } from '../format/language.ts';

/** What pages are called, in the navigation and where something leads to them. */
export const PAGE_NAMES = {
  ueberblick: say('Überblick', 'Overview'),
  region: 'Region',
  zeitreihe: say('Zeitreihe', 'Time series'),
  vergleich: say('Vergleich', 'Comparison'),
  altersstruktur: say('Altersstruktur', 'Age structure'),
  karte: say('Karte', 'Map'),
  aenderungen: say('Was sich geändert hat', 'What changed'),
  qualitaet: say('Datenqualität', 'Data quality'),
  netz: say('Netzbetreiber', 'Grid operators'),
  einheiten: say('Einheiten', 'Units'),
  ausschreibungen: say('Ausschreibungen', 'Tenders'),
  daten: say('Daten', 'Data'),
  portfolio: 'Portfolio',
  alarme: say('Alarme und Filter', 'Alerts and filters'),
  konto: say('Konto', 'Account'),
} as const;
