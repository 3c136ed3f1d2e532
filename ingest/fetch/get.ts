import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';

/**
 * One GET over a connection of its own. Not by Node's own fetch: when a server ends the connection while we still write
 * what it has sent, that ends the process (assert(!this.paused) in its parser), and this is how downloads break.
 */

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  /** The address after all redirects. */
  readonly url: string;
  readonly message: IncomingMessage;
}

const MAX_REDIRECTS = 10;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for an address, following redirects; a redirect that leads nowhere, or from https to http, is an answer like any
 * other.
 * @param signal ends it, also while the body comes
 * @throws Error of the connection
 */
export async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const message = await answered(at, headers, signal);
    const status = message.statusCode ?? 0;
    const next =
      REDIRECTS.has(status) && redirects < MAX_REDIRECTS ? redirectTarget(at, message.headers.location) : null;
    if (next === null) return { status, headers: headersOf(message), url: at, message };
    message.destroy();
    at = next;
  }
}

function answered(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? httpsGet : httpGet;
    const request = ask(url, { headers, signal, agent: false }, (message) => {
      // Whoever reads hears of it; when nobody does, it is no news.
      message.on('error', () => {});
      resolve(message);
    });
    request.on('error', reject);
  });
}

/**
 * The address that a link or a redirect leads to; null where it is none that we ask. What is asked for over https is
 * never taken over http: anybody on the way could put another register in its place.
 */
export function redirectTarget(url: string, location: string | undefined): string | null {
  if (location === undefined || !URL.canParse(location, url)) return null;
  const { href, protocol } = new URL(location, url);
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? href : null;
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
