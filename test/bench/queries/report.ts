import type { Borne } from './clients.ts';
import type { Times } from './times.ts';

/** What a run found out. */
export interface Report {
  readonly units: number;
  /** Its release; null where it was not measured. */
  readonly postgres: string | null;
  readonly rows: readonly ReportRow[];
  /** Null where no row could be measured. */
  readonly throughput: Borne | null;
  /** Most memory that the service had resident, MB. */
  readonly peakMemoryMb: number;
}

export interface ReportRow {
  readonly id: string;
  readonly name: string;
  readonly aims: { readonly p50: number; readonly p99: number };
  readonly service: Times | null;
  readonly postgres: Times | null;
  /** Its first statement alone: a page without its total. */
  readonly postgresFirst: Times | null;
  /** Why there are no times, or in what the answers differ. */
  readonly notes: readonly string[];
}

const COLUMNS = ['requests', 'p50', 'aim', 'p99', 'aim', 'mean', '', 'PostgreSQL', 'p50', 'p99', 'ratio', 'page p50'];
const WIDTHS = [8, 9, 6, 9, 6, 9, 2, 10, 10, 10, 9, 10];
const NAME_WIDTH = 40;

/** The table for people; times in milliseconds. */
export function table(report: Report): string {
  const line = (name: string, cells: readonly string[]) =>
    (name.padEnd(NAME_WIDTH) + cells.map((cell, place) => cell.padStart(WIDTHS[place]!)).join('')).trimEnd();
  const rows = report.rows.flatMap((row) => [line(row.name, cellsOf(row)), ...row.notes.map((note) => `  ! ${note}`)]);
  return [
    `${report.units.toLocaleString('en')} units, one client, milliseconds; PostgreSQL ${report.postgres ?? 'not measured'}; ratio: its p50 by ours, page: its page without the total`,
    line('', COLUMNS),
    ...rows,
    ...(report.throughput === null ? [] : [throughputLine(report.throughput)]),
    `peak resident memory of the service: ${report.peakMemoryMb.toFixed(0)} MB, aim 2,000 MB`,
    '',
  ].join('\n');
}

function cellsOf({ service, postgres, postgresFirst, aims }: ReportRow): string[] {
  const ours =
    service === null
      ? ['-', '-', String(aims.p50), '-', String(aims.p99), '-']
      : [String(service.count), ms(service.p50), String(aims.p50), ms(service.p99), String(aims.p99), ms(service.mean)];
  if (postgres === null) return ours;
  const ratio = service === null ? '-' : `${(postgres.p50 / service.p50).toFixed(1)}x`;
  return [
    ...ours,
    '',
    String(postgres.count),
    ms(postgres.p50),
    ms(postgres.p99),
    ratio,
    postgresFirst === null ? '' : ms(postgresFirst.p50),
  ];
}

const ms = (time: number): string => time.toFixed(time < 100 ? 2 : 0);

const throughputLine = ({ clients, requestsPerSecond, p50, p99, errors }: Borne): string =>
  `${clients} clients on a mix of these: ${requestsPerSecond.toFixed(0)} requests/s, p50 ${ms(p50)}, p99 ${ms(p99)}, ${errors} errors`;
