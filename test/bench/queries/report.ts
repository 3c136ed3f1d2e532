import { type Column, type Form, tableLines } from '../support/table.ts';
import type { Aims } from './question.ts';
import type { Throughput } from './throughput.ts';
import type { Times } from './times.ts';

/** The results of a run. */
export interface Report {
  readonly units: number;
  /** The machine, in one line. */
  readonly machine: string;
  readonly rows: readonly ReportRow[];
  /** The service over DuckDB with many clients. */
  readonly loads: readonly ReportLoad[];
  /** Number of each question in the first of these loads. */
  readonly mix: Readonly<Record<string, number>>;
  /** Most memory that this service had resident, MB. */
  readonly peakMemoryMb: number;
  /** The systems that were measured for comparison, in the order of their columns. */
  readonly compared: readonly ReportComparison[];
}

export interface ReportLoad {
  readonly name: string;
  readonly aims: { readonly requestsPerSecond: number; readonly p99: number | null };
  readonly result: Throughput;
}

export interface ReportComparison {
  readonly name: string;
  readonly described: string;
  /** With many clients, and the memory of the service in MB; nothing and null where there is no service. */
  readonly loads: readonly ReportLoad[];
  readonly peakMemoryMb: number | null;
}

export interface ReportRow {
  readonly id: string;
  readonly name: string;
  /** Null where the project has set itself none. */
  readonly aims: Aims | null;
  readonly service: Times | null;
  /** By the names of the other systems. */
  readonly compared: Readonly<Record<string, ComparedTimes>>;
  /** Why there are no times, or in what the answers differ. */
  readonly notes: readonly string[];
}

interface ComparedTimes {
  readonly times: Times;
  /** The times without what was counted beforehand, where these are others. */
  readonly plain: Times | null;
}

const OWN: readonly Column<ReportRow>[] = [
  { head: 'question', align: 'left', cell: ({ name }) => name },
  { head: 'requests', align: 'right', cell: ({ service }) => service?.count.toString() },
  { head: 'p50', align: 'right', cell: ({ service, aims }) => against(service?.p50, aims?.p50) },
  { head: 'aim', align: 'right', cell: ({ aims }) => aims?.p50.toString() },
  { head: 'p99', align: 'right', cell: ({ service, aims }) => against(service?.p99, aims?.p99) },
  { head: 'aim', align: 'right', cell: ({ aims }) => aims?.p99.toString() },
  { head: 'mean', align: 'right', cell: ({ service }) => ms(service?.mean) },
];

/** The columns of another system; the plain ones only where there are such times. */
function columnsOf(name: string, rows: readonly ReportRow[]): Column<ReportRow>[] {
  const times = ({ compared }: ReportRow) => compared[name]?.times;
  const plain = ({ compared }: ReportRow) => compared[name]?.plain ?? undefined;
  const number = (head: string, cell: Column<ReportRow>['cell']): Column<ReportRow> => ({ head, align: 'right', cell });
  return [
    number(name, (row) => times(row)?.count.toString()),
    number('p50', (row) => ms(times(row)?.p50)),
    number('p99', (row) => ms(times(row)?.p99)),
    number('ratio', (row) => ratio(times(row), row.service)),
    ...(rows.some(plain)
      ? [
          number('plain p50', (row) => ms(plain(row)?.p50) ?? ''),
          number('ratio', (row) => (plain(row) === undefined ? '' : ratio(plain(row), row.service))),
        ]
      : []),
  ];
}

/** The report for people, or for a page of Markdown; times in milliseconds. */
export function reportText({ units, machine, rows, loads, mix, peakMemoryMb, compared }: Report, form: Form): string {
  const columns = [...OWN, ...compared.flatMap(({ name }) => columnsOf(name, rows))];
  const allLoads = [...loads, ...compared.flatMap((system) => system.loads)];
  const asked = Object.entries(mix).map(([id, count]) => `${count} ${id}`);
  const paragraphs = [
    [
      `${units.toLocaleString('en')} units, one client, milliseconds; * is behind its aim. Machine: ${machine}`,
      ...compared.map(({ name, described }) => `Beside it ${described}; ratio: p50 of ${name} by that of the service`),
    ],
    tableLines(form, columns, rows, ({ name, notes }) =>
      notes.map((note) => (form === 'text' ? note : `${name}: ${note}`)),
    ),
    ...(allLoads.length === 0
      ? []
      : [tableLines(form, LOAD, allLoads), [`Asked by many clients: ${asked.join(', ')}`]]),
    [
      `Peak resident memory of the service: ${peakMemoryMb.toFixed(0)} MB, aim 2,000 MB`,
      ...compared.flatMap(({ name, peakMemoryMb }) =>
        peakMemoryMb === null ? [] : [`Over ${name}: ${peakMemoryMb.toFixed(0)} MB`],
      ),
    ],
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const LOAD: readonly Column<ReportLoad>[] = [
  { head: 'many clients', align: 'left', cell: ({ name, result }) => `${result.clients} clients, ${name}` },
  {
    head: 'requests/s',
    align: 'right',
    cell: ({ aims, result: { requestsPerSecond } }) =>
      `${requestsPerSecond.toFixed(0)}${requestsPerSecond < aims.requestsPerSecond ? '*' : ''}`,
  },
  { head: 'aim', align: 'right', cell: ({ aims }) => aims.requestsPerSecond.toLocaleString('en') },
  { head: 'p50', align: 'right', cell: ({ result }) => ms(result.p50) },
  { head: 'p99', align: 'right', cell: ({ aims, result }) => against(result.p99, aims.p99 ?? undefined) },
  { head: 'aim', align: 'right', cell: ({ aims }) => aims.p99?.toString() },
  { head: 'sent', align: 'right', cell: ({ result }) => result.sent.toLocaleString('en') },
  { head: 'errors', align: 'right', cell: ({ result }) => String(result.errors) },
  { head: 'CPU of service', align: 'right', cell: ({ result }) => share(result.serviceCpuSeconds, result) },
  {
    head: 'CPU-ms of a request',
    align: 'right',
    cell: ({ result: { serviceCpuSeconds, sent } }) => ms((1000 * serviceCpuSeconds) / Math.max(1, sent)),
  },
  { head: 'CPU of clients', align: 'right', cell: ({ result }) => share(result.cpuSeconds, result) },
];

/** Of all processors of the machine, while the clients asked. */
const share = (cpuSeconds: number, { seconds, processors }: Throughput): string =>
  `${((100 * cpuSeconds) / (seconds * processors)).toFixed(0)} %`;

const ms = (time: number | undefined): string | undefined => time?.toFixed(time < 100 ? 2 : 0);

/** A time with a mark when it is behind its aim. */
const against = (time: number | undefined, aim: number | undefined): string | undefined =>
  time !== undefined && aim !== undefined && time > aim ? `${ms(time)}*` : ms(time);

const ratio = (times: Times | undefined, service: Times | null): string | undefined =>
  times === undefined || service === null ? undefined : `${(times.p50 / service.p50).toFixed(1)}x`;
