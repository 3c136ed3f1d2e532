import { isCalendarDay } from '../archive/day.ts';
import { redirectTarget } from './get.ts';
import { FetchFailed, type FetchPolicy, sendRequest } from './request.ts';
import { retryFetch } from './retry-request.ts';

/** Reads the register's download page and the exports to which it links. */

export interface ExportLink {
  readonly url: string;
  readonly name: string;
  /** Day of the export, YYYY-MM-DD. */
  readonly day: string;
  /** Release level from the file name, e.g. 26.1; empty for the oldest exports. */
  readonly level: string;
  /** True for an export of a reference day, which the register keeps; daily ones vanish. */
  readonly referenceDay: boolean;
}

const PAGE_BYTES = 5_000_000;

/**
 * The distinct links of the page to exports, oldest day first.
 * @throws FetchFailed
 */
export async function readExportLinks(url: string, policy: FetchPolicy): Promise<ExportLink[]> {
  return retryFetch(policy, url, async () => {
    policy.progress.stage('download page');
    const { pieces, url: base } = await sendRequest(url, { Accept: 'text/html' }, policy);
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

/** The exports to which a page links; relative links are resolved against `base`. */
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
  if (newest === undefined) throw missingLink(page, 'daily export', 'Gesamtdatenexport_<day>_<release>.zip');
  return newest;
}

/** @throws FetchFailed when the page names none; the register keeps those of reference days, so there must be some */
export function ofReferenceDays(links: readonly ExportLink[], page: string): ExportLink[] {
  const found = links.filter(({ referenceDay }) => referenceDay);
  if (found.length === 0) {
    throw missingLink(page, 'export of a reference day', 'Stichtag/Gesamtdatenexport_<day>_<release>.zip');
  }
  return found;
}

const missingLink = (page: string, what: string, end: string): FetchFailed =>
  new FetchFailed(
    `${page} names no ${what}. The register may be updating it: run the command again later. If that does not help, ` +
      `check the page: it should have a link that ends in ${end}.`,
  );
