import { itemAt } from '../../runtime/present.ts';
import { isInRange, type NumberRange } from '../../sql/register/mastr-number.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { MISSING, RECORD_SEPARATOR, UNIT_SEPARATOR } from '../../sql/warehouse/search/layout.ts';
import { createSearchIndex, type SearchWriter } from '../../sql/warehouse/search/writer.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { placesOf } from './number-places.ts';
import { PRESENT_TEXTS, type SearchSince, textsSince } from './search-since.ts';

/** Slices of units whose texts are collected at once: lists are narrower than units, but the engine keeps all in memory. */
const UNIT_SLICES_AT_ONCE = 4;

interface SearchToFill {
  /** The search index to write. */
  readonly path: string;
  readonly units: number;
  /** Slices of units. */
  readonly slices: number;
  /** Where `suchtexte` is that of the version before, its index, and the units whose rows are replaced since. */
  readonly since: SearchSince | null;
}

/** The tables of searchable texts with the units that contain them, and the search index that is written from them. */
export interface Search {
  /** Fills the tables, and adds their texts to the index. */
  addUnits(warehouse: WarehouseConnection): Promise<void>;
  /** Adds the names of units, and of the organisations, once these are there. */
  finish(warehouse: WarehouseConnection): Promise<void>;
  /** Closes an index that is not finished. */
  abort(): void;
}

export function openSearch({ path, units, slices, since }: SearchToFill): Search {
  let index: SearchWriter | null = null;
  return {
    async addUnits(warehouse) {
      const later = since === null ? null : await textsSince(warehouse, since, units);
      index = createSearchIndex(path, units, later === null ? {} : { since: later });
      if (later === null) await addAllTexts(warehouse, index);
      else await addTexts(warehouse, index, { table: PRESENT_TEXTS, first: 0, placeOf: later.placeOf });
      for (const text of nameStatements(slices)) await warehouse.run(text);
    },
    async finish(warehouse) {
      if (index === null) throw new Error('The search index has no units yet');
      await addUnitNames(warehouse, index);
      index.finish(await addActors(warehouse, index));
      index = null;
    },
    abort: () => index?.abort(),
  };

  async function addAllTexts(warehouse: WarehouseConnection, index: SearchWriter): Promise<void> {
    let place = 0;
    for (const range of textRanges(slices)) {
      const first = await textsSoFar(warehouse, TEXTS);
      await warehouse.run(textStatements(range));
      const numbers = await unitNumbers(warehouse, range);
      await addTexts(warehouse, index, { table: TEXTS, first, placeOf: placesOf(numbers, place) });
      place += numbers.length;
    }
  }
}

/** The ranges of units whose texts are collected at once. */
export const textRanges = (slices: number): NumberRange[] => sliceRanges(Math.ceil(slices / UNIT_SLICES_AT_ONCE));

const TEXTS = 'suchtexte';

/** The statements that collect the texts of a range of units. */
export const textStatements = (range: NumberRange): string =>
  warehouseSql('search.sql', {
    texts: TEXTS,
    units: 'units',
    regions: 'regionen',
    inSlice: isInRange('nummer', range),
  });

/** The statements that collect the names of all units. Each reads all names, so there are as few as memory allows. */
export const nameStatements = (slices: number): string[] =>
  textRanges(slices).map((_, part, { length: parts }) => warehouseSql('search-names.sql', { part, parts }));

/** The digits of a unit's number, as a number. */
const digits = (bits: string): string => `(${bits} & 1099511627775)::DOUBLE`;

/** Reads the digits of the units' numbers in a range, in order. */
async function unitNumbers(warehouse: WarehouseConnection, range: NumberRange): Promise<Float64Array> {
  const from = `FROM units WHERE ${isInRange('nummer', range)}`;
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>(`SELECT count(*) AS n ${from}`));
  const numbers = new Float64Array(Number(n));
  let place = 0;
  await warehouse.columns(`SELECT ${digits('nummer')} ${from} ORDER BY nummer`, ([column = []]) => {
    for (const number of column as number[]) numbers[place++] = number;
  });
  return numbers;
}

const textsSoFar = async (warehouse: WarehouseConnection, table: string): Promise<number> =>
  Number(firstRow(await warehouse.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${table}`)).n);

/** Texts that are read at once: as many as the engine keeps together. */
const TEXTS_AT_ONCE = 122_880;

interface TextsToAdd {
  readonly table: string;
  /** The first text to add, by its place in the table. */
  readonly first: number;
  /** Finds the places of their units. */
  readonly placeOf: (number: number) => number;
}

/** Adds the texts of the filter suche. Their units come in a second statement, which has no text beside each of them. */
async function addTexts(
  warehouse: WarehouseConnection,
  index: SearchWriter,
  { table, first, placeOf }: TextsToAdd,
): Promise<void> {
  const end = await textsSoFar(warehouse, table);
  let added = 0;
  for (let from = first; from < end; from += TEXTS_AT_ONCE) {
    const some = `FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + TEXTS_AT_ONCE}`;
    const texts: string[] = [];
    const lengths: number[] = [];
    await warehouse.columns(`SELECT gefaltet, len(einheiten)::INTEGER ${some}`, ([text = [], length = []]) => {
      for (const one of text as string[]) texts.push(one);
      for (const one of length as number[]) lengths.push(one);
    });
    added += texts.length;
    let next = 0;
    let left = 0;
    await warehouse.columns(`SELECT ${digits('unnest(einheiten)')} ${some}`, ([column = []]) => {
      for (const number of column as number[]) {
        if (left === 0) {
          index.beginText(itemAt(texts, next));
          left = itemAt(lengths, next++);
        }
        index.addUnit(placeOf(number));
        left--;
      }
    });
  }
  if (added !== end - first) throw new Error(`The search index has ${added} of ${end - first} texts`);
}

/** Adds the names of units, the largest units first. */
async function addUnitNames(warehouse: WarehouseConnection, index: SearchWriter): Promise<void> {
  const names = index.beginNames('units');
  const sql = `SELECT ${columnsAsOne(['gefaltet', 'bundesland', 'einheitTyp'])},
      array_to_string(list_transform(groesste, lambda u: concat_ws('${UNIT_SEPARATOR}', u.nummer, u.kw)), '${RECORD_SEPARATOR}')
    FROM suchnamen ORDER BY kw DESC NULLS LAST, nummer`;
  await warehouse.pairs(sql, (columns, record) => {
    const [text, state = null, carrier = null] = textsOf(columns);
    names.add({ text: text ?? '', state, carrier, record });
  });
}

/** Adds the names of market actors, those with the most units first. @returns how many have units */
async function addActors(warehouse: WarehouseConnection, index: SearchWriter): Promise<number> {
  const names = index.beginNames('actors');
  const shown = ['mastrNummer', 'name', 'marktfunktion', 'ort', 'bundesland', 'anlagenAnzahl'];
  const sql = `SELECT gefaltet, ${columnsAsOne(shown)}
    FROM marktakteure WHERE gefaltet IS NOT NULL ORDER BY anlagenAnzahl DESC, mastrNummer`;
  let withUnits = 0;
  await warehouse.pairs(sql, (text, record) => {
    const [, , , , state = null, units] = textsOf(record);
    names.add({ text, state, carrier: null, record });
    if (Number(units) > 0) withUnits++;
  });
  return withUnits;
}

/** Joins columns to one text, as each text takes longer to fetch than to split. */
const columnsAsOne = (columns: readonly string[]): string =>
  `concat_ws('${UNIT_SEPARATOR}', ${columns.map((column) => `coalesce(${column}::VARCHAR, '${MISSING}')`).join(', ')})`;

const textsOf = (columns: string): (string | null)[] =>
  columns.split(UNIT_SEPARATOR).map((text) => (text === MISSING ? null : text));
