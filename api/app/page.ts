import type { Language } from '../operation/operation.ts';
import { pageFile } from '../pages/files.ts';
import { type Html, html } from '../pages/html.ts';
import type { Bundle } from './bundle.ts';

/**
 * Allows scripts, styles and calls of this service, pictures that pages draw themselves, and nothing else.
 * @param ancestors origins whose pages may show this one in a frame; none = no page may
 */
export const pagePolicy = (ancestors: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Charts carry a sheet of their own, always the same one, and no other.
    "style-src 'self' 'sha256-+TfQir1nvDucAdvE6XUQBt4ayUjpAWkbw2kCdSfekHM='",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');

export const APP_HEADERS = { 'Content-Security-Policy': pagePolicy(), 'Referrer-Policy': 'same-origin' } as const;

interface Choices {
  /** Attributes of the body that the scripts read. */
  readonly data?: Readonly<Record<string, string>>;
  /** The content without scripts. */
  readonly fallback?: Html;
}

const TITLES: Readonly<Record<Language, string>> = {
  de: 'Energieanlagen in Deutschland',
  en: 'Energy assets in Germany',
};

const withoutScripts = (language: Language, root: string): Html =>
  language === 'de'
    ? html`Diese Seiten brauchen JavaScript. Ohne Browser: <a href="${root}docs">Dokumentation der Schnittstelle</a>.`
    : html`These pages need JavaScript. Without a browser: <a href="${root}docs">documentation of the interface</a>.`;

/**
 * Writes the document that every page under /app is: it names the files, and the scripts do the rest.
 * @param root leads from the page to the root of the service, such as `../`: pages hold below any prefix of a proxy
 */
export const writeAppPage = (
  { script, imported, style }: Bundle,
  root: string,
  language: Language,
  { data = {}, fallback }: Choices = {},
): string => {
  const file = (name: string): string => `${root}app/files/${name}`;
  const shared = (name: string): string => `${root}docs/files/${pageFile(name).address}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${TITLES[language]}</title>
<link rel="icon" href="${shared('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file(style)}">
<script src="${shared('theme.js')}"></script>
<script src="${file(script)}" type="module"></script>
${imported.map((name) => html`<link rel="modulepreload" href="${file(name)}">\n`)}</head>
<body data-root="${root || './'}"${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
<noscript>${fallback ?? withoutScripts(language, root)}</noscript>
</body>
</html>
`.text;
};
