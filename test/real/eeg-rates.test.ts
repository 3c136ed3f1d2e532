import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';

/** The rates of the product against the table that they were carried over from, which lies beside the repository. */

const ORIGINAL = fileURLToPath(new URL('../../../shared/reference/eeg-rates.csv', import.meta.url));

type Row = Readonly<Record<string, string>>;

const rowsOf = (path: string | URL): Row[] => parse(readFileSync(path), { columns: true }) as Row[];

/** Rows that were divided by year, or added up with the supplement that every plant of the row gets. */
const isMerged = (rate: string): boolean =>
  /^(?:geothermie\|(?:grund|bonus_vor_2016)|wind_see\|(?:anfang|bonus_fruehstarter))\|.*\|20(?:09|10|11)-01-01\|/.test(
    rate,
  );

describe.skipIf(!existsSync(ORIGINAL))('rates', () => {
  const facts = (row: Row, names: readonly string[]): string => names.map((name) => row[name]).join('|');

  test('every rate of the original is there with days, band and figures, and few more', () => {
    const original = rowsOf(ORIGINAL).map((row) =>
      [
        facts(row, ['carrier', 'art', 'kind', 'valid_from', 'valid_to', 'capacity_from_kw', 'capacity_to_kw']),
        facts(row, ['verguetung_ct_kwh', 'anzulegender_wert_ct_kwh']),
        row.source!.split(':')[0],
      ].join('|'),
    );
    const carried = rowsOf(new URL('../../data/reference/eeg-rates.csv', import.meta.url)).map((row) =>
      facts(row, [
        ...['carrier', 'art', 'class', 'valid_from', 'valid_to', 'from_kw', 'to_kw'],
        ...['tariff', 'value', 'source_kind'],
      ]),
    );
    const there = new Set(carried);
    expect(original.filter((rate) => !there.has(rate) && !isMerged(rate))).toEqual([]);
    expect(original.length).toBe(1286);
    const known = new Set(original);
    const more = carried.filter((rate) => !known.has(rate));
    expect(
      more.every((rate) => rate.includes('buergerenergie') || isMerged(rate)),
      more.join('\n'),
    ).toBe(true);
  });
});
