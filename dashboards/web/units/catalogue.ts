import { say } from '../format/language.ts';
import type { CatalogField } from '../v1/unit-answers.ts';

/** The fields of a unit as the interface describes them: pages know none of them by heart. */
export interface Catalogue {
  readonly fields: readonly CatalogField[];
  readonly byName: ReadonlyMap<string, CatalogField>;
  /** Short name of a field, for the head of a column; no two fields have the same. */
  titleOf(field: CatalogField): string;
}

export function catalogueOf(fields: readonly CatalogField[]): Catalogue {
  const heads = Map.groupBy(fields, headOf);
  const descriptions = Map.groupBy(fields, ({ beschreibung }) => beschreibung);
  const isOne = (group: readonly CatalogField[] | undefined): boolean => group?.length === 1;
  return {
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    titleOf(field) {
      if (isOne(heads.get(headOf(field)))) return headOf(field);
      const { beschreibung, name } = field;
      return isOne(descriptions.get(beschreibung)) ? beschreibung : `${beschreibung} (${name})`;
    },
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
  ...say<Readonly<Record<string, string>>>(
    {},
    {
      standort: 'Site',
      technik: 'Technology',
      termine: 'Dates',
      betreiber: 'Operator',
      ausschreibungen: 'Tenders',
      genehmigung: 'Permit',
    },
  ),
  eeg: say('EEG-Förderung', 'EEG support'),
  netz: say('Netzanschluss', 'Grid connection'),
  qualitaet: say('Datenqualität', 'Data quality'),
};

const BASE = say('Grunddaten', 'Basic data');

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
