import { readFileSync } from 'node:fs';
import { entryOf, itemAt } from '../../runtime/present.ts';
import { splitCsv } from '../tables/csv.ts';

/** A line of the rate table, in ct/kWh. */
export interface RateLine {
  /** Line of the file, of which the header is the first. */
  readonly line: number;
  readonly validFrom: string;
  readonly validTo: string;
  /** The band: above `fromKw`, up to `toKw`; null = without end. */
  readonly fromKw: number;
  readonly toKw: number | null;
  readonly tariff: number | null;
  readonly value: number | null;
  readonly law: string;
  /** The kind of source, `source_kind` in data/reference/README.md. */
  readonly source: string;
  readonly note: string;
}

/** The rate table of the product; messages name it by this path. */
export const RATE_TABLE = 'data/reference/eeg-rates.csv';

/** Lines of the rate table, by their numbers. */
export function rateLines(numbers: readonly number[]): RateLine[] {
  if (numbers.length === 0) return [];
  const [header, ...records] = splitCsv(readFileSync(new URL(`../../${RATE_TABLE}`, import.meta.url), 'utf8'));
  const places = new Map((header?.cells ?? []).map((name, place) => [name, place]));
  const byLine = new Map(records.map(({ line, cells }) => [line, cells]));
  return numbers.map((line) => {
    const cells = entryOf(byLine, line);
    const text = (column: string): string => itemAt(cells, entryOf(places, column));
    const number = (column: string): number | null => (text(column) === '' ? null : Number(text(column)));
    return {
      line,
      validFrom: text('valid_from'),
      validTo: text('valid_to'),
      fromKw: number('from_kw') ?? 0,
      toKw: number('to_kw'),
      tariff: number('tariff'),
      value: number('value'),
      law: text('law'),
      source: text('source_kind'),
      note: text('note'),
    };
  });
}
