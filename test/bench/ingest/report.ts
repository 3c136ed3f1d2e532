import type { Server } from '../clickhouse/server.ts';
import type { Spent } from '../support/spent.ts';
import type { MeasuredLoad } from './load.ts';
import { type BuildingServer, type MeasuredBuild, unitsOf } from './measured-build.ts';

/** The report of a measured build, as lines for people. */

/** A build, with what inflating its export took before and after it. */
export interface ComparedBuild extends MeasuredBuild {
  readonly title: string;
  readonly inflated: readonly [before: Spent, after: Spent];
}

/** The aims for a whole build: its time by what inflating the same archive takes, and the memory of it, and of the server. */
interface Aims {
  readonly times: number;
  readonly memoryMb: number;
}

const FILES: Aims = { times: 1.3, memoryMb: 1536 };
const ON_SERVER: Aims = { times: 2, memoryMb: 2048 };

export const aimsOf = ({ server }: MeasuredBuild): Aims => (server === null ? FILES : ON_SERVER);

export function buildLines(build: ComparedBuild): string[] {
  const { title, report, spent, stages, changed, inflated, server } = build;
  const aims = aimsOf(build);
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
      `${times(spent.seconds, inflating.seconds)}, aim ${aims.times}; ` +
        `${times(cpuSecondsOf(build), inflating.cpuSeconds)} the CPU-seconds`,
    ),
    row('peak memory, all processes', `${megabytes(spent.peakMemoryMb)}, aim ${megabytes(aims.memoryMb)}`),
    ...(server === null ? [] : serverLines(server, aims)),
    row('XML', `${(report.megabytes / spent.seconds).toFixed(0)} MB/s`),
    row('units', perSecond(units, spent.seconds)),
    row('dataset version on disk', megabytes(report.warehouseMb)),
    '  of the build:',
    ...[...stages, rest].map((stage) => row(`  ${stage.name}`, taken(stage))),
  ];
}

/** Processor time of the build and of the server that it is built on. */
export const cpuSecondsOf = ({ spent, server }: MeasuredBuild): number =>
  spent.cpuSeconds + (server?.spent.cpuSeconds ?? 0);

const serverLines = ({ spent, merging }: BuildingServer, aims: Aims): string[] => [
  row('of the server meanwhile', `${spent.cpuSeconds.toFixed(1).padStart(17)} CPU-s`),
  row('peak memory of the server', `${megabytes(spent.peakMemoryMb)}, aim ${megabytes(aims.memoryMb)}`),
  row('until its tables are one part each', taken(merging)),
];

export function loadLines({ report, spent }: MeasuredBuild, loaded: MeasuredLoad, server: Server): string[] {
  const units = unitsOf(report);
  return [
    `Load behind it, into ${server.described}`,
    row('whole load', taken(loaded)),
    row('of these comparing with the file', taken(loaded.check)),
    ...(loaded.statements === null ? [] : statementLines(loaded.statements)),
    row('units', perSecond(units, loaded.seconds)),
    row('sent', `${megabytes(loaded.sent / 1e6)}, ${(loaded.sent / units).toFixed(0)} bytes a unit`),
    row('peak resident memory', megabytes(loaded.peakMemoryMb)),
    ...(loaded.peakOfServerMb === null ? [] : [row('peak resident memory of chdb', megabytes(loaded.peakOfServerMb))]),
    row('load against build', times(loaded.seconds, spent.seconds)),
    row('build and load against build alone', times(spent.seconds + loaded.seconds, spent.seconds)),
    row('memory of load against build', times(loaded.peakMemoryMb, spent.peakMemoryMb)),
  ];
}

const statementLines = ({ insertSeconds, checkSeconds }: NonNullable<MeasuredLoad['statements']>): string[] => [
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
