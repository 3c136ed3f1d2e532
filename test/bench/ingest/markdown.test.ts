import { expect, test } from 'vitest';
import type { BuildReport } from '../../../ingest/run/build-report.ts';
import { markdownLines } from './markdown.ts';
import type { ComparedBuild } from './report.ts';

const build = (title: string, seconds: number, stages: ComparedBuild['stages']): ComparedBuild => ({
  title,
  report: { units: { solar: 900, wind: 100 }, megabytes: 50.4, warehouseMb: 12 } as unknown as BuildReport,
  spent: { seconds, cpuSeconds: 40, peakMemoryMb: 1600 },
  stages,
  changed: 1000,
  server: null,
  inflated: [
    { seconds: 10, cpuSeconds: 9, peakMemoryMb: 5 },
    { seconds: 14, cpuSeconds: 11, peakMemoryMb: 5 },
  ],
});

const lineOf = (builds: readonly ComparedBuild[], what: string) =>
  markdownLines(builds).find((line) => line.startsWith(`| ${what} |`));

const reading = { name: 'reading', seconds: 4, cpuSeconds: 7 };
const BUILDS = [build('First build', 24, [reading]), build('Night 1', 15, [{ ...reading, seconds: 3 }])];

test('builds stand beside each other, by the mean of what inflating takes', () => {
  expect(lineOf(BUILDS, '`unzip -p`, mean of before and after')).toContain(
    '| 12.0 s, 10.0 CPU-s | 12.0 s, 10.0 CPU-s |',
  );
  expect(lineOf(BUILDS, 'build by `unzip -p`, time')).toBe('| build by `unzip -p`, time | 1.3 | 2.00* | 1.25 |');
  expect(lineOf(BUILDS, 'peak memory of all processes of the build')).toContain('| 1,600 MB* | 1,600 MB* |');
});

test('a server has lines and aims of its own, and its processor time counts', () => {
  const server = { spent: { cpuSeconds: 30, peakMemoryMb: 2100 }, merging: { seconds: 125, cpuSeconds: 9 } };
  const [first] = BUILDS;
  const builds = [{ ...first!, server }];
  expect(lineOf(builds, 'build by `unzip -p`, time')).toContain('| 2 | 2.00 |');
  expect(lineOf(builds, 'build by `unzip -p`, processor time of all')).toContain('| 7.00 |');
  expect(lineOf(builds, 'peak memory of the server')).toContain('| 2,048 MB | 2,100 MB* |');
  expect(lineOf(builds, 'merging parts afterwards')).toContain('| 125.0 s, 9.0 CPU-s |');
  expect(lineOf(BUILDS, 'peak memory of the server')).toBeUndefined();
});

test('a stage that a build has not is a dash', () => {
  const [first, second] = BUILDS;
  expect(lineOf([first!, { ...second!, stages: [] }], 'reading')).toBe('| reading | 4.0 s, 7.0 CPU-s | - |');
});
