/**
 * The session of the visitor. A key that was typed stays in the memory of the document; the service keeps it for the other tabs,
 * in a cookie that no script can read. It is never in an address that could be passed on.
 */

/** The header that says: ask with the cookie. */
export const IN_SESSION: Readonly<Record<string, string>> = { 'X-App-Session': 'app' };

/** Set while the browser has a session, as no script can see the cookie; nothing is asked in vain where there is none. */
const MARK = 'angemeldet';

export const hasSession = (): boolean => allowed(() => localStorage.getItem(MARK)) !== null;

/**
 * A browser that keeps nothing asks with the key that the document has in memory.
 * @returns whether the session can stand for the key from now on
 */
export async function beginSession(root: string, key: string): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify({ key }) };
  const response = await fetch(new URL('app/session', root), sent).catch(() => null);
  if (response?.ok !== true) return false;
  allowed(() => localStorage.setItem(MARK, 'ja'));
  return navigator.cookieEnabled;
}

export async function endSession(root: string): Promise<void> {
  allowed(() => localStorage.removeItem(MARK));
  await fetch(new URL('app/session', root), { method: 'DELETE' }).catch(() => null);
}

/** Calls back when another tab has ended the session. @returns ends listening */
export function onSessionEnd(ended: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    if (key === MARK && newValue === null) ended();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

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
