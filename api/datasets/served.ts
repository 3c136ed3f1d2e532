import { licensed, SOURCE, TENDER_SOURCE, tendersLicensed, UNIT_CHANGES } from '../../sql/catalogue/licence.ts';
import type { Dialect } from '../../sql/query/dialect.ts';

/** A dataset of the service: its name, the operations that read it, and the changes against its source. */
export interface ServedDataset {
  readonly name: string;
  readonly label: string;
  /** The rows of this table of a version are counted. */
  readonly table: 'units' | 'marktakteure' | 'region_tage' | 'gebotstermine' | 'zuschlaege';
  /** The columns of a group in a roll-up, several of whose rows may belong to one; null for another table. */
  readonly groups: readonly string[] | null;
  readonly endpoints: readonly string[];
  readonly origin: Origin;
  /** The differences from the publication of the Bundesnetzagentur, which the licence requires to be stated. */
  readonly changes: string;
}

/** The origin of a dataset. */
interface Origin {
  readonly source: string;
  readonly updateCycle: string;
  /** SQL for the day of the data, over the tables of a version. */
  readonly asOf: (dialect: Dialect) => string;
  /** @param asOf YYYY-MM-DD; null = unknown */
  licensed(asOf: string | null, changes: string): Licensed;
}

/** The licence of a dataset, as it is answered. */
interface Licensed {
  readonly lizenzen: readonly object[];
  readonly veraendert: boolean;
  readonly aenderungsvermerk: string;
  readonly lizenzHinweis: string;
  readonly quellenvermerk: string;
}

/** The nightly export, whose day is the day of the data. */
const REGISTER: Origin = {
  source: SOURCE,
  updateCycle: 'täglich',
  asOf: () => 'CAST(exportDay AS VARCHAR)',
  licensed(asOf, changes) {
    if (asOf === null) throw new Error('A version has the day of its export');
    return licensed(asOf, changes);
  },
};

/** Publications of results: the data are as new as the newest round that has some. */
const tenders = (rounds: string, fromRegister: string | null): Origin => ({
  source: TENDER_SOURCE,
  updateCycle: 'je Gebotstermin, sobald seine Ergebnisse geladen sind',
  // Without a row the maximum of days is 0 in ClickHouse.
  asOf: (dialect) =>
    `(SELECT CASE WHEN count(*) > 0 THEN ${dialect.toJson('day', 'max(coalesce(bekanntgabe, datum))')} END FROM gebotstermine WHERE ${rounds})`,
  licensed: (asOf, changes) => tendersLicensed(asOf, changes, fromRegister),
});

export const SERVED_DATASETS: readonly ServedDataset[] = [
  {
    name: 'mastr_einheiten',
    label: 'Stromerzeugungs- und Speichereinheiten',
    table: 'units',
    groups: null,
    endpoints: [
      '/v1/units',
      '/v1/units/search',
      '/v1/units/{id}',
      '/v1/units/{id}/historie',
      '/v1/aenderungen',
      '/v1/aenderungen/summe',
      '/v1/search',
      '/v1/aggregations',
      '/v1/aggregations/zeitreihe',
      '/v1/qualitaet',
      '/v1/qualitaet/gruppen',
      '/v1/qualitaet/verlauf',
      '/v1/netz',
      '/v1/netz/netzanschlusspunkte',
      '/v1/netz/netzbetreiber',
      '/v1/reference/{set}',
    ],
    origin: REGISTER,
    changes: UNIT_CHANGES,
  },
  {
    name: 'mastr_marktakteure',
    label: 'Marktakteure, nur Organisationen',
    table: 'marktakteure',
    groups: null,
    endpoints: ['/v1/units', '/v1/search'],
    origin: REGISTER,
    changes: 'Auswahl der Organisationen; Anschriften und Kontaktdaten entfernt; um die Zahl der Anlagen ergänzt.',
  },
  {
    name: 'mastr_regionen',
    label: 'Zubau, Abbau und Pipeline nach Tag und Ort',
    table: 'region_tage',
    groups: ['serie', 'region', 'einheitTyp', 'statusId', 'tag'],
    endpoints: ['/v1/region/zeitreihe', '/v1/region/altersstruktur', '/v1/region/momentaufnahme'],
    origin: REGISTER,
    changes: 'Aus den Einheiten nach Tag, Ort, Energieträger und Betriebsstatus zusammengefasst.',
  },
  {
    name: 'ausschreibungen',
    label: 'Gebotstermine der Ausschreibungen',
    table: 'gebotstermine',
    groups: null,
    endpoints: ['/v1/ausschreibungen'],
    origin: tenders("status = 'IMPORTED'", null),
    changes: 'Statistiken und Bekanntgaben je Gebotstermin zusammengeführt; um die Termine des Gesetzes ergänzt.',
  },
  {
    name: 'zuschlaege',
    label: 'Zuschläge der Ausschreibungen',
    table: 'zuschlaege',
    groups: null,
    endpoints: ['/v1/ausschreibungen/{id}/zuschlaege'],
    origin: tenders('liste', 'Nummern, Koordinaten und fehlende Standorte zugeordneter Einheiten'),
    changes:
      'Namen der Bieter entfernt; Zuschlagsnummern, Orte und Flurstücke vereinheitlicht; Einheiten zugeordnet und ' +
      'fehlende Standorte aus ihnen ergänzt.',
  },
];
