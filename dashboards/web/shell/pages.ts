import type { ComponentType } from 'preact';
import type { Parameters } from '../address/address.ts';
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
    name: say('Überblick', 'Overview'),
    group: 'analyse',
    load: () => import('../pages/ueberblick/page.tsx'),
  },
  { path: 'region', name: 'Region', group: 'analyse', load: () => import('../pages/region/page.tsx') },
  {
    path: 'zeitreihe',
    name: say('Zeitreihe', 'Time series'),
    group: 'analyse',
    load: () => import('../pages/zeitreihe/page.tsx'),
  },
  {
    path: 'vergleich',
    name: say('Vergleich', 'Comparison'),
    group: 'analyse',
    load: () => import('../pages/vergleich/page.tsx'),
  },
  {
    path: 'altersstruktur',
    name: say('Altersstruktur', 'Age structure'),
    group: 'analyse',
    load: () => import('../pages/altersstruktur/page.tsx'),
  },
  { path: 'karte', name: say('Karte', 'Map'), group: 'analyse', load: () => import('../pages/karte/page.tsx') },
  {
    path: 'qualitaet',
    name: say('Datenqualität', 'Data quality'),
    group: 'analyse',
    load: () => import('../pages/qualitaet/page.tsx'),
  },
  {
    path: 'einheiten',
    name: say('Einheiten', 'Units'),
    group: 'find',
    load: () => import('../pages/einheiten/page.tsx'),
    loadItem: () => import('../pages/einheit/page.tsx'),
  },
  {
    path: 'ausschreibungen',
    name: say('Ausschreibungen', 'Tenders'),
    group: 'find',
    load: () => import('../pages/ausschreibungen/page.tsx'),
    loadItem: () => import('../pages/ausschreibung/page.tsx'),
  },
  { path: 'daten', name: say('Daten', 'Data'), group: 'find', load: () => import('../pages/daten/page.tsx') },
  { path: 'portfolio', name: 'Portfolio', group: 'own', load: () => import('../pages/portfolio/page.tsx') },
  {
    path: 'alarme',
    name: say('Alarme und Filter', 'Alerts and filters'),
    group: 'own',
    load: () => import('../pages/alarme/page.tsx'),
  },
  { path: 'konto', name: say('Konto', 'Account'), group: 'own', load: () => import('../pages/konto/page.tsx') },
];

/** The page of an address; null = there is none. */
export function pageAt(address: string): { readonly page: PageEntry; readonly id: string | null } | null {
  const [path = '', id, ...more] = address.split('/');
  const page = PAGES.find((entry) => entry.path === path);
  if (page === undefined || more.length > 0 || (id !== undefined && page.loadItem === undefined)) return null;
  return { page, id: id ?? null };
}
