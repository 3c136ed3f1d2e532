import type { ComponentType } from 'preact';
import type { Parameters } from '../address/address.ts';
import { PAGE_NAMES } from '../address/page-names.ts';
import { say } from '../format/language.ts';

/** A page: its place in the navigation, and its script, which is loaded when the page is opened. */
export interface PageEntry {
  /** Path below /app; empty = the first page. */
  readonly path: string;
  readonly name: string;
  /** Group in the navigation. */
  readonly group: keyof typeof GROUPS;
  load(): Promise<{ readonly Page: ComponentType } & PageChoices>;
  /** The page of one thing, at `path/id`; absent = there is none. */
  loadItem?(): Promise<{ readonly ItemPage: ComponentType<{ readonly id: string }> } & PageChoices>;
}

export interface PageChoices {
  /** Everything that the address may say; null = the page itself looks at that. */
  readonly CHOICES: Parameters | null;
  /** True: the address may say more, and the page looks at that itself. */
  readonly FURTHER?: boolean;
}

export const GROUPS = {
  analyse: say('Auswerten', 'Analyse'),
  find: say('Nachschlagen', 'Look up'),
  own: say('Eigenes', 'Own'),
} as const;

export const PAGES: readonly PageEntry[] = [
  {
    path: '',
    name: PAGE_NAMES.ueberblick,
    group: 'analyse',
    load: () => import('../pages/ueberblick/page.tsx'),
  },
  { path: 'region', name: PAGE_NAMES.region, group: 'analyse', load: () => import('../pages/region/page.tsx') },
  {
    path: 'zeitreihe',
    name: PAGE_NAMES.zeitreihe,
    group: 'analyse',
    load: () => import('../pages/zeitreihe/page.tsx'),
  },
  {
    path: 'vergleich',
    name: PAGE_NAMES.vergleich,
    group: 'analyse',
    load: () => import('../pages/vergleich/page.tsx'),
  },
  {
    path: 'altersstruktur',
    name: PAGE_NAMES.altersstruktur,
    group: 'analyse',
    load: () => import('../pages/altersstruktur/page.tsx'),
  },
  { path: 'karte', name: PAGE_NAMES.karte, group: 'analyse', load: () => import('../pages/karte/page.tsx') },
  {
    path: 'aenderungen',
    name: PAGE_NAMES.aenderungen,
    group: 'analyse',
    load: () => import('../pages/aenderungen/page.tsx'),
  },
  {
    path: 'qualitaet',
    name: PAGE_NAMES.qualitaet,
    group: 'analyse',
    load: () => import('../pages/qualitaet/page.tsx'),
  },
  { path: 'netz', name: PAGE_NAMES.netz, group: 'analyse', load: () => import('../pages/netz/page.tsx') },
  {
    path: 'einheiten',
    name: PAGE_NAMES.einheiten,
    group: 'find',
    load: () => import('../pages/einheiten/page.tsx'),
    loadItem: () => import('../pages/einheit/page.tsx'),
  },
  {
    path: 'ausschreibungen',
    name: PAGE_NAMES.ausschreibungen,
    group: 'find',
    load: () => import('../pages/ausschreibungen/page.tsx'),
    loadItem: () => import('../pages/ausschreibung/page.tsx'),
  },
  { path: 'daten', name: PAGE_NAMES.daten, group: 'find', load: () => import('../pages/daten/page.tsx') },
  { path: 'portfolio', name: PAGE_NAMES.portfolio, group: 'own', load: () => import('../pages/portfolio/page.tsx') },
  {
    path: 'alarme',
    name: PAGE_NAMES.alarme,
    group: 'own',
    load: () => import('../pages/alarme/page.tsx'),
  },
  { path: 'konto', name: PAGE_NAMES.konto, group: 'own', load: () => import('../pages/konto/page.tsx') },
];

/** The page of an address; null = there is none. */
export function pageAt(address: string): { readonly page: PageEntry; readonly id: string | null } | null {
  const [path = '', id, ...more] = address.split('/');
  const page = PAGES.find((entry) => entry.path === path);
  if (page === undefined || more.length > 0 || (id !== undefined && page.loadItem === undefined)) return null;
  return { page, id: id ?? null };
}
