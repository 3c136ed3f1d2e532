/** The key of the visitor: it lives as long as the tab, and never in an address that could be passed on. */

const NAME = 'api-key';

export const readKey = (): string | null => sessionStorage.getItem(NAME);

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);

export const dropKey = (): void => sessionStorage.removeItem(NAME);

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
