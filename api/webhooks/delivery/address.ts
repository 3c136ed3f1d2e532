import { isIP } from 'node:net';
import type { AllowedHost } from '../../../runtime/setting-schemas.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { refusalOfAddress } from './public-ranges.ts';
import { publicResolver, type Resolver, resolveLocally } from './resolvers.ts';

/**
 * Decides which URLs may be called. Integrators name them, the service calls them from inside the operator's network: without these
 * rules an endpoint could point at databases, metadata services and consoles that trust whoever is inside.
 */

/** The URL must not be called; the message says why, to the integrator. */
class AddressRefused extends Error {}

export interface AddressPolicy {
  /**
   * Says why a URL cannot be an endpoint at this moment, in a sentence for the integrator; null when it can. Resolves the
   * host for at most five seconds; hosts that the operator allows need not resolve yet.
   */
  refusalOf(url: URL): Promise<string | null>;
  /**
   * Finds the addresses that a connection may go to, all of them checked. Ask before every connection and connect to what
   * it says: a name may lead elsewhere a moment later.
   * @throws AddressRefused when the URL or one of its addresses is forbidden, or the host does not resolve
   * @throws the reason of the signal when that ends the search
   */
  resolve(url: URL, signal: AbortSignal): Promise<readonly string[]>;
}

/** The resolvers of hosts: a local one for hosts that the operator allows, a public one for all others. Tests bring their own. */
export interface Resolvers {
  readonly publicly: Resolver;
  readonly locally: Resolver;
}

/** The longest that a call which sets an endpoint waits for a name server. */
const SET_TIMEOUT_MS = 5000;

/**
 * Names that lead to no public host wherever they are asked for: of special use (RFC 6761, 6762, 7686, 8375, 9476), or
 * reserved by ICANN for networks of one's own (`internal`).
 */
const LOCAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|home\.arpa|onion|alt|test|invalid|example)$/;

/** The form of names that can be registered: at least two parts, of at most 63 characters each. */
const PUBLIC_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

export function addressPolicy(
  { WEBHOOK_ALLOWED_HOSTS: allowedHosts }: Pick<Settings, 'WEBHOOK_ALLOWED_HOSTS'>,
  resolvers: Partial<Resolvers> = {},
): AddressPolicy {
  const { publicly, locally } = { publicly: publicResolver(), locally: resolveLocally, ...resolvers };
  const isAllowed = (url: URL): boolean => allowedHosts.some((allowed) => matches(allowed, url));
  const resolve: AddressPolicy['resolve'] = async (url, signal) => {
    const fault = faultOf(url);
    if (fault !== null) throw new AddressRefused(`The address ${fault}`);
    const host = hostOf(url);
    const allowed = isAllowed(url);
    if (isIP(host) !== 0) {
      if (!allowed) mustBePublic(host, host);
      return [host];
    }
    if (allowed) return await resolved(locally, host, signal);
    mustBePublicName(host);
    const addresses = await resolved(publicly, host, signal);
    for (const address of addresses) mustBePublic(address, host);
    return addresses;
  };
  return {
    resolve,
    async refusalOf(url) {
      if (faultOf(url) === null && isAllowed(url)) return null;
      try {
        await resolve(url, AbortSignal.timeout(SET_TIMEOUT_MS));
        return null;
      } catch (error) {
        if (error instanceof AddressRefused) return error.message;
        if (error instanceof DOMException) return `${hostOf(url)} cannot be resolved: the name servers do not answer`;
        throw error;
      }
    },
  };
}

/** The host as resolvers, sockets and certificates have it: no brackets, no dot at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** Says what the form of a URL has that no endpoint may have, wherever it leads: `must …`; null = nothing. */
export function faultOf(url: URL): string | null {
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') {
    return 'must have no user name or password; deliveries are signed instead';
  }
  return url.href.includes('#') ? 'must have no #: what stands behind it is never sent' : null;
}

const portOf = (url: URL): number => Number(url.port || 443);

const matches = (allowed: AllowedHost, url: URL): boolean =>
  allowed.host === hostOf(url) && (allowed.port === null || allowed.port === portOf(url));

async function resolved(resolver: Resolver, host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const addresses = await resolver(host, signal);
    if (addresses.length > 0) return addresses;
  } catch {
    signal.throwIfAborted();
  }
  throw new AddressRefused(`${host} cannot be resolved`);
}

function mustBePublicName(host: string): void {
  const isPublic = PUBLIC_NAME.test(host) && !LOCAL_NAMES.test(host);
  if (!isPublic) throw new AddressRefused(`${host} is no name of the public internet`);
}

/** The text leaves the address of a name out: it would tell callers what the operator's name servers know. */
function mustBePublic(address: string, host: string): void {
  const refusal = refusalOfAddress(address);
  if (refusal === null) return;
  throw new AddressRefused(
    isIP(host) === 0
      ? `${host} resolves to an address that is not public (${refusal})`
      : `${host} is not a public address (${refusal})`,
  );
}
