import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FuzzRequest } from './requests.ts';

/** Sends requests as they are: no client puts them in order first. */

/** Every question of the fuzzer is small. */
const TIMEOUT_MILLISECONDS = 15_000;

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @returns a function that sends a request to the service at this address; `close` ends its connections */
export function sender(baseUrl: string): { send(request: FuzzRequest): Promise<FuzzAnswer>; close(): void } {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
        const sent = request(
          { agent, hostname, port, method, path: target, headers: { ...headers, ...length } },
          async (response) => {
            const parts: Buffer[] = [];
            for await (const part of response) parts.push(part);
            const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]);
            resolve({
              status: response.statusCode!,
              headers: new Headers(pairs),
              text: decompressed(Buffer.concat(parts), response.headers['content-encoding']),
            });
          },
        );
        sent.setTimeout(TIMEOUT_MILLISECONDS, () => sent.destroy(new Error('no answer came')));
        // A service that refuses a body closes the connection under it; its answer counts, if it came.
        sent.on('error', reject);
        sent.end(body ?? undefined);
      }),
  };
}

function decompressed(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
