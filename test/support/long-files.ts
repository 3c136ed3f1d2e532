import { globSync } from 'node:fs';
import { join } from 'node:path';
import { drawn } from './cases.ts';

/**
 * Files that build versions, start processes, load ClickHouse or drive a browser for more than five seconds of
 * processor time, the longest first. They are a fifth of the files, and two thirds of the time.
 */
export const LONG_FILES = [
  'two-engines/two-engines',
  'ingest/direct/broken',
  'two-engines/direct',
  'ingest/load/broken',
  'ingest/assembly/several-slices',
  'api/start',
  'ingest/load/load',
  'ingest/assembly/history',
  'dashboards/einheiten',
  'dashboards/karte',
  'crash/alerts',
  'ingest/checks/checks',
  'ingest/checks/holes',
  'ingest/nightly/nights',
  'ingest/commands/commands',
  'api/admin/socket',
  'real/days',
  'docs/guides',
  'ingest/assembly/crash-points',
  'dashboards/every-state',
  'dashboards/links',
  'ingest/export/places',
  'ingest/load/fingerprint',
  'two-engines/page-reads',
  'recount/sample',
  'ingest/export/sample',
  'ingest/load/overload',
  'ingest/direct/commands',
  'two-engines/shards',
  'sql/query/projection-forms',
  'sql/org/backup',
  'data/sample',
  'ingest/direct/check',
  'real/register',
  'ingest/assembly/derived',
  'crash/mutation',
  'data/generate',
  'dashboards/frame',
  'dashboards/einheit',
  'sql/org/pglite',
  'conformance/process',
  'dashboards/every-page',
  'ingest/privacy/marked',
  'crash/history',
  'recount/damaged-export',
  'conformance/workers',
  'ingest/commands/damaged',
  'dashboards/portfolio',
  'dashboards/ausschreibungen',
  'dashboards/zeitreihe',
  'api/aggregations/sample',
  'api/delta/delta',
  'dashboards/grafana/register',
  'api/admin/backup',
  'dashboards/region',
  'dashboards/shell',
  'crash/backup',
  'ingest/commands/interrupted',
  'two-engines/served',
  'ingest/assembly/older-levels',
  'two-engines/troubled-server',
  'two-engines/replicas',
  'ingest/assembly/tenders-rebuild',
  'api/delta/moments',
  'ingest/assembly/backfill',
  'docs/exit-codes',
  'dashboards/altersstruktur',
  'api/metrics/server',
  'ingest/fetch/process',
  'conformance/alert-story',
  'model/histories',
  'sql/org/plans',
  'sql/org/store',
  'api/webhooks/delivery/dispatcher',
  'ingest/eeg/explain',
  'sql/query/suche',
  'api/alerts/changes',
  'ingest/assembly/rows',
  'ingest/stage/parquet',
].map((name) => `test/${name}.test.ts`);

const SHARES = 4;

/** The share of a long file by its place in the list: there and back, so that all shares take about as long. */
export const shareOf = (place: number): number => {
  const step = place % (2 * SHARES);
  return Math.min(step, 2 * SHARES - 1 - step);
};

const ROOT = join(import.meta.dirname, '../..');

/** The paths of all test files, from the folder of the project. */
export const allFiles = (): string[] => globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] });

/**
 * The files that a run of the suite tries: of the long ones a share, drawn by SEED; all of them with `--mode all`, from CASES=2
 * on, while watching, and when the words name a file or a folder.
 * @param words the words after `vitest`
 */
export function filesOfRun(files: readonly string[], [command, ...words]: readonly string[]): string[] {
  const areNamed = words.some((word) => !word.startsWith('-') && files.some((file) => file.includes(word)));
  const areAll = words.some((word, index) => word === '--mode' && words[index + 1] === 'all');
  if (command !== 'run' || areNamed || areAll) return [...files];
  const shares = new Set(drawn([...Array(SHARES).keys()], 1));
  return files.filter((file) => {
    const place = LONG_FILES.indexOf(file);
    return place === -1 || shares.has(shareOf(place));
  });
}
