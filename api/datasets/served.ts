/** The datasets that the service serves: what they are called, where they are read, and what was made of the source. */
export interface ServedDataset {
  readonly name: string;
  readonly label: string;
  /** The table of a dataset version whose rows it is counted by. */
  readonly table: 'units' | 'marktakteure' | 'region_tage';
  /** Whether it is a roll-up. */
  readonly sums: boolean;
  readonly endpoints: readonly string[];
  /** How the data differ from what the Bundesnetzagentur publishes, as the licence asks to tell. */
  readonly changes: string;
}

/** All of them come from the one nightly export, and have its day. */
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
    changes:
      'Auswahl der Einheiten und Felder; Anschriften und Namen natürlicher Personen entfernt, Koordinaten unter 30 kW ' +
      'entfernt; Schreibweisen vereinheitlicht; um Verlauf und Signale ergänzt.',
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
