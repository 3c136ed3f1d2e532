import type { Borne } from './clients.ts';
import type { Times } from './times.ts';

/** The results of a run. */
export interface Report {
  readonly units: number;
  readonly rows: readonly ReportRow[];
  /** The service over DuckDB with many clients; null where no row could be measured. */
  readonly throughput: Borne | null;
  /** Most memory that this service had resident, MB. */
  readonly peakMemoryMb: number;
  /** The systems that were measured for comparison, in the order of their columns. */
  readonly beside: readonly ReportBeside[];
}

export interface ReportBeside {
  readonly name: string;
  readonly described: string;
  /** The throughput with many clients and the memory of the service in MB; null where there is no service. */
  readonly throughput: Borne | null;
  readonly peakMemoryMb: number | null;
}

export interface ReportRow {
  readonly id: string;
  readonly name: string;
  readonly aims: { readonly p50: number; readonly p99: number };
  readonly service: Times | null;
  /** By the names of what was measured beside. */
  readonly beside: Readonly<Record<string, BesideTimes>>;
  /** Why there are no times, or in what the answers differ. */
  readonly notes: readonly string[];
}

export interface BesideTimes {
  readonly times: Times;
  /** The times of the first statement alone, where there are several: a page without its total. */
  readonly first: Times | null;
}

/** A column of the table. */
interface Column {
  readonly head: string;
  readonly width: number;
  readonly cell: (row: ReportRow) => string | undefined;
}

const OWN: readonly Column[] = [
  { head: '', width: -40, cell: ({ name }) => name },
  { head: 'requests', width: 8, cell: ({ service }) => service?.count.toString() },
  { head: 'p50', width: 9, cell: ({ service }) => ms(service?.p50) },
  { head: 'aim', width: 6, cell: ({ aims }) => String(aims.p50) },
  { head: 'p99', width: 9, cell: ({ service }) => ms(service?.p99) },
  { head: 'aim', width: 6, cell: ({ aims }) => String(aims.p99) },
  { head: 'mean', width: 9, cell: ({ service }) => ms(service?.mean) },
];

/** The columns of what was measured beside; `page` only where pages were asked for without their totals. */
function columnsOf(name: string, rows: readonly ReportRow[]): Column[] {
  const times = ({ beside }: ReportRow) => beside[name]?.times;
  const page: Column = { head: 'page p50', width: 10, cell: ({ beside }) => ms(beside[name]?.first?.p50) ?? '' };
  return [
    { head: name, width: 13, cell: (row) => times(row)?.count.toString() },
    { head: 'p50', width: 10, cell: (row) => ms(times(row)?.p50) },
    { head: 'p99', width: 10, cell: (row) => ms(times(row)?.p99) },
    { head: 'ratio', width: 9, cell: (row) => ratio(times(row), row.service) },
    ...(rows.some(({ beside }) => beside[name]?.first) ? [page] : []),
  ];
}

/** The table for people; times in milliseconds. */
export function table({ units, rows, throughput, peakMemoryMb, beside }: Report): string {
  const columns = [...OWN, ...beside.flatMap(({ name }) => columnsOf(name, rows))];
  const line = (cell: (column: Column) => string) =>
    columns
      .map((column) => padded(cell(column), column.width))
      .join('')
      .trimEnd();
  return [
    `${units.toLocaleString('en')} units, one client, milliseconds; first the service over DuckDB`,
    ...beside.map(({ name, described }) => `beside it ${described}; ratio: p50 of ${name} by that of the service`),
    line(({ head }) => head),
    ...rows.flatMap((row) => [line(({ cell }) => cell(row) ?? '-'), ...row.notes.map((note) => `  ! ${note}`)]),
    ...manyClients('the service', throughput),
    ...beside.flatMap(({ name, throughput }) => manyClients(`over ${name}`, throughput)),
    `peak resident memory of the service: ${peakMemoryMb.toFixed(0)} MB, aim 2,000 MB`,
    ...beside.flatMap(({ name, peakMemoryMb }) =>
      peakMemoryMb === null ? [] : [`  over ${name}: ${peakMemoryMb.toFixed(0)} MB`],
    ),
    '',
  ].join('\n');
}

const padded = (text: string, width: number): string => (width < 0 ? text.padEnd(-width) : text.padStart(width));

const ms = (time: number | undefined): string | undefined => time?.toFixed(time < 100 ? 2 : 0);

const ratio = (times: Times | undefined, service: Times | null): string | undefined =>
  times === undefined || service === null ? undefined : `${(times.p50 / service.p50).toFixed(1)}x`;

const manyClients = (who: string, borne: Borne | null): string[] =>
  borne === null
    ? []
    : [
        `${borne.clients} clients on a mix of these, ${who}: ${borne.requestsPerSecond.toFixed(0)} requests/s, ` +
          `p50 ${ms(borne.p50)}, p99 ${ms(borne.p99)}, ${borne.errors} errors`,
      ];
