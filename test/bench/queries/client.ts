import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Subject } from '../support/subject.ts';

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON; the pairs that are compared are what is proven about it
export type Body = any;

/** An answer of the service, and the time from the request to the last byte. */
export interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly milliseconds: number;
  json(): Body;
}

/** A status other than 200 and 304. */
export class Refused extends Error {}

/** @throws Refused when the status is neither 200 nor 304 */
export type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** One client with one connection, which it keeps. */
export interface Client {
  readonly get: Get;
  close(): void;
}

export function openClient({ url, key }: Subject): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(path, headers = {}) {
      const begun = performance.now();
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        httpGet(url + path, { agent, headers: { authorization: `Bearer ${key}`, ...headers } }, resolve).on(
          'error',
          reject,
        ),
      );
      const body = await text(response);
      const milliseconds = performance.now() - begun;
      const status = response.statusCode!;
      if (status !== 200 && status !== 304) throw new Refused(`${path.slice(0, 200)} answered ${status}: ${body}`);
      return { status, etag: response.headers.etag, milliseconds, json: () => JSON.parse(body) };
    },
    close: () => agent.destroy(),
  };
}
