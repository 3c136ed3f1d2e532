import { pageFile } from './files.ts';
import { type Content, type Html, html } from './html.ts';

/** A group of links beside the page. */
export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

interface NavigationLink {
  /** Path from the root of the service, without the leading slash: `docs/errors`. */
  readonly path: string;
  readonly text: string;
  /** HTTP method of an operation; absent = a page of text. */
  readonly method?: string;
}

export interface Page {
  /** Path of the page itself, without the leading slash; empty = `/`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly navigation: readonly NavigationGroup[];
  /** Address of the index that the search reads, from the root. */
  readonly searchIndex: string;
  /** `wide` leaves room for a column of code beside the text; `welcome` has no navigation of the documentation. */
  readonly form: 'text' | 'welcome' | 'wide';
  /** Default: English. */
  readonly language?: 'de' | 'en';
  /** @param at turns a path from the root of the service into an address relative to this page */
  content(at: At): Content;
}

/** Turns a path from the root of the service, without the leading slash, into a relative address. */
export type At = (path: string) => string;

/**
 * Relative addresses from a page: they hold under whatever address the service is reached, also below a prefix of a proxy.
 * @param path of the page, without the leading slash
 */
function addressesFrom(path: string): At {
  const up = '../'.repeat(path.split('/').length - 1);
  return (target) => `${up}${target}` || './';
}

/** Allows what a page needs and no more: scripts, styles, pictures of this service, and calls to it. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WORDS = {
  de: {
    name: 'Energieanlagen',
    skip: 'Zum Inhalt',
    search: 'Dokumentation durchsuchen',
    searchLabel: 'Dokumentation durchsuchen (englisch)',
    found: 'Was gefunden wurde',
    sections: 'Bereiche',
    reference: 'Referenz',
    guides: 'Anleitungen',
    errors: 'Fehler',
    theme: 'Hell oder dunkel',
  },
  en: {
    name: 'Energy asset data',
    skip: 'Skip to the content',
    search: 'Search',
    searchLabel: 'Search the documentation',
    found: 'What was found',
    sections: 'Sections',
    reference: 'Reference',
    guides: 'Guides',
    errors: 'Errors',
    theme: 'Light or dark',
  },
} as const;

/** The later ones build on the earlier ones. */
const STYLES = ['frame.css', 'text.css', 'reference.css'];

/** Writes a page whole: head, top bar with search, navigation, content. */
export function writePage({
  path,
  title,
  description,
  navigation,
  searchIndex,
  form,
  language = 'en',
  content,
}: Page): string {
  const at = addressesFrom(path);
  const words = WORDS[language];
  const file = (name: string) => at(`docs/files/${pageFile(name).address}`);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml">
${STYLES.map((name) => html`<link rel="stylesheet" href="${file(name)}">\n`)}<script src="${file('theme.js')}"></script>
<script src="${file('page.js')}" type="module"></script>
</head>
<body class="${form}" data-root="${at('')}" data-search="${at(searchIndex)}">
<a class="skip" href="#main">${words.skip}</a>
<header>
${
  form === 'welcome'
    ? null
    : html`<button id="menu" type="button" aria-expanded="false" aria-controls="navigation" aria-label="Navigation">☰</button>
`
}<a class="brand" href="${at('')}"><img src="${file('favicon.svg')}" alt="" width="22" height="22"><span>${words.name}</span></a>
<div class="search" role="search">
<input id="search" type="search" placeholder="${words.search}" aria-label="${words.searchLabel}" autocomplete="off"
 role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd>/</kbd>
<ul id="found" role="listbox" aria-label="${words.found}" hidden></ul>
</div>
<nav class="bar" aria-label="${words.sections}">
<a href="${at('docs')}">${words.reference}</a><a href="${at('docs/guides/region-analysts')}">${words.guides}</a><a href="${at('docs/errors')}">${words.errors}</a>
</nav>
<button id="theme" type="button" aria-label="${words.theme}">◐</button>
</header>
<div class="frame">
${
  form === 'welcome'
    ? null
    : html`<nav id="navigation" aria-label="Documentation">
${navigation.map((group) => navigationGroup(group, path, at))}
</nav>`
}
<main id="main" tabindex="-1">
${content(at)}
</main>
</div>
</body>
</html>
`.text;
}

const navigationGroup = ({ title, links }: NavigationGroup, current: string, at: At): Html =>
  html`<h2>${title}</h2>
<ul>
${links.map(
  ({ path, text, method }) =>
    html`<li><a href="${at(path)}"${path === current ? html` aria-current="page"` : null}><span>${text}</span>${methodBadge(method)}</a></li>
`,
)}</ul>
`;

/** The method of an operation in its colour. */
export const methodBadge = (method: string | undefined): Html | null =>
  method === undefined ? null : html`<span class="method ${method.toLowerCase()}">${method}</span>`;
