import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ClickHouseServer } from './clickhouse-server.ts';

/**
 * A front for shards that are no cluster with Keeper: statements ON CLUSTER run on each of them, replicated tables become plain
 * ones, and rows for a table that every server holds whole go to each. Everything else goes to the first shard as it is.
 */

export interface Front {
  readonly port: number;
  /** Called with each statement before it is carried out; a test does there what happens meanwhile. */
  before: (statement: string) => Promise<void>;
  close(): Promise<void>;
}

/** @param spread the tables whose rows a Distributed table spreads over the shards */
export async function openFront(shards: readonly ClickHouseServer[], spread: ReadonlySet<string>): Promise<Front> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await buffer(request);
    const inAddress = url.searchParams.get('query');
    const statement = inAddress ?? body.toString('utf8');
    await front.before(statement);
    const table = /^INSERT INTO (?:\w+\.)?(\w+)/.exec(statement)?.[1];
    const isForAll = / ON CLUSTER '/.test(statement) || (table !== undefined && !spread.has(table));
    const sent = isForAll && inAddress === null ? Buffer.from(ofOneServer(statement)) : body;
    const answers: Answer[] = [];
    for (const { port } of isForAll ? shards : shards.slice(0, 1)) {
      answers.push(await forward(port, `${url.pathname}${url.search}`, request, sent));
    }
    const { status, headers, text } = answers.find((answer) => answer.status !== 200) ?? answers[0]!;
    response.writeHead(status, headers).end(text);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    port: (server.address() as AddressInfo).port,
    before: async () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return front;
}

/** A statement for a cluster as one of its servers carries it out without Keeper. */
const ofOneServer = (statement: string): string =>
  statement.replace(/ ON CLUSTER '\w+'/, '').replace(/ENGINE = Replicated(\w*MergeTree)\([^)]*\)/, 'ENGINE = $1');

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: Buffer;
}

/** Of these the connection to the server decides. */
const OF_THE_CONNECTION = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

async function forward(port: number, path: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: request.method ?? 'POST',
    // An answer that is compressed would be unpacked on the way.
    headers: { ...passed(request.headers), 'accept-encoding': 'identity' },
    ...(request.method === 'GET' ? {} : { body: new Uint8Array(body) }),
  });
  const headers = passed(Object.fromEntries(answer.headers));
  return { status: answer.status, headers, text: Buffer.from(await answer.arrayBuffer()) };
}

const passed = (headers: IncomingHttpHeaders | Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.has(name) ? [] : [[name, String(value)]],
    ),
  );
