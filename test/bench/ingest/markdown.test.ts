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
  expect(lineOf(BUILDS, 'peak memory of all processes')).toContain('| 1,600 MB* | 1,600 MB* |');
});

test('a stage that a build has not is a dash', () => {
  const [first, second] = BUILDS;
  expect(lineOf([first!, { ...second!, stages: [] }], 'reading')).toBe('| reading | 4.0 s, 7.0 CPU-s | - |');
});
