import type { Settings } from '../runtime/settings.ts';

/** BASE_URL leads nowhere. */
export class PublicAddressRefused extends Error {}

/** The addresses that stand for all of a machine, as URLs have them. */
const EVERY_ADDRESS = ['0.0.0.0', '[::]'];

/**
 * Refuses a service that listens on all addresses and does not know its own: every link, cursor page and problem type of its
 * answers would begin with http://0.0.0.0, which no caller reaches.
 * @throws PublicAddressRefused
 */
export function mustHavePublicAddress({ HOST, PORT, BASE_URL }: Pick<Settings, 'HOST' | 'PORT' | 'BASE_URL'>): void {
  if (!EVERY_ADDRESS.includes(new URL(BASE_URL).hostname)) return;
  throw new PublicAddressRefused(
    `HOST=${HOST} listens on every address of this machine, so the links of the answers need the one that callers use: set ` +
      `BASE_URL, for example BASE_URL=https://energy.example.org, or BASE_URL=http://127.0.0.1:${PORT} where only this ` +
      'machine calls. Or leave HOST out, and the service listens on 127.0.0.1',
  );
}
