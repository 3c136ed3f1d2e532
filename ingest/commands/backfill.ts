import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ExitName, refused, usageError } from '../../runtime/command-line/exit.ts';
import { flag, option, rest } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { today, warehouseFolder } from '../../runtime/settings.ts';
import type { Publication } from '../../sql/warehouse/versions.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { historyFiles } from '../assembly/history.ts';
import { backfill } from '../build/backfill.ts';
import { buildPast } from '../build/past.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { downloadExport } from '../fetch/download.ts';
import { setAside } from '../fetch/exports.ts';
import { withDownloadLock } from '../fetch/fetch.ts';
import { type ExportLink, ofReferenceDays, readExportLinks } from '../fetch/page.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { buildOptions, withBuildOptions } from './build.ts';
import { type CommandContext, command, print, progressOf } from './command.ts';
import { calendarDayOption, webAddress } from './schemas.ts';

export const backfillCommand = command({
  name: 'backfill',
  summary: 'fill the past by older exports, or take in the planned days of those that the page names',
  description:
    'With exports, in any order: all of their days are built anew, one after the other, and the last one is published, so that `stand` and ' +
    'histories begin with the oldest. The name of each says its day, as in Gesamtdatenexport_20261101_26.1.zip. It needs the exports of all days whose states are known, and takes as long as all of these nights. ' +
    'With --from: the exports of reference days that the page names are downloaded, one by one, for delays of planned units alone.',
  examples: ['Gesamtdatenexport_2026*.zip', '--from 2023-04-01'],
  parameters: {
    exports: rest('older exports, and those of all days since', z.array(z.string()).optional()),
    force: flag('go on although checks have failed'),
    forgetOthers: flag('lose the states of days of which no export is named'),
    from: option('<YYYY-MM-DD>', 'the first reference day', calendarDayOption.optional()),
    url: option('<address>', 'the page whose links name the exports; default: EXPORT_PAGE_URL', webAddress.optional()),
  },
  run({ exports = [], force, forgetOthers = false, from, url }, context) {
    if (exports.length > 0 === (from !== undefined)) {
      throw usageError('backfill takes older exports, or --from <YYYY-MM-DD> for those that the page names');
    }
    return from === undefined
      ? buildAgain(exports, { force, forgetOthers }, context)
      : abortOnSignal(
          (signal) =>
            withPublicationTarget(context.settings, (target) =>
              backfillAll(target, { from, url: url ?? context.settings.EXPORT_PAGE_URL, signal }, context),
            ),
          'what was taken in stays, what was downloaded so far is kept; the same command goes on from there.',
        );
  },
});

const buildAgain = (
  exports: readonly string[],
  { force, forgetOthers }: { readonly force: true | undefined; readonly forgetOthers: boolean },
  context: CommandContext,
): Promise<ExitName> =>
  withBuildOptions({ source: '', force }, context, async (options): Promise<ExitName> => {
    const { publication, pruned } = await buildPast(options, {
      exports: exports.map((source) => ({ source, day: null })),
      mayForget: forgetOthers,
      begins: (day, place) => options.progress.note(`${place + 1} of ${exports.length}: ${day}`),
    });
    const removed = pruned.length > 0 ? `; removed ${pruned.join(', ')}` : '';
    print(context.json, { event: 'published', ...publication, pruned }, `Published ${publication?.version}${removed}`);
    return 'done';
  });

async function backfillAll(
  target: PublicationTarget,
  { from, url, signal }: { from: string; url: string; signal: AbortSignal },
  { settings, json }: CommandContext,
): Promise<ExitName> {
  const publications = await target.publications();
  const served = publications.at(-1);
  if (served === undefined) {
    throw refused('Nothing is served yet that the history could be added to: npm run ingest -- nightly');
  }
  const progress = progressOf(json);
  const policy = fetchPolicyOf(settings, progress, signal);
  // Each download takes the lock by itself, so that a nightly run, which cannot wait, may come between two of them.
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> => withDownloadLock(settings.EXPORT_DIR, url, work);
  const page = await whileLocked(() => readExportLinks(url, policy));
  progress.end();
  const report = await target.report(served.version);
  const { days } = historyFiles(warehouseFolder(settings), served.exportDay, report);
  const present = new Set([...publications.map(({ exportDay }) => exportDay), ...days]);
  const links = missingLinks(ofReferenceDays(page, url), { from, served, present });
  for (const [index, { url: source, name, day }] of links.entries()) {
    const folder = join(settings.EXPORT_DIR, 'stichtag');
    const zip = { url: source, name, folder, today: today(settings), newest: false };
    const { path } = await whileLocked(() => downloadExport(zip, policy));
    const options = { ...buildOptions(settings, target, { source: path, day }), progress, signal };
    const { units } = await backfill(options).catch((error: unknown) => {
      // A damaged file would fail again, so the next run downloads it anew.
      if (error instanceof ArchiveError) setAside(path);
      throw error;
    });
    for (const file of [path, `${path}.json`]) rmSync(file, { force: true });
    const text = `${index + 1} of ${links.length}: the history of ${counted(units, 'unit')} as of ${day} was taken in, the file was removed`;
    print(json, { event: 'backfilled', exportDay: day, units }, text);
  }
  const text = links.length === 0 ? 'Nothing to take in' : 'All was taken in; the next build has it';
  print(json, { event: 'end', days: links.map(({ day }) => day) }, `${text}.`);
  return 'done';
}

/** Exports of reference days that are older than what is served and not in its history. */
function missingLinks(
  links: readonly ExportLink[],
  { from, served, present }: { from: string; served: Publication; present: ReadonlySet<string> },
): ExportLink[] {
  const missing = links.filter(({ day }) => day >= from && day < served.exportDay && !present.has(day));
  // A day may have exports of two release levels; the later one comes last and wins.
  return [...new Map(missing.map((link) => [link.day, link])).values()];
}
