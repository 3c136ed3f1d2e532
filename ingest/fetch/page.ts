import { isCalendarDay } from '../archive/day.ts';
import { redirectTarget } from './get.ts';
import { ask, FetchFailed, type FetchPolicy } from './request.ts';
import { retryRequest } from './retry-request.ts';

/** The register's download page, and the exports that its links name. */

export interface ExportLink {
  readonly url: string;
  readonly name: string;
  /** Day of the export, YYYY-MM-DD. */
  readonly day: string;
  /** Release level as the name has it, e.g. 26.1; empty in the oldest names. */
  readonly level: string;
  /** True for an export of a reference day, which the register keeps; daily ones vanish. */
  readonly referenceDay: boolean;
}

const PAGE_BYTES = 5_000_000;

/**
 * The links of the page to exports, each once, oldest day first.
 * @throws FetchFailed
 */
export async function readPage(url: string, policy: FetchPolicy): Promise<ExportLink[]> {
  return retryRequest(policy, url, async () => {
    policy.progress.stage('download page');
    const { pieces, url: base } = await ask(url, { Accept: 'text/html' }, policy);
    const read: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of pieces) {
      read.push(piece);
      bytes += piece.length;
      if (bytes > PAGE_BYTES) throw new FetchFailed(`${url} is no page: it has more than ${PAGE_BYTES / 1e6} MB.`);
    }
    return exportLinks(Buffer.concat(read).toString(), base);
  });
}

const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const COMMENT = /<!--[\s\S]*?-->/g;

/** The exports that links of a page name; relative ones are seen from `base`. */
export function exportLinks(html: string, base: string): ExportLink[] {
  const links = new Map<string, ExportLink>();
  for (const [, double, single, bare] of html.replace(COMMENT, '').matchAll(HREF)) {
    const target = (double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&');
    const address = redirectTarget(base, target);
    const link = address === null ? null : exportLink(new URL(address));
    if (link !== null) links.set(link.url, link);
  }
  return [...links.values()].sort(byDay);
}

const NAME = /^Gesamtdatenexport_(\d{4})(\d{2})(\d{2})_(?:(\d{2}\.\d)(?=[_.]))?[\w.-]*\.zip$/;

function exportLink(url: URL): ExportLink | null {
  const folders = url.pathname.split('/');
  const name = folders.pop() ?? '';
  const parts = NAME.exec(name);
  if (parts === null) return null;
  const [, year, month, date, level = ''] = parts;
  const day = `${year}-${month}-${date}`;
  if (!isCalendarDay(day)) return null;
  return { url: url.href, name, day, level, referenceDay: folders.includes('Stichtag') };
}

/** On the day of a release the register may publish either level; the higher one comes later. */
const byDay = (a: ExportLink, b: ExportLink): number =>
  a.day.localeCompare(b.day) || a.level.localeCompare(b.level) || a.url.localeCompare(b.url);

/** @throws FetchFailed when the page names no daily export */
export function newestOf(links: readonly ExportLink[], page: string): ExportLink {
  const newest = links.findLast(({ referenceDay }) => !referenceDay);
  if (newest === undefined) throw namesNone(page, 'daily export', 'Gesamtdatenexport_<day>_<release>.zip');
  return newest;
}

/** @throws FetchFailed when the page names none: those of reference days are kept, so there must be some */
export function ofReferenceDays(links: readonly ExportLink[], page: string): ExportLink[] {
  const kept = links.filter(({ referenceDay }) => referenceDay);
  if (kept.length === 0) {
    throw namesNone(page, 'export of a reference day', 'Stichtag/Gesamtdatenexport_<day>_<release>.zip');
  }
  return kept;
}

const namesNone = (page: string, what: string, end: string): FetchFailed =>
  new FetchFailed(
    `${page} names no ${what}. The register may be at work on it: run the command again later. If it stays so, look at ` +
      `the page: it should have a link that ends in ${end}.`,
  );
