/**
 * The key of the visitor: it lives as long as the tab, and never in an address that could be passed on. In a browser that
 * keeps nothing, it lives as long as the document, which has it in memory.
 */

const NAME = 'api-key';

export const readKey = (): string | null => allowed(() => sessionStorage.getItem(NAME));

export const keepKey = (key: string): void => void allowed(() => sessionStorage.setItem(NAME, key));

export const dropKey = (): void => void allowed(() => sessionStorage.removeItem(NAME));

/** Browsers that are told to keep nothing throw at the mere mention of a storage. */
function allowed<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

/**
 * Takes the key out of the fragment of the address (`#key=…`), where the start of the service prints it, and takes it off
 * the address and the history, so that a link that is passed on does not have it.
 */
export function takeKeyFromAddress(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}
