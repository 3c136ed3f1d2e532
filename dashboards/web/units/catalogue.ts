import { type Loaded, mapLoaded } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { CatalogField, FieldCatalog } from '../v1/unit-answers.ts';
import { useAnswer } from '../v1/use-answer.ts';

/** The fields of a unit as the interface describes them: pages know none of them by heart. */
export interface Catalogue {
  readonly fields: readonly CatalogField[];
  readonly byName: ReadonlyMap<string, CatalogField>;
  /** Short name of a field, for the head of a column; no two fields have the same. */
  titleOf(field: CatalogField): string;
}

const FIELDS: ApiRequest = { path: '/v1/units/fields' };

export const useCatalogue = (): Loaded<Catalogue> =>
  mapLoaded(useAnswer<FieldCatalog>(FIELDS), ({ data }) => {
    const known = catalogues.get(data) ?? catalogueOf(data);
    catalogues.set(data, known);
    return known;
  });

/** One catalogue for each answer, so that what depends on it is not computed anew with every drawing. */
const catalogues = new WeakMap<readonly CatalogField[], Catalogue>();

export function catalogueOf(fields: readonly CatalogField[]): Catalogue {
  const heads = Map.groupBy(fields, headOf);
  return {
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    titleOf: (field) => ((heads.get(headOf(field))?.length ?? 0) > 1 ? field.beschreibung : headOf(field)),
  };
}

/**
 * „Name des Betreibers; leer bei natürlichen Personen“ begins with the name of the field, and goes on with what to know.
 * A single word, as in „Frist, bis zu der begonnen werden muss“, would say too little.
 */
function headOf({ beschreibung }: CatalogField): string {
  const [head = ''] = beschreibung.split(/[;,:] | \(/, 1);
  return head.includes(' ') ? head : beschreibung;
}

/** Titles of blocks that are more than their name; the base form has none. */
const BLOCK_TITLES: Readonly<Record<string, string>> = {
  eeg: 'EEG-Förderung',
  netz: 'Netzanschluss',
};

const BASE = 'Grunddaten';

export const blockTitle = (block: string | null): string =>
  block === null ? BASE : (BLOCK_TITLES[block] ?? block.charAt(0).toUpperCase() + block.slice(1));

/** Blocks in the order in which a reader looks for them; those that these pages do not know come last. */
const BLOCK_ORDER = ['standort', 'technik', 'termine', 'betreiber', 'netz', 'register', 'eeg', 'ausschreibungen'];

/** Fields by block: the base form first. */
export function byBlock<T>(
  entries: readonly T[],
  fieldOf: (entry: T) => CatalogField,
): ReadonlyMap<string | null, T[]> {
  const blocks = Map.groupBy(entries, (entry) => fieldOf(entry).block);
  const rank = (block: string | null): number => {
    const at = block === null ? -1 : BLOCK_ORDER.indexOf(block);
    return block !== null && at === -1 ? BLOCK_ORDER.length : at;
  };
  return new Map([...blocks].sort(([a], [b]) => rank(a) - rank(b)));
}
