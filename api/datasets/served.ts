import { UNIT_CHANGES } from '../../sql/catalogue/licence.ts';

/** A dataset of the service: its name, the operations that read it, and the changes against its source. */
export interface ServedDataset {
  readonly name: string;
  readonly label: string;
  /** The rows of this table of a version are counted. */
  readonly table: 'units' | 'marktakteure' | 'region_tage';
  /** True for a roll-up, several of whose rows may belong to one group. */
  readonly sums: boolean;
  readonly endpoints: readonly string[];
  /** The differences from the publication of the Bundesnetzagentur, which the licence requires to be stated. */
  readonly changes: string;
}

/** All datasets come from the nightly export, and have its day. */
export const SERVED_DATASETS: readonly ServedDataset[] = [
  {
    name: 'mastr_einheiten',
    label: 'Stromerzeugungs- und Speichereinheiten',
    table: 'units',
    sums: false,
    endpoints: [
      '/v1/units',
      '/v1/units/search',
      '/v1/units/{id}',
      '/v1/search',
      '/v1/aggregations',
      '/v1/reference/{set}',
    ],
    changes: UNIT_CHANGES,
  },
  {
    name: 'mastr_marktakteure',
    label: 'Marktakteure, nur Organisationen',
    table: 'marktakteure',
    sums: false,
    endpoints: ['/v1/units', '/v1/search'],
    changes: 'Auswahl der Organisationen; Anschriften und Kontaktdaten entfernt; um die Zahl der Anlagen ergänzt.',
  },
  {
    name: 'mastr_regionen',
    label: 'Zubau, Abbau und Pipeline nach Tag und Ort',
    table: 'region_tage',
    sums: true,
    endpoints: ['/v1/region/zeitreihe', '/v1/region/altersstruktur', '/v1/region/momentaufnahme'],
    changes: 'Aus den Einheiten nach Tag, Ort, Energieträger und Betriebsstatus zusammengefasst.',
  },
];
