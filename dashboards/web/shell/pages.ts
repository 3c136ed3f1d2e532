import type { ComponentType } from 'preact';
import type { Parameters } from '../address/address.ts';

/** A page: its place in the navigation, and its script, which is loaded when the page is opened. */
export interface PageEntry {
  /** Path below /app; empty = the first page. */
  readonly path: string;
  readonly name: string;
  /** Group in the navigation. */
  readonly group: 'Auswerten' | 'Nachschlagen' | 'Eigenes';
  load(): Promise<{ readonly Page: ComponentType } & Choices>;
  /** The page of one thing, at `path/id`; absent = there is none. */
  loadItem?(): Promise<{ readonly ItemPage: ComponentType<{ readonly id: string }> } & Choices>;
}

interface Choices {
  /** Everything that the address may say; null = the page itself looks at that. */
  readonly CHOICES: Parameters | null;
}

export const PAGES: readonly PageEntry[] = [
  { path: '', name: 'Überblick', group: 'Auswerten', load: () => import('../pages/ueberblick/page.tsx') },
  { path: 'region', name: 'Region', group: 'Auswerten', load: () => import('../pages/region/page.tsx') },
  { path: 'zeitreihe', name: 'Zeitreihe', group: 'Auswerten', load: () => import('../pages/zeitreihe/page.tsx') },
  { path: 'vergleich', name: 'Vergleich', group: 'Auswerten', load: () => import('../pages/vergleich/page.tsx') },
  {
    path: 'altersstruktur',
    name: 'Altersstruktur',
    group: 'Auswerten',
    load: () => import('../pages/altersstruktur/page.tsx'),
  },
  { path: 'karte', name: 'Karte', group: 'Auswerten', load: () => import('../pages/karte/page.tsx') },
  {
    path: 'qualitaet',
    name: 'Datenqualität',
    group: 'Auswerten',
    load: () => import('../pages/qualitaet/page.tsx'),
  },
  {
    path: 'einheiten',
    name: 'Einheiten',
    group: 'Nachschlagen',
    load: () => import('../pages/einheiten/page.tsx'),
    loadItem: () => import('../pages/einheit/page.tsx'),
  },
  {
    path: 'ausschreibungen',
    name: 'Ausschreibungen',
    group: 'Nachschlagen',
    load: () => import('../pages/ausschreibungen/page.tsx'),
    loadItem: () => import('../pages/ausschreibung/page.tsx'),
  },
  { path: 'daten', name: 'Daten', group: 'Nachschlagen', load: () => import('../pages/daten/page.tsx') },
  { path: 'portfolio', name: 'Portfolio', group: 'Eigenes', load: () => import('../pages/portfolio/page.tsx') },
  { path: 'alarme', name: 'Alarme und Filter', group: 'Eigenes', load: () => import('../pages/alarme/page.tsx') },
  { path: 'konto', name: 'Konto', group: 'Eigenes', load: () => import('../pages/konto/page.tsx') },
];

/** The page of an address; null = there is none. */
export function pageAt(address: string): { readonly page: PageEntry; readonly id: string | null } | null {
  const [path = '', id, ...more] = address.split('/');
  const page = PAGES.find((entry) => entry.path === path);
  if (page === undefined || more.length > 0 || (id !== undefined && page.loadItem === undefined)) return null;
  return { page, id: id ?? null };
}
