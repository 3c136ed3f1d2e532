import { expect, test } from 'vitest';
import type { BuildReport } from '../../../ingest/run/build-report.ts';
import { type MeasuredNight, type NightResult, nightLines } from './report.ts';

const night = (seconds: number, day: string): MeasuredNight => ({
  report: { warehouseMb: 12 } as unknown as BuildReport,
  spent: { seconds, cpuSeconds: 9, peakMemoryMb: 900 },
  stages: [{ name: 'reading', seconds: 2, cpuSeconds: 3 }],
  changed: 1000,
  server: null,
  day,
  affected: 1234,
});

const RESULT: NightResult = {
  machine: 'two processors',
  units: 475_000,
  changes: 1000,
  nights: [night(6, '2026-11-02')],
  fromNothing: { ...night(20, '2026-11-02'), stages: [], spent: { seconds: 20, cpuSeconds: 36, peakMemoryMb: 1000 } },
  inflated: [
    { seconds: 8, cpuSeconds: 8, peakMemoryMb: 5 },
    { seconds: 16, cpuSeconds: 10, peakMemoryMb: 5 },
  ],
  answers: [],
};

const lineOf = (result: NightResult, what: string) =>
  nightLines(result, 'markdown').find((line) => line.startsWith(`| ${what} |`));

test('a night stands beside the build from nothing and inflating; processor time is less by as much as the register', () => {
  expect(lineOf(RESULT, 'seconds')).toBe('| seconds | 6.0 | 7.2 | 20.0 | 12.0 | 0.30 | 0.50 |');
  expect(lineOf(RESULT, 'CPU-seconds')).toBe('| CPU-seconds | 9.0 | 10.0 | 36.0 | 9.0 | 0.25 | 1.00 |');
  expect(lineOf({ ...RESULT, units: 100_000 }, 'CPU-seconds')).toContain('| 9.0* | 2.1 |');
  expect(lineOf(RESULT, 'peak memory of all processes, MB')).toContain('| 900 | 1,536 | 1,000 | 5 | 0.90 | - |');
  expect(lineOf(RESULT, 'reading')).toBe('| reading | 2.0, 3.0 | - |');
});

test('several nights have a line each, and questions the times after them', () => {
  const questions = (p50: number) => [{ name: 'unit detail', times: { count: 9, p50, p99: 4, mean: 2 } }];
  const result: NightResult = {
    ...RESULT,
    nights: [...RESULT.nights, night(7, '2026-11-03')],
    answers: [
      { name: 'after night 1', questions: questions(1) },
      { name: 'after night 2', questions: questions(1.5) },
    ],
  };
  expect(lineOf(RESULT, '2026-11-02')).toBeUndefined();
  expect(lineOf(result, '2026-11-03')).toBe('| 2026-11-03 | 1,234 | 7.0 | 9.0 | 900 | 12 |');
  expect(lineOf(result, 'unit detail')).toBe('| unit detail | 1.00 / 4.00 | 1.50 / 4.00 |');
});
