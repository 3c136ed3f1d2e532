import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { listVersions, publications, reportFile } from '../../sql/warehouse/versions.ts';

const count = z.number();

/** What is told of the report that a build leaves with its version. */
const reportShape = z.object({
  seconds: count,
  peakMemoryMb: count,
  warehouseMb: count,
  units: z.record(z.string(), count),
  failedChecks: z.array(z.string()),
  befunde: z.record(z.string(), count),
  dateien: z.array(
    z.object({ verwendung: z.string(), gelesen: count, geladen: count, doppelt: count, abgelehnt: count }),
  ),
});

export interface LastBuild {
  readonly report: z.infer<typeof reportShape>;
  /** Unix time, seconds. */
  readonly endedAt: number;
  readonly published: boolean;
  /** Records of the export by what became of them. */
  readonly records: Readonly<Record<string, number>>;
}

/** Tells the build of the newest version; null while there is none. A report is read once, as it never changes. */
export function lastBuild(warehouse: string): () => LastBuild | null {
  let known: (Omit<LastBuild, 'published'> & { readonly id: string }) | null = null;
  return () => {
    const id = listVersions(warehouse).at(-1)?.id;
    if (id === undefined) return null;
    if (known?.id !== id) known = readBuild(warehouse, id);
    if (known === null) return null;
    return { ...known, published: publications(warehouse).some(({ version }) => version === id) };
  };
}

/** Null where the report is missing or of another release: then there is nothing to tell. */
function readBuild(warehouse: string, id: string) {
  const path = reportFile(warehouse, id);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const { data } = reportShape.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return data === undefined ? null : { id, report: data, endedAt: stat.mtimeMs / 1000, records: recordsOf(data) };
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
