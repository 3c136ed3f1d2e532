import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';

/**
 * Sends a GET over a new connection. It does not use Node's fetch: when a server closes the connection while we are still
 * writing what it has sent, fetch ends the process (assert(!this.paused) in its parser), and downloads break like this.
 */

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The address after all redirects. */
  readonly url: string;
  readonly message: IncomingMessage;
}

const MAX_REDIRECTS = 10;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Requests an address, following redirects. A redirect without a valid target, or from https to http, is returned like
 * any other response.
 * @param signal aborts the request, also while the body arrives
 * @throws Error of the connection
 */
export async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<RawResponse> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const message = await sendGet(at, headers, signal);
    const status = message.statusCode ?? 0;
    const next =
      REDIRECTS.has(status) && redirects < MAX_REDIRECTS ? redirectTarget(at, message.headers.location) : null;
    if (next === null) return { status, headers: headersOf(message), url: at, message };
    message.destroy();
    at = next;
  }
}

function sendGet(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsGet : httpGet;
    const request = send(url, { headers, signal, agent: false }, (message) => {
      // A reader of the body receives the error anyway; without a reader it must not end the process.
      message.on('error', () => {});
      resolve(message);
    });
    request.on('error', reject);
  });
}

/**
 * The target of a link or a redirect; null when it must not be requested. A request over https never continues over http,
 * where an attacker could replace the register by another.
 */
export function redirectTarget(url: string, location: string | undefined): string | null {
  if (location === undefined || !URL.canParse(location, url)) return null;
  const { href, protocol } = new URL(location, url);
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? href : null;
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
