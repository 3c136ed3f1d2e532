import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { clickhouseOfRun } from './clickhouse-of-run.ts';
import { clickhouseAt } from './clickhouse-server.ts';

/** Stands between a client and the ClickHouse server of the run, and can fail as networks do. */

/** The ways in which a request can end. */
export type Outcome =
  | 'answered'
  | 'lost' //      done, but the connection breaks before the answer
  | 'refused' //   503, as from a proxy whose server is down
  | 'exception' // 200, and the exception in a header after it, as with progress in headers
  | 'broken' //    half of the answer, then the connection breaks
  | 'shortened' // half of the answer, as if it were whole
  | 'failed' //    half of the answer, then the exception
  | { readonly cutAfterBytes: number } // the connection breaks while the request is sent
  | { readonly under: Readonly<Record<string, string>> }; // answered by the server under these settings

interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number;
  readonly query: string;
  readonly isInsert: boolean;
  readonly token: string | null;
  /** The text of the setting log_comment. */
  readonly comment: string | null;
}

type User = 'energy_loader' | 'energy_reader';

export interface Bridge {
  /** Returns the WAREHOUSE_URL of a warehouse with the prefix, which begins with `energy`. */
  url(prefix: string, user?: User): string;
  /** All requests, also those that were cut. */
  readonly requests: RecordedRequest[];
  /** Decides how each request ends; until it is set, all are answered. */
  outcomeOf: (request: RecordedRequest) => Outcome | Promise<Outcome>;
  /** Stops listening, ends all connections, and listens again on the same port after this time. */
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Outcomes that need the answer as it is, not compressed. */
const HALVES: ReadonlySet<unknown> = new Set(['broken', 'shortened', 'failed']);

export async function openBridge(): Promise<Bridge> {
  const behind = await clickhouseOfRun();
  const bridge: Bridge = {
    requests: [],
    outcomeOf: () => 'answered',
    url: (prefix, user = 'energy_loader') => clickhouseAt(port).warehouse(user, prefix),
    async restart(downMs) {
      await stop();
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await listen(port);
    },
    close: () => stop(),
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', `http://127.0.0.1:${behind.port}`);
    const inAddress = url.searchParams.get('query');
    // An insert has its statement in the address and its rows in the body, which may be cut.
    const statement = inAddress === null ? await buffer(incoming) : null;
    const recorded = {
      ...(await recordedRequest(incoming, url.searchParams, statement)),
      number: bridge.requests.length + 1,
    };
    bridge.requests.push(recorded);
    const outcome = await bridge.outcomeOf(recorded);
    if (typeof outcome === 'object' && 'cutAfterBytes' in outcome) return cut(incoming, outcome.cutAfterBytes);
    if (outcome === 'refused') return void response.writeHead(503).end('no server is available');
    const body = statement ?? (await buffer(incoming));
    if (outcome === 'exception')
      return void response.writeHead(200, { 'x-clickhouse-exception-code': '241' }).end(NO_MEMORY);
    if (HALVES.has(outcome)) {
      url.searchParams.set('enable_http_compression', '0');
      delete incoming.headers['accept-encoding'];
    }
    const settings = typeof outcome === 'object' ? outcome.under : {};
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
    const answer = await forwarded(url, incoming, body);
    if (outcome === 'lost') return void incoming.socket.destroy();
    if (outcome === 'answered' || typeof outcome === 'object')
      return void response.writeHead(answer.status, answer.headers).end(answer.body);
    sendHalf(response, answer.body, outcome);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return bridge;
}

/** @param statement the body of a request whose address has no statement */
async function recordedRequest(
  incoming: IncomingMessage,
  inAddress: URLSearchParams,
  statement: Buffer | null,
): Promise<Omit<RecordedRequest, 'number'>> {
  const plain =
    incoming.headers['content-encoding'] === 'gzip' && statement !== null ? gunzipSync(statement) : statement;
  const search = new URLSearchParams([...inAddress, ...(await formIn(incoming, plain))]);
  const query = search.get('query') ?? plain?.toString('utf8') ?? '';
  return {
    query,
    isInsert: /^INSERT/.test(query),
    token: search.get('insert_deduplication_token'),
    comment: search.get('log_comment'),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request to the server, and takes its whole answer as it comes, compressed or not. */
function forwarded(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...rest, 'content-length': body.length } }, (answer) => {
      const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...kept } = answer.headers;
      buffer(answer).then((whole) => resolve({ status: answer.statusCode ?? 500, headers: kept, body: whole }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Statement and parameters, where these are too long for an address. */
async function formIn(request: IncomingMessage, body: Buffer | null): Promise<[string, string][]> {
  const type = request.headers['content-type'] ?? '';
  if (body === null || !type.startsWith('multipart/form-data')) return [];
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  return [...form].map(([name, value]) => [name, String(value)]);
}

function cut(request: IncomingMessage, afterBytes: number): void {
  let received = 0;
  const onPiece = (piece: Buffer) => {
    received += piece.length;
    if (received >= afterBytes) request.socket.destroy();
  };
  if (afterBytes === 0) request.socket.destroy();
  request.on('data', onPiece).on('end', () => request.socket.destroy());
}

const NO_MEMORY = 'Code: 241. DB::Exception: too much memory (MEMORY_LIMIT_EXCEEDED)';

/** The end of an answer that failed, since 25.11, with the tag that a header has announced. */
const BEHIND = (tag: string, text: string) =>
  `\r\n__exception__\r\n${tag}\r\n${text}\n${text.length + 1} ${tag}\r\n__exception__\r\n`;

function sendHalf(response: ServerResponse, body: Buffer, outcome: 'broken' | 'shortened' | 'failed'): void {
  const tag = 'PU1FNUFH98';
  const half = body.subarray(0, body.length / 2);
  response.writeHead(200, { 'x-clickhouse-exception-tag': tag });
  if (outcome === 'shortened') return void response.end(half);
  if (outcome === 'broken') return void response.write(half, () => response.destroy());
  response.write(half);
  response.end(BEHIND(tag, NO_MEMORY));
}
