import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A front stands before servers that are no cluster with Keeper, and carries statements ON CLUSTER out on each of them. */

/** A request to the HTTP interface. */
export interface ServerRequest {
  readonly method: string;
  /** Path and parameters. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** The statement, which stands in the address where the body has rows. */
  readonly statement: string;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: Buffer;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port. Where `answer` fails, the connection breaks. */
export async function listen(answer: (request: ServerRequest) => Promise<ServerAnswer>): Promise<Listener> {
  const server = createServer((incoming, response) => {
    requestOf(incoming)
      .then(answer)
      .then(({ status, headers, text }) => response.writeHead(status, headers).end(text))
      .catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestOf(incoming: IncomingMessage): Promise<ServerRequest> {
  const { pathname, search, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
  const body = await buffer(incoming);
  return {
    method: incoming.method ?? 'POST',
    path: `${pathname}${search}`,
    parameters: searchParams,
    headers: passed(incoming.headers),
    body,
    statement: searchParams.get('query') ?? body.toString('utf8'),
  };
}

/** The request with a statement for a cluster as one of its servers carries it out without Keeper. */
export function ofOneServer(request: ServerRequest): ServerRequest {
  if (request.parameters.has('query')) return request;
  const statement = request.statement
    .replace(/ ON CLUSTER '?\w+'?/, '')
    .replace(/ENGINE = Replicated(\w*MergeTree)\([^)]*\)/, 'ENGINE = $1');
  return { ...request, statement, body: Buffer.from(statement) };
}

/** The table that an insert names, without its database; null for other statements. */
export const insertedInto = ({ statement }: ServerRequest): string | null =>
  /^INSERT INTO (?:\w+\.)?(\w+)/.exec(statement)?.[1] ?? null;

export const isOnCluster = ({ statement }: ServerRequest): boolean => / ON CLUSTER '/.test(statement);

/** Of these the connection to the server decides. */
const OF_THE_CONNECTION = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

/** Sends a request to a server of this machine. */
export async function forward(port: number, { method, path, headers, body }: ServerRequest): Promise<ServerAnswer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    // An answer that is compressed would be unpacked on the way.
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  });
  const answered = passed(Object.fromEntries(answer.headers));
  return { status: answer.status, headers: answered, text: Buffer.from(await answer.arrayBuffer()) };
}

const passed = (headers: IncomingHttpHeaders | Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, String(value)]],
    ),
  );
