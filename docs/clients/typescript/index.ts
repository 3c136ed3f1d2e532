import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths, webhooks } from './schema.js';

/** A client of the energy asset data service. `npm run client` packs it with the types of the interface. */

export type { paths, webhooks };

/** The media types of answers: without them, answers would be typed as any of their media types, CSV among them. */
type Json = 'application/json' | 'application/problem+json';

export type EnergyAssets = Client<paths, Json>;

export interface Options {
  readonly baseUrl: string;
  readonly key: string;
  /** Seconds that a call may wait for a limit, or for a service that is busy; default 120. */
  readonly patience?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Makes a client whose calls wait where the service asks them to (429, 503). */
export function createClient({ baseUrl, key, patience = 120, fetch = globalThis.fetch }: Options): EnergyAssets {
  const patient = async (request: Request): Promise<Response> => {
    const until = Date.now() + patience * 1000;
    for (;;) {
      const response = await fetch(request.clone());
      const wait = Number(response.headers.get('Retry-After') ?? Number.NaN) * 1000;
      if (![429, 503].includes(response.status) || !(Date.now() + wait <= until)) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  const headers = { Authorization: `Bearer ${key}` };
  return createFetchClient<paths, Json>({ baseUrl, headers, fetch: patient, querySerializer: queryText });
}

/** Writes a query. An item of a list is one value, whatever commas it has; of `region` values stand as they are. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      const text = String(one);
      const isQuoted = Array.isArray(value) && name !== 'region' && /[",]/.test(text);
      pairs.append(name, isQuoted ? `"${text.replaceAll('"', '""')}"` : text);
    }
  }
  return pairs.toString();
}

type ProblemDocument = { readonly code: string; readonly detail: string; readonly status: number };

/** What the service refused. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;

  constructor({ code, detail, status }: ProblemDocument) {
    super(`${status} ${code}: ${detail}`);
    this.code = code;
    this.status = status;
  }
}

/** A list ended at the ceiling of the interface: narrow it down, or take the dump. */
export class Incomplete extends Error {}

export type UnitsQuery = NonNullable<paths['/v1/units']['get']['parameters']['query']>;

type UnitsPage = paths['/v1/units']['get']['responses'][200]['content']['application/json'];

export type Unit = UnitsPage['data'][number];

/**
 * The pages of a list of units.
 * @throws Problem; Incomplete after the last page of a list that was cut
 */
export async function* unitPages(client: EnergyAssets, query: UnitsQuery): AsyncGenerator<UnitsPage> {
  let cursor: string | null = null;
  do {
    const asked: UnitsQuery = cursor === null ? query : { ...query, cursor };
    const { data, error } = await client.GET('/v1/units', { params: { query: asked } });
    if (data === undefined) throw new Problem(error as ProblemDocument);
    yield data;
    if (data.meta.page.truncated)
      throw new Incomplete('More units than one list may have: narrow it down, or take the dump');
    cursor = data.meta.page.cursor;
  } while (cursor !== null);
}

/** The units of a list, one by one. @throws Problem, Incomplete */
export async function* units(client: EnergyAssets, query: UnitsQuery = {}): AsyncGenerator<Unit> {
  for await (const { data } of unitPages(client, query)) yield* data;
}

/** One page of what has changed. */
export interface Changes {
  /** Replace these. */
  readonly changed: readonly Unit[];
  /** Delete the units with these numbers. */
  readonly gone: readonly string[];
  /** From which the next delta begins; null before the last page. Keep it once its changes are stored. */
  readonly token: string | null;
}

/**
 * What has changed since a token. Without one it is everything, which is how a copy begins.
 * @throws Problem with status 410 where the token holds no more: begin again without one
 */
export async function* changes(
  client: EnergyAssets,
  token: string | null,
  query: UnitsQuery = {},
): AsyncGenerator<Changes> {
  const asked: UnitsQuery = token === null ? query : { ...query, syncToken: token };
  for await (const { data, meta } of unitPages(client, asked)) {
    const isGone = (unit: Unit): boolean => 'geloescht' in unit && unit.geloescht === true;
    yield {
      changed: data.filter((unit) => !isGone(unit)),
      gone: data.filter(isGone).map(({ mastrNummer }) => mastrNummer),
      token: meta.sync?.token ?? null,
    };
  }
}

export type Event = webhooks['alert.triggered']['post']['requestBody']['content']['application/json'];

/** Deliveries are signed anew for each attempt; older ones may have been recorded. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a delivery by the bytes of its body as they came.
 * @param secret of the endpoint, `whsec_…`
 * @returns the event; null for a delivery that is not genuine, which is answered with 401
 */
export async function verifyWebhook(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
  now: Date = new Date(),
): Promise<Event | null> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  );
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return null;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), algorithm, false, [
    'verify',
  ]);
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array([...start, ...body]);
  // While a secret is being rotated there are two signatures; one that fits is enough.
  for (const signature of (signatures ?? '').split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify(algorithm, key, bytesOf(text), signed))) {
      return JSON.parse(new TextDecoder().decode(body)) as Event;
    }
  }
  return null;
}

/** Decodes base64; what is none has no bytes. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
