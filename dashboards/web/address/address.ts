import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { isCalendarDay } from '../format/dates.ts';
import { CHOSEN_LANGUAGE, isLanguage, LANGUAGE, say } from '../format/language.ts';

/**
 * The address of a page holds everything that the visitor has chosen: a link shows the same again, and the back button
 * goes back one choice.
 */
interface Address {
  /** Path below /app without the leading slash; empty = the first page. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Navigation {
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

let typedIn: Element | null = null;

/** While somebody types into a field of a day, each digit may give another one: all of them are one choice. */
function isTypedOn(): boolean {
  const field = document.activeElement;
  const isDay = field instanceof HTMLInputElement && field.type === 'date';
  const isSame = isDay && field === typedIn;
  if (isDay && !isSame) field.addEventListener('blur', () => (typedIn = null), { once: true });
  typedIn = isDay ? field : null;
  return isSame;
}

/** @param base path of the first page, such as `/app` or `/energie/app` */
export function useBrowserAddress(base: string): Navigation {
  const [href, set] = useState(location.href);
  useEffect(() => {
    const read = (): void => {
      typedIn = null;
      set(location.href);
    };
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  return useMemo(() => {
    const url = new URL(href);
    // A choice of the document, not of its page; a link that names it leads on to links that do.
    const isNamed = url.searchParams.get(CHOSEN_LANGUAGE) === LANGUAGE;
    if (isLanguage(url.searchParams.get(CHOSEN_LANGUAGE))) url.searchParams.delete(CHOSEN_LANGUAGE);
    const go = (target: string, replace = false): void => {
      // What leads nowhere else is nothing to go back from.
      const isHere = new URL(target, location.href).href === location.href;
      if (isTypedOn() || isHere || replace) history.replaceState(null, '', target);
      else history.pushState(null, '', target);
      set(location.href);
    };
    return {
      address: { path: decodedPath(url.pathname.slice(base.length)), query: url.searchParams },
      go,
      at: (path, query = {}) => pageAddress(base, path, isNamed ? { ...query, [CHOSEN_LANGUAGE]: LANGUAGE } : query),
    };
  }, [href, base]);
}

/** Makes the address of a page, as `Navigation.at` does. */
export function pageAddress(
  base: string,
  path: string,
  query: Readonly<Record<string, string | null | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null && value !== '') search.set(name, value);
  return `${base}${path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`}${written(search)}`;
}

export const decodedPath = (path: string): string => {
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
  /** The choice where the address has none. */
  readonly initial: T;
  /** @returns undefined for a text that makes no sense: such a link is refused, as what it asks for would not be shown */
  read(text: string): T | undefined;
  /** null = it is the default, which the address leaves out */
  write(value: T): string | null;
  /** The texts that make sense, in the accusative: „einen Tag wie 2026-11-01“. */
  readonly takes: string;
  /** The places that a choice names, which have to be known before the page is drawn. Absent = none. */
  readonly places?: (value: T) => readonly { readonly level: string; readonly value: string }[];
}

/** The choices of a page by the names of their parameters; the address has no others. */
// biome-ignore lint/suspicious/noExplicitAny: each has values of its own kind, which `Values` tells apart
export type Parameters = Readonly<Record<string, Parameter<any>>>;
type Values<P extends Parameters> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

/** The choices of a page, as the address has them, and a function that changes some of them. */
export function useChoices<P extends Parameters>(
  parameters: P,
): [Values<P>, (changes: Partial<Values<P>>, replace?: boolean) => void] {
  const { address, go, at } = useNavigation();
  const values = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, { initial, read }]) => {
          const text = address.query.get(name);
          return [name, (text === null ? undefined : read(text)) ?? initial];
        }),
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
  initial: words[0],
  read: (text) => words.find((word) => word === text),
  write: (word) => (word === words[0] ? null : word),
  takes: say(
    `eines von ${words.filter((word) => word !== '').join(', ')}`,
    `one of ${words.filter((word) => word !== '').join(', ')}`,
  ),
});

/** Yes or no; no is the default. */
export const flag: Parameter<boolean> = {
  initial: false,
  read: (text) => (text === 'ja' ? true : text === 'nein' ? false : undefined),
  write: (value) => (value ? 'ja' : null),
  takes: say('ja oder nein', 'ja (yes) or nein (no)'),
};

/** Only units of the own portfolio, as the interface writes it; links of earlier releases say `ja`. */
export const ownFlag: Parameter<boolean> = {
  initial: false,
  read: (text) => (text === 'true' || text === 'ja' ? true : text === 'nein' ? false : undefined),
  write: (value) => (value ? 'true' : null),
  takes: 'true',
};

/** Any text; empty is the default. */
export const text: Parameter<string> = {
  initial: '',
  read: (value) => value || undefined,
  write: (value) => value || null,
  takes: say('einen Wert', 'a value'),
};

/** Some of several words, in their order; all of them is the default unless another is given, and so is none. */
export const someOf = <const Word extends string>(
  words: readonly Word[],
  initial: readonly NoInfer<Word>[] = words,
): Parameter<readonly Word[]> => ({
  initial,
  read(value) {
    const asked = value.split(',');
    const known = words.filter((word) => asked.includes(word));
    return asked.every((one) => known.some((word) => word === one)) ? known : undefined;
  },
  write: (chosen) => (chosen.length === 0 || chosen.join() === initial.join() ? null : chosen.join()),
  takes: say(`eine Auswahl aus ${words.join(', ')}`, `a selection of ${words.join(', ')}`),
});

/** A calendar day, YYYY-MM-DD, of these years; null is the default. */
export const dayOf = (firstYear: number, lastYear: number): Parameter<string | null> => ({
  initial: null,
  read(value) {
    const year = Number(value.slice(0, 4));
    return isCalendarDay(value) && year >= firstYear && year <= lastYear ? value : undefined;
  },
  write: (value) => value,
  takes: say(
    `einen Tag wie 2026-11-01, von ${firstYear} bis ${lastYear}`,
    `a day like 2026-11-01, from ${firstYear} to ${lastYear}`,
  ),
});

/** The number of a page, from 1. */
export const pageNumber: Parameter<number> = {
  initial: 1,
  read: (value) => (/^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined),
  write: (page) => (page === 1 ? null : String(page)),
  takes: say('die Nummer einer Seite, von 1 an', 'the number of a page, from 1 on'),
};
