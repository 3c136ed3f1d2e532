/** Texts of the register's catalogues and system lists, by id. */

/** The catalogues of one export. Names of system lists begin with SYSTEM, as in the field table. */
export interface Catalogues {
  /** Texts of Katalogwerte.xml, whose ids are unique over all categories. */
  readonly values: ReadonlyMap<number, string>;
  /** Texts of Einheitentypen.xml and the like; each list has its own ids, from 1. */
  readonly systemLists: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

/**
 * Ids that have another meaning in older exports, by element. Until level 24.1 the check by the grid operator was a flag:
 * 1 = finished (format reference 3.2).
 */
const FORMER_IDS: Readonly<Record<string, ReadonlyMap<number, { id: number; text: string }>>> = {
  NetzbetreiberpruefungStatus: new Map([
    [0, { id: 2955, text: 'In Prüfung' }],
    [1, { id: 2954, text: 'Geprüft' }],
  ]),
};

/** The texts of the ids that an element may contain. */
export function labelsOf(element: string, catalogue: string, catalogues: Catalogues): ReadonlyMap<number, string> {
  if (catalogue.startsWith('SYSTEM ')) return catalogues.systemLists.get(catalogue) ?? new Map();
  const former = FORMER_IDS[element];
  if (former === undefined) return catalogues.values;
  const labels = new Map(catalogues.values);
  for (const [id, { id: now, text }] of former) labels.set(id, catalogues.values.get(now) ?? text);
  return labels;
}
