import { expect, test } from 'vitest';
import { type Report, type ReportRow, table } from './report.ts';

const times = (p50: number) => ({ count: 200, p50, p99: 10 * p50, mean: p50 });

const ROW: ReportRow = {
  ...{ id: 'unit', name: 'unit detail', aims: { p50: 3, p99: 10 } },
  service: times(2),
  compared: { ClickHouse: { times: times(5), first: null } },
  notes: [],
};

const REPORT: Report = {
  ...{ units: 20_000, rows: [ROW], throughput: null, peakMemoryMb: 900 },
  compared: [{ name: 'ClickHouse', described: 'ClickHouse 26.7', throughput: null, peakMemoryMb: 300 }],
};

/** The cells of a line of the table. */
const cells = (report: Report, start: string): string[] =>
  table(report)
    .split('\n')
    .find((line) => line.trim().startsWith(start))!
    .trim()
    .split(/ {2,}/);

test('another system has columns of its own, with the ratio of the medians', () => {
  expect(cells(REPORT, 'requests').slice(-4)).toEqual(['ClickHouse', 'p50', 'p99', 'ratio']);
  expect(cells(REPORT, 'unit detail')).toEqual([
    'unit detail',
    '200',
    '2.00',
    '3',
    '20.00',
    '10',
    '2.00',
    '200',
    '5.00',
    '50.00',
    '2.5x',
  ]);
});

test('a failed measurement is a dash with its reason below', () => {
  const silent = { ...REPORT, rows: [{ ...ROW, compared: {}, notes: ['ClickHouse: answered 503'] }] };
  expect(cells(silent, 'unit detail').slice(-4)).toEqual(['-', '-', '-', '-']);
  expect(table(silent)).toContain('! ClickHouse: answered 503');
});

test('a page without its total has a column where there is one', () => {
  const compared = { ClickHouse: { times: times(5), first: times(4) } };
  expect(cells({ ...REPORT, rows: [{ ...ROW, compared }] }, 'unit detail').at(-1)).toBe('4.00');
});
