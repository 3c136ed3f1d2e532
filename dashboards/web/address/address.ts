import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { isCalendarDay } from '../format/dates.ts';

/**
 * The address of a page holds everything that the visitor has chosen: a link shows the same again, and the back button
 * goes back one choice.
 */
interface Address {
  /** Path below /app without the leading slash; empty = the first page. */
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Navigation {
  readonly address: Address;
  /** @param replace true: the back button skips the address that was there, as while something is being dragged */
  go(target: string, replace?: boolean): void;
  /**
   * Makes the address of a page: `at('einheiten', { energietraeger: 'wind' })`.
   * @param path as `Address` has it, which is not encoded
   */
  at(path: string, query?: Readonly<Record<string, string | null | undefined>>): string;
}

const NavigationContext = createContext<Navigation | null>(null);

export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === null) throw new Error('There is no address outside of the pages');
  return navigation;
}

/** @param base path of the first page, such as `/app` or `/energie/app` */
export function useBrowserAddress(base: string): Navigation {
  const [href, set] = useState(location.href);
  useEffect(() => {
    const read = (): void => set(location.href);
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  return useMemo(() => {
    const url = new URL(href);
    const go = (target: string, replace = false): void => {
      if (replace) history.replaceState(null, '', target);
      else history.pushState(null, '', target);
      set(location.href);
    };
    return {
      address: { path: decodedPath(url.pathname.slice(base.length)), query: url.searchParams },
      go,
      at(path, query = {}) {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) if (value != null && value !== '') search.set(name, value);
        return `${base}${path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`}${written(search)}`;
      },
    };
  }, [href, base]);
}

const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path.replace(/^\/|\/$/g, ''));
  } catch {
    return path;
  }
};

/** A query with commas and colons as they are: legal, and easier to read in a link. */
const written = (search: URLSearchParams): string => {
  const text = search.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
};

/** Reads one choice from the address, and writes it there. */
export interface Parameter<T> {
  /** @param text null = it is not in the address; a text that makes no sense counts as that */
  read(text: string | null): T;
  /** null = it is the default, which the address leaves out */
  write(value: T): string | null;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type Values<P extends Parameters> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

/**
 * The choices of a page, as the address has them, and a function that changes some of them. Parameters of the address that
 * the page does not know are kept.
 */
export function useChoices<P extends Parameters>(
  parameters: P,
): [Values<P>, (changes: Partial<Values<P>>, replace?: boolean) => void] {
  const { address, go, at } = useNavigation();
  const values = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(address.query.get(name))]),
      ) as Values<P>,
    [address, parameters],
  );
  const change = (changes: Partial<Values<P>>, replace = false): void => {
    const query: Record<string, string | null> = Object.fromEntries(address.query);
    for (const [name, value] of Object.entries(changes)) query[name] = parameters[name]?.write(value) ?? null;
    go(at(address.path, query), replace);
  };
  return [values, change];
}

/** One of some words; the first is the default. */
export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]): Parameter<Word> => ({
  read: (text) => words.find((word) => word === text) ?? words[0],
  write: (word) => (word === words[0] ? null : word),
});

/** Yes or no; no is the default. */
export const flag: Parameter<boolean> = { read: (text) => text === 'ja', write: (value) => (value ? 'ja' : null) };

/** Any text; empty is the default. */
export const text: Parameter<string> = { read: (value) => value ?? '', write: (value) => value || null };

/** Some of several words, in their order; all of them is the default, and so is none. */
export const someOf = <const Word extends string>(words: readonly Word[]): Parameter<readonly Word[]> => ({
  read(value) {
    const asked = value?.split(',') ?? [];
    const known = words.filter((word) => asked.includes(word));
    return known.length === 0 ? words : known;
  },
  write: (chosen) => (chosen.length === 0 || chosen.length === words.length ? null : chosen.join(',')),
});

/** A calendar day, YYYY-MM-DD; null is the default. */
export const day: Parameter<string | null> = {
  read: (value) => (value !== null && isCalendarDay(value) ? value : null),
  write: (value) => value,
};
