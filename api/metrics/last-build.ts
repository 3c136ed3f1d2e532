import { z } from 'zod';
import { listVersions, type Version } from '../../sql/warehouse/versions.ts';
import { reportIn } from '../warehouse/duckdb/version-store.ts';
import type { StoredReport, Warehouse } from '../warehouse/warehouse.ts';

const count = z.number();

/** The part of a build's report that the metrics show. */
const reportShape = z.object({
  seconds: count,
  peakMemoryMb: count,
  warehouseMb: count,
  units: z.record(z.string(), count),
  failedChecks: z.array(z.string()),
  /** Reports of earlier releases do not say. */
  madeFrom: z
    .object({
      affected: count.nullable(),
      nights: count,
      differences: z.array(z.object({ table: z.string() })).nullable(),
    })
    .optional(),
  befunde: z.record(z.string(), count),
  dateien: z.array(
    z.object({ verwendung: z.string(), gelesen: count, geladen: count, doppelt: count, abgelehnt: count }),
  ),
});

export interface LastBuild {
  readonly version: string;
  readonly report: z.infer<typeof reportShape>;
  /** Unix time, seconds. */
  readonly endedAt: number;
  /** Records of the export by what became of them. */
  readonly records: Readonly<Record<string, number>>;
}

/**
 * Finds the build of the newest version; null while there is none. A report is read once, as it never changes. Versions
 * that were built here and failed a check are in the folder only, also where others are read from a server.
 * @param kept the versions in the warehouse
 */
export function lastBuild(
  warehouse: Pick<Warehouse, 'report'>,
  folder: string,
): (kept: readonly Version[]) => Promise<LastBuild | null> {
  let known: { readonly id: string; readonly build: LastBuild | null } | null = null;
  return async (kept) => {
    const newest = [...kept, ...listVersions(folder)].toSorted((one, other) => one.sequence - other.sequence).at(-1);
    if (newest === undefined) return null;
    if (known?.id !== newest.id) {
      const report = reportIn(folder, newest.id) ?? (await warehouse.report(newest.id));
      known = { id: newest.id, build: report === null ? null : readBuild(newest.id, report) };
    }
    return known.build;
  };
}

/** Reads a report; null for one that another release has written in another form. */
function readBuild(version: string, { text, endedAt }: StoredReport): LastBuild | null {
  const { data } = reportShape.safeParse(JSON.parse(text));
  return data === undefined ? null : { version, report: data, endedAt, records: recordsOf(data) };
}

function recordsOf({ dateien }: LastBuild['report']): LastBuild['records'] {
  const sum = (pick: (file: (typeof dateien)[number]) => number) => dateien.reduce((all, file) => all + pick(file), 0);
  return {
    loaded: sum(({ geladen }) => geladen),
    duplicate: sum(({ doppelt }) => doppelt),
    refused: sum(({ abgelehnt }) => abgelehnt),
    unused: sum(({ verwendung, gelesen }) => (verwendung === 'ungenutzt' ? gelesen : 0)),
  };
}
