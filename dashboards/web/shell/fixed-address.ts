import { useMemo, useState } from 'preact/hooks';
import { decodedPath, type Navigation, pageAddress } from '../address/address.ts';

/** Choices that a visitor of a shared view may change: they leave the place and the filters as they are. */
const FREE = ['traeger', 'reihen', 'ohne', 'von', 'bis', 'sort', 'cursor', 'seite'];

/**
 * The address of a shared view: that of the page that was shared. It is kept in memory, as the browser has that of the link.
 * @param base path of the first page
 */
export function useFixedAddress(base: string, page: string, choices: string): Navigation {
  const [query, set] = useState(choices);
  return useMemo(() => {
    const chosen = new URLSearchParams(query);
    return {
      address: { path: page, query: chosen },
      go(target) {
        const { pathname, searchParams } = new URL(target, location.href);
        if (decodedPath(pathname.slice(base.length)) !== page) return;
        const names = new Set([...chosen.keys(), ...searchParams.keys()]);
        const isSame = [...names].every((name) => FREE.includes(name) || chosen.get(name) === searchParams.get(name));
        if (isSame) set(searchParams.toString());
      },
      at: (path, changes = {}) => pageAddress(base, path, changes),
    };
  }, [base, page, query]);
}
