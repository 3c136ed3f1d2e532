import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import { connectChdb } from './chdb.ts';

/** Serves the HTTP interface of ClickHouse for the engine in this process, and can fail as networks do. */

/** The ways in which a request can end. */
export type Outcome =
  | 'answered'
  | 'lost' //      done, but the connection breaks before the answer
  | 'refused' //   503, as from a proxy whose server is down
  | 'exception' // 200, and the exception in a header after it, as with progress in headers
  | 'broken' //    half of the answer, then the connection breaks
  | 'shortened' // half of the answer, as if it were whole
  | 'failed' //    half of the answer, then the exception
  | { readonly cutAfterBytes: number }; // the connection breaks while the request is sent

interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number;
  readonly query: string;
  readonly isInsert: boolean;
  readonly token: string | null;
  /** The text of the setting log_comment. */
  readonly comment: string | null;
}

export interface Bridge {
  readonly url: (prefix: string) => string;
  /** All requests, also those that were cut. */
  readonly requests: RecordedRequest[];
  /** Decides how each request ends; until it is set, all are answered. */
  outcomeOf: (request: RecordedRequest) => Outcome;
  /** Stops listening, ends all connections, and listens again on the same port after this time. */
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

const NO_SETTINGS = new Set(['query', 'query_id', 'database', 'session_id', 'role', 'default_format']);

export async function openBridge(): Promise<Bridge> {
  const bridge: Bridge = {
    requests: [],
    outcomeOf: () => 'answered',
    url: (prefix) => `clickhouse://loader:p%40ss@127.0.0.1:${port}/${prefix}`,
    async restart(downMs) {
      await stop();
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await listen(port);
    },
    close: async () => {
      await stop();
      for (const connection of connections.values()) await connection.close();
    },
  };
  const connections = new Map<string | null, ReturnType<typeof connectChdb>>();
  const connectionFor = (database: string | null) => {
    const connection = connections.get(database) ?? connectChdb(database);
    connections.set(database, connection);
    return connection;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const search = new URL(request.url!, 'http://localhost').searchParams;
    const inSearch = search.get('query');
    // An insert has its statement in the address and its rows in the body.
    const sent = inSearch === null ? await whole(request) : null;
    for (const [name, value] of await formIn(request, sent)) search.set(name, value);
    const query = inSearch ?? search.get('query') ?? sent!.toString('utf8');
    const recorded: RecordedRequest = {
      number: bridge.requests.length + 1,
      query,
      isInsert: /^INSERT/.test(query),
      token: search.get('insert_deduplication_token'),
      comment: search.get('log_comment'),
    };
    bridge.requests.push(recorded);
    const outcome = bridge.outcomeOf(recorded);
    if (typeof outcome === 'object') return cut(request, outcome.cutAfterBytes);
    if (outcome === 'refused') return void response.writeHead(503).end('no server is available');
    const params = [...search];
    const values = params.filter(([name]) => name.startsWith('param_'));
    const common = {
      // Values are taken as they came: the package's own binding would escape them once more.
      query: [...values.map(([name, value]) => `SET ${name} = ${literal(value)}`), query].join('; '),
      clickhouse_settings: Object.fromEntries(
        params.filter(([name]) => !NO_SETTINGS.has(name) && !name.startsWith('param_')),
      ),
    } as Parameters<ReturnType<typeof connectChdb>['exec']>[0];
    const connection = connectionFor(search.get('database'));
    try {
      if (outcome === 'exception') throw new Error('Code: 241. DB::Exception: too much memory (MEMORY_LIMIT_EXCEEDED)');
      const body = recorded.isInsert
        ? await inserted(connection, common, sent ?? (await whole(request)))
        : await buffer((await connection.exec(common)).stream as Readable);
      if (outcome === 'lost') return void request.socket.destroy();
      if (outcome === 'broken' || outcome === 'shortened' || outcome === 'failed')
        return sendHalf(response, body, outcome);
      send(search, response, body);
    } catch (error) {
      const { code = 241, type = '', message } = error as { code?: string; type?: string; message: string };
      const text = message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message} (${type})`;
      response
        .writeHead(outcome === 'exception' ? 200 : 500, { 'x-clickhouse-exception-code': String(code) })
        .end(text);
    }
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

async function whole(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

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

async function inserted(
  connection: ReturnType<typeof connectChdb>,
  common: Parameters<ReturnType<typeof connectChdb>['exec']>[0],
  rows: Buffer,
): Promise<Buffer> {
  await connection.insert({ ...common, values: Readable.from([rows], { objectMode: false }) });
  return Buffer.alloc(0);
}

function send(search: URLSearchParams, response: ServerResponse, body: Buffer): void {
  if (search.get('enable_http_compression') !== '1') return void response.writeHead(200).end(body);
  response.writeHead(200, { 'content-encoding': 'gzip' });
  const gzip = createGzip();
  gzip.pipe(response);
  gzip.end(body);
}

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
  response.end(BEHIND(tag, 'Code: 241. DB::Exception: too much memory (MEMORY_LIMIT_EXCEEDED)'));
}
