import { clickhouse } from '../../../sql/query/clickhouse.ts';
import { mastrBits } from '../../../sql/query/mastr-bits.ts';
import type { Statement } from '../../../sql/query/statement.ts';
import { UNIT_COLUMNS } from '../../../sql/warehouse/clickhouse/columns.ts';
import { ROW_COLUMNS } from '../../../sql/warehouse/duckdb/rows.ts';
import { digitsOf, LIST_SEPARATOR } from '../../../sql/warehouse/rows/layout.ts';
import type { UnitTexts } from '../../../sql/warehouse/rows/reader.ts';
import type { Reading, Units } from '../version.ts';

/** Units by their numbers, from the wide table, which lies in the order of these. */
export const unitsOfTable = (query: Reading['query']): Units => ({
  async known(numbers) {
    const rows = await query<Row>(unitsStatement(['mastrNummer'], numbers));
    const found = new Set(rows.map(({ mastrNummer }) => mastrNummer));
    return new Set(numbers.filter((number) => found.has(number)));
  },
  async read(numbers) {
    const rows = numbers.length === 0 ? [] : await query<Row>(unitsStatement(SELECTED, numbers));
    const units = new Map(rows.map((row) => [row.mastrNummer, textsOf(row)]));
    return numbers.map((number) => units.get(number) ?? null);
  },
});

type Row = Readonly<Record<string, unknown>> & { readonly mastrNummer: string };

const KINDS = new Map(UNIT_COLUMNS.map(({ name, kind }) => [name, kind]));

/** Every column of a row file's rows, as text where JSON would not hold it exactly. */
const SELECTED = ROW_COLUMNS.map(({ name }) => {
  const kind = KINDS.get(name)!;
  if (kind === 'day' || kind === 'time') return `${clickhouse.toJson(kind, `units.${name}`)} AS ${name}`;
  return kind === 'decimal' || kind === 'degree' ? `toString(units.${name}) AS ${name}` : `units.${name} AS ${name}`;
});

function unitsStatement(columns: readonly string[], numbers: readonly string[]): Statement {
  // What is no number of a unit is none of a row.
  const asked = numbers
    .filter((number) => Number.isFinite(digitsOf(number)))
    .map((number) => String(mastrBits(number)));
  return {
    text: `SELECT ${columns.join(', ')} FROM units WHERE units.nummer IN (SELECT toInt64(arrayJoin($nummern)))`,
    values: { nummern: asked },
  };
}

function textsOf(row: Row): UnitTexts {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) {
    const text = textOf(value);
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

/** As a row file holds it. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Array.isArray(value) ? value.join(LIST_SEPARATOR) : String(value);
}
