import type { LoadResult } from './clients.ts';
import type { Times } from './times.ts';

/** The results of a run. */
export interface Report {
  readonly units: number;
  readonly rows: readonly ReportRow[];
  /** The service over DuckDB with many clients; null where no row could be measured. */
  readonly throughput: LoadResult | null;
  /** Most memory that this service had resident, MB. */
  readonly peakMemoryMb: number;
  /** The systems that were measured for comparison, in the order of their columns. */
  readonly compared: readonly ReportComparison[];
}

export interface ReportComparison {
  readonly name: string;
  readonly described: string;
  /** The throughput with many clients and the memory of the service in MB; null where there is no service. */
  readonly throughput: LoadResult | null;
  readonly peakMemoryMb: number | null;
}

export interface ReportRow {
  readonly id: string;
  readonly name: string;
  readonly aims: { readonly p50: number; readonly p99: number };
  readonly service: Times | null;
  /** By the names of the other systems. */
  readonly compared: Readonly<Record<string, ComparedTimes>>;
  /** Why there are no times, or in what the answers differ. */
  readonly notes: readonly string[];
}

export interface ComparedTimes {
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

/** The columns of another system; `page` only where pages were read without their totals. */
function columnsOf(name: string, rows: readonly ReportRow[]): Column[] {
  const times = ({ compared }: ReportRow) => compared[name]?.times;
  const page: Column = { head: 'page p50', width: 10, cell: ({ compared }) => ms(compared[name]?.first?.p50) ?? '' };
  return [
    { head: name, width: 13, cell: (row) => times(row)?.count.toString() },
    { head: 'p50', width: 10, cell: (row) => ms(times(row)?.p50) },
    { head: 'p99', width: 10, cell: (row) => ms(times(row)?.p99) },
    { head: 'ratio', width: 9, cell: (row) => ratio(times(row), row.service) },
    ...(rows.some(({ compared }) => compared[name]?.first) ? [page] : []),
  ];
}

/** The table for people; times in milliseconds. */
export function table({ units, rows, throughput, peakMemoryMb, compared }: Report): string {
  const columns = [...OWN, ...compared.flatMap(({ name }) => columnsOf(name, rows))];
  const line = (cell: (column: Column) => string) =>
    columns
      .map((column) => padded(cell(column), column.width))
      .join('')
      .trimEnd();
  return [
    `${units.toLocaleString('en')} units, one client, milliseconds; first the service over DuckDB`,
    ...compared.map(({ name, described }) => `beside it ${described}; ratio: p50 of ${name} by that of the service`),
    line(({ head }) => head),
    ...rows.flatMap((row) => [line(({ cell }) => cell(row) ?? '-'), ...row.notes.map((note) => `  ! ${note}`)]),
    ...manyClients('the service', throughput),
    ...compared.flatMap(({ name, throughput }) => manyClients(`over ${name}`, throughput)),
    `peak resident memory of the service: ${peakMemoryMb.toFixed(0)} MB, aim 2,000 MB`,
    ...compared.flatMap(({ name, peakMemoryMb }) =>
      peakMemoryMb === null ? [] : [`  over ${name}: ${peakMemoryMb.toFixed(0)} MB`],
    ),
    '',
  ].join('\n');
}

const padded = (text: string, width: number): string => (width < 0 ? text.padEnd(-width) : text.padStart(width));

const ms = (time: number | undefined): string | undefined => time?.toFixed(time < 100 ? 2 : 0);

const ratio = (times: Times | undefined, service: Times | null): string | undefined =>
  times === undefined || service === null ? undefined : `${(times.p50 / service.p50).toFixed(1)}x`;

const manyClients = (who: string, result: LoadResult | null): string[] =>
  result === null
    ? []
    : [
        `${result.clients} clients on a mix of these, ${who}: ${result.requestsPerSecond.toFixed(0)} requests/s, ` +
          `p50 ${ms(result.p50)}, p99 ${ms(result.p99)}, ${result.errors} errors`,
      ];
