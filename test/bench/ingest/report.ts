import type { Server } from '../clickhouse/server.ts';
import type { Spent } from '../support/spent.ts';
import type { MeasuredLoad } from './load.ts';
import { type MeasuredBuild, unitsOf } from './measured-build.ts';

/** The report of a measured build, as lines for people. */

/** A build, with what inflating its export took before and after it. */
export interface ComparedBuild extends MeasuredBuild {
  readonly title: string;
  readonly inflated: readonly [before: Spent, after: Spent];
}

/** The aim for a whole build, by what inflating the same archive takes, and for its memory. */
export const AIM_TIMES = 1.3;
export const AIM_MEMORY_MB = 1536;

export function buildLines({ title, report, spent, stages, changed, inflated }: ComparedBuild): string[] {
  const units = unitsOf(report);
  const inflating = mean(inflated);
  const rest = {
    name: 'publication and end',
    seconds: spent.seconds - sumOf(stages, 'seconds'),
    cpuSeconds: spent.cpuSeconds - sumOf(stages, 'cpuSeconds'),
  };
  return [
    `${title} of ${units.toLocaleString('en')} units, ${changed.toLocaleString('en')} of them new or changed, ` +
      `${report.megabytes.toFixed(0)} MB of XML`,
    row('whole build', taken(spent)),
    row('unzip -p > /dev/null, before', taken(inflated[0])),
    row('unzip -p > /dev/null, after', taken(inflated[1])),
    row(
      'build against inflating alone',
      `${times(spent.seconds, inflating.seconds)}, aim ${AIM_TIMES}; ` +
        `${times(spent.cpuSeconds, inflating.cpuSeconds)} the CPU-seconds`,
    ),
    row('peak memory, all processes', `${megabytes(spent.peakMemoryMb)}, aim ${AIM_MEMORY_MB.toLocaleString('en')} MB`),
    row('XML', `${(report.megabytes / spent.seconds).toFixed(0)} MB/s`),
    row('units', perSecond(units, spent.seconds)),
    row('dataset version on disk', megabytes(report.warehouseMb)),
    '  of the build:',
    ...[...stages, rest].map((stage) => row(`  ${stage.name}`, taken(stage))),
  ];
}

export function loadLines({ report, spent }: MeasuredBuild, loaded: MeasuredLoad, server: Server): string[] {
  const units = unitsOf(report);
  const peak = server.peakMemoryMb();
  return [
    `Load behind it, into ${server.described}`,
    row('whole load', taken(loaded)),
    row('of these comparing with the file', taken(loaded.check)),
    ...(loaded.server === null ? [] : serverLines(loaded.server)),
    row('units', perSecond(units, loaded.seconds)),
    row('sent', `${megabytes(loaded.sent / 1e6)}, ${(loaded.sent / units).toFixed(0)} bytes a unit`),
    row('peak resident memory', megabytes(loaded.peakMemoryMb)),
    ...(peak === null ? [] : [row('peak resident memory of chdb', megabytes(peak))]),
    row('load against build', times(loaded.seconds, spent.seconds)),
    row('build and load against build alone', times(spent.seconds + loaded.seconds, spent.seconds)),
    row('memory of load against build', times(loaded.peakMemoryMb, spent.peakMemoryMb)),
  ];
}

const serverLines = ({ insertSeconds, checkSeconds }: NonNullable<MeasuredLoad['server']>): string[] => [
  row('inserts on the server', `${insertSeconds.toFixed(1).padStart(17)} CPU-s`),
  row('comparing on the server', `${checkSeconds.toFixed(1).padStart(17)} CPU-s`),
];

type Taken = Pick<Spent, 'seconds' | 'cpuSeconds'>;

const sumOf = (all: readonly Taken[], key: keyof Taken): number => all.reduce((sum, taken) => sum + taken[key], 0);

export const mean = (all: readonly Taken[]): Taken => ({
  seconds: sumOf(all, 'seconds') / all.length,
  cpuSeconds: sumOf(all, 'cpuSeconds') / all.length,
});

const row = (name: string, value: string): string => `  ${name.padEnd(37)}${value}`;
const taken = ({ seconds, cpuSeconds }: Taken): string =>
  `${seconds.toFixed(1).padStart(7)} s ${cpuSeconds.toFixed(1).padStart(7)} CPU-s`;
const megabytes = (value: number): string => `${Math.round(value).toLocaleString('en')} MB`;
const perSecond = (units: number, time: number): string => `${Math.round(units / time).toLocaleString('en')} /s`;
const times = (value: number, base: number): string => `${(value / base).toFixed(2)} times`;
