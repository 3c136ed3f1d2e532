import { expect, test } from 'vitest';
import { type Report, type ReportRow, reportText } from './report.ts';

const times = (p50: number) => ({ count: 200, p50, p99: 10 * p50, mean: p50 });

const ROW: ReportRow = {
  ...{ id: 'unit', name: 'unit detail', aims: { p50: 3, p99: 10 } },
  service: times(2),
  compared: { PostgreSQL: { times: times(5), plain: null } },
  notes: [],
};

const REPORT: Report = {
  ...{ units: 20_000, machine: '2 processors', rows: [ROW], loads: [], mix: {}, peakMemoryMb: 900 },
  compared: [{ name: 'PostgreSQL', described: 'PostgreSQL 15', loads: [], peakMemoryMb: null }],
};

/** The cells of a line of the report. */
const cells = (report: Report, start: string): string[] =>
  reportText(report, 'text')
    .split('\n')
    .find((line) => line.trim().startsWith(start))!
    .trim()
    .split(/ {2,}/);

test('another system has columns of its own, with the ratio of the medians', () => {
  expect(cells(REPORT, 'question').slice(-4)).toEqual(['PostgreSQL', 'p50', 'p99', 'ratio']);
  const own = ['unit detail', '200', '2.00', '3', '20.00*', '10', '2.00'];
  expect(cells(REPORT, 'unit detail')).toEqual([...own, '200', '5.00', '50.00', '2.5x']);
});

test('what is behind its aim is marked, what meets it is not, and a row without an aim has none to miss', () => {
  const aims = (p50: number, p99: number) => ({ ...REPORT, rows: [{ ...ROW, aims: { p50, p99 } }] });
  expect(cells(aims(2, 20), 'unit detail').slice(2, 6)).toEqual(['2.00', '2', '20.00', '20']);
  expect(cells(aims(1.9, 20), 'unit detail').slice(2, 6)).toEqual(['2.00*', '1.9', '20.00', '20']);
  expect(cells({ ...REPORT, rows: [{ ...ROW, aims: null }] }, 'unit detail').slice(2, 6)).toEqual([
    '2.00',
    '-',
    '20.00',
    '-',
  ]);
});

test('a failed measurement is a dash with its reason below', () => {
  const silent = { ...REPORT, rows: [{ ...ROW, compared: {}, notes: ['PostgreSQL: canceled'] }] };
  expect(cells(silent, 'unit detail').slice(-4)).toEqual(['-', '-', '-', '-']);
  expect(reportText(silent, 'text')).toContain('  ! PostgreSQL: canceled');
  expect(reportText(silent, 'markdown')).toContain('\n- unit detail: PostgreSQL: canceled\n');
});

test('both figures of PostgreSQL stand beside each other where it counts beforehand', () => {
  const compared = { PostgreSQL: { times: times(5), plain: times(40) } };
  const report = {
    ...REPORT,
    rows: [
      { ...ROW, compared },
      { ...ROW, name: 'search' },
    ],
  };
  expect(cells(report, 'unit detail').slice(-4)).toEqual(['50.00', '2.5x', '40.00', '20.0x']);
  expect(cells(report, 'search').slice(-2)).toEqual(['50.00', '2.5x']);
});

test('a load is told with its aims, the shares that service and clients had of the machine, and what a request took', () => {
  const result = {
    ...{ clients: 32, sent: 4500, seconds: 15, requestsPerSecond: 299, p50: 90, p99: 410, errors: 0 },
    ...{ cpuSeconds: 3, serviceCpuSeconds: 24, processors: 2 },
  };
  const load = { name: 'every question new', aims: { requestsPerSecond: 300, p99: 400 }, result };
  const report = { ...REPORT, loads: [load], mix: { unit: 600, suche: 590 } };
  expect(cells(report, '32 clients')).toEqual([
    '32 clients, every question new',
    ...['299*', '300', '90.00', '410*', '400', '4,500', '0', '80 %', '5.33', '10 %'],
  ]);
  expect(reportText(report, 'text')).toContain('Asked by many clients: 600 unit, 590 suche');
});
