import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, today, warehouseFolder } from '../../runtime/settings.ts';
import type { Publication } from '../../sql/warehouse/versions.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { backfill } from '../assembly/backfill.ts';
import { historyFiles } from '../assembly/history.ts';
import { download } from '../fetch/download.ts';
import { setAside } from '../fetch/exports.ts';
import { downloadingAlone } from '../fetch/fetch.ts';
import { type ExportLink, ofReferenceDays, readPage } from '../fetch/page.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { BuildRefused } from '../run/refused.ts';
import { buildOptions } from './build.ts';
import { asJson, calendarDay, type IngestCommand, print, progressOf, webAddress } from './command.ts';
import { EXIT, type ExitCode, stoppable } from './exit.ts';

interface BackfillFlags {
  readonly from: string;
  readonly url?: string;
  readonly json: boolean;
}

const CONSEQUENCE = 'what was taken in stays, what was downloaded so far is kept; the same command goes on from there.';

export const backfillCommand: IngestCommand = {
  name: 'backfill',
  description: 'take in the history of the exports of reference days that the page names, one by one',
  words: (command) =>
    asJson(
      command
        .requiredOption('--from <YYYY-MM-DD>', 'the first reference day', calendarDay)
        .option('--url <address>', 'the page whose links name the exports; default: EXPORT_PAGE_URL', webAddress),
    ),
  run: (settings: Settings, flags: BackfillFlags) =>
    stoppable(
      (signal) => withPublicationTarget(settings, (published) => backfillAll(settings, published, flags, signal)),
      CONSEQUENCE,
    ),
};

async function backfillAll(
  settings: Settings,
  published: PublicationTarget,
  flags: BackfillFlags,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { json, url = settings.EXPORT_PAGE_URL } = flags;
  const warehouse = warehouseFolder(settings);
  const publications = await published.publications();
  const served = publications.at(-1);
  if (served === undefined) {
    throw new BuildRefused('Nothing is served yet that the history could be added to: npm run ingest -- nightly');
  }
  const progress = progressOf(json);
  const policy = fetchPolicyOf(settings, progress, signal);
  // A night may come between two of them: it is what cannot wait.
  const alone = <T>(work: () => Promise<T>): Promise<T> => downloadingAlone(settings.EXPORT_DIR, url, work);
  const page = await alone(() => readPage(url, policy));
  progress.end();
  const { days } = historyFiles(warehouse, served.exportDay, await published.report(served.version));
  const links = wanted(ofReferenceDays(page, url), flags.from, publications, days);
  for (const [index, { url: source, name, day }] of links.entries()) {
    const folder = join(settings.EXPORT_DIR, 'stichtag');
    const zip = { url: source, name, folder, today: today(settings), newest: false };
    const { path } = await alone(() => download(zip, policy));
    const options = { ...buildOptions(settings, published, path, { day, force: false, json }), progress, signal };
    const { units } = await backfill(options).catch((error: unknown) => leaveOut(error, path));
    for (const file of [path, `${path}.json`]) rmSync(file, { force: true });
    const place = `${index + 1} of ${links.length}`;
    const text = `${place}: the history of ${units} units as of ${day} was taken in, the file was removed`;
    print(json, { event: 'backfilled', exportDay: day, units }, text);
  }
  const text = links.length === 0 ? 'Nothing to take in' : 'All was taken in; the next build has it';
  print(json, { event: 'end', days: links.map(({ day }) => day) }, `${text}.`);
  return EXIT.done;
}

/** Exports of reference days that the history lacks: older than what is served, and never built themselves. */
function wanted(
  links: readonly ExportLink[],
  from: string,
  publications: readonly Publication[],
  taken: readonly string[],
): ExportLink[] {
  const served = publications.at(-1)!;
  const known = new Set([...publications.map(({ exportDay }) => exportDay), ...taken]);
  const missing = links.filter(({ day }) => day >= from && day < served.exportDay && !known.has(day));
  // Of two levels of one day the later one stands last.
  return [...new Map(missing.map((link) => [link.day, link])).values()];
}

/** A damaged file is no use to a second try. */
function leaveOut(error: unknown, path: string): never {
  if (error instanceof ArchiveError) setAside(path);
  throw error;
}
