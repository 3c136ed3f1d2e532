import type { OperationResult } from '../../operation/operation.ts';
import { pageFile } from '../../pages/files.ts';
import { type Content, type Html, html } from '../../pages/html.ts';
import { clock } from './words.ts';

/** The frame of the pages: no script, nothing of other hosts. */

/** Allows the style of this service, its pictures and its own forms, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of all pages. The address is a secret, and the content is nobody else's concern. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** Turns the path of a page behind the link (`messages?day=…`; empty = the first page) into an address relative to this page. */
export type Beside = (target: string) => string;

const stepsUp = (path: string): number => (path === '' ? 0 : path.split('/').length);

/**
 * Addresses from a page behind a link. They hold below any prefix of a proxy, and contain the token only where they need it.
 * @param path of the page, behind the link
 */
export function besides(token: string, path: string): Beside {
  const up = stepsUp(path);
  return (target) =>
    path === '' || target === ''
      ? `${'../'.repeat(up)}${token}${target === '' ? '' : `/${target}`}`
      : `${'../'.repeat(up - 1)}${target}`;
}

export interface PortalPage {
  /** The path behind the link, such as `messages`; empty = the first page. */
  readonly path: string;
  readonly title: string;
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly organisation: string;
  /** A message about what was done before this page; null = none. */
  readonly notice: Html | null;
  content(beside: Beside): Content;
}

const SECTIONS = [
  ['', 'Übersicht'],
  ['messages', 'Nachrichten'],
] as const;

export function portalPage({
  path,
  title,
  token,
  expiresAt,
  organisation,
  notice,
  content,
}: PortalPage): OperationResult {
  const beside = besides(token, path);
  const section = path.replace(/\/.*$/, '');
  const bar = html`<nav class="sections" aria-label="Bereiche">
${SECTIONS.map(
  ([target, text]) =>
    html`<a href="${beside(target)}"${section === target ? html` aria-current="page"` : null}>${text}</a>`,
)}
</nav>
<p class="until">Gültig bis <b>${clock(expiresAt)} Uhr</b></p>`;
  const body = framed({
    title: `${title} – Zustellprotokoll`,
    root: '../'.repeat(stepsUp(path) + 1),
    bar,
    content: html`<p class="owner">${organisation}</p>
${notice}${content(beside)}`,
  });
  return { headers: PAGE_HEADERS, body };
}

interface Frame {
  readonly title: string;
  /** The relative address of the root of the service. */
  readonly root: string;
  readonly bar: Html | null;
  readonly content: Content;
}

const STYLES = ['frame.css', 'text.css', 'portal.css'];

/** Writes a page whole. */
export function framed({ title, root, bar, content }: Frame): string {
  const file = (name: string) => `${root}docs/files/${pageFile(name).address}`;
  return html`<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml">
${STYLES.map((name) => html`<link rel="stylesheet" href="${file(name)}">\n`)}</head>
<body class="portal">
<a class="skip" href="#main">Zum Inhalt</a>
<header>
<p class="brand"><img src="${file('favicon.svg')}" alt="" width="22" height="22">Zustellprotokoll</p>
${bar}
</header>
<main id="main" tabindex="-1">
${content}
</main>
</body>
</html>
`.text;
}
