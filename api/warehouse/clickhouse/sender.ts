import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { type ClickHouseSettings, parseError } from '@clickhouse/client';
import type { ClickHouseAddress } from '../../../runtime/clickhouse-address.ts';
import type { ClickHouseQuery } from '../../../sql/query/statement.ts';

/**
 * Sends the statements of requests. Their answers are small and needed as a whole, so one is asked for without compression, as one
 * document. The client of the package, made for streams, takes 1.7 ms longer for each, of which it sleeps one
 * (decisions/0013); loading and the pointer use it.
 */
export interface StatementSender {
  /**
   * @returns the rows as objects named after the columns
   * @throws ClickHouseError for what the server says, and any other error for what the connection does
   */
  query(query: ClickHouseQuery, settings: ClickHouseSettings, signal: AbortSignal): Promise<Record<string, unknown>[]>;
  close(): void;
}

/** The server keeps the columns in the order of the statement. */
const FORMAT = 'FORMAT JSONColumns';

/** An address may have 8 KiB on its way through proxies; longer parameters go into the body. */
const LONGEST_IN_ADDRESS = 4096;

/** @param connections that are open at a time, at most */
export function openSender(
  { url, username, password }: ClickHouseAddress,
  database: string,
  connections: number,
): StatementSender {
  const isSecure = url.startsWith('https:');
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connections });
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'user-agent': 'energy-asset-data-service',
  };
  const open = (path: string, body: Body, signal: AbortSignal): ClientRequest =>
    (isSecure ? requestByHttps : requestByHttp)(new URL(path, url), {
      ...{ method: 'POST', agent, signal },
      headers: { ...headers, ...body.headers, 'content-length': body.bytes.length },
    });
  return {
    async query({ query, query_params: params }, settings, signal) {
      const { inAddress, body } = await placed(`${query}\n${FORMAT}`, params);
      const search = new URLSearchParams({ database, ...textsOf(settings), ...inAddress });
      const answer = await answered(() => open(`/?${search}`, body, signal), body.bytes);
      return rowsOf(await wholeText(answer));
    },
    close: () => agent.destroy(),
  };
}

interface Body {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides where the parameters go, which are too long for an address where they are lists of numbers. */
async function placed(
  statement: string,
  params: ClickHouseQuery['query_params'],
): Promise<{ inAddress: Record<string, string>; body: Body }> {
  const texts = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [`param_${name}`, parameterText(value)]),
  );
  const length = Object.values(texts).reduce((sum, value) => sum + value.length, 0);
  if (length <= LONGEST_IN_ADDRESS) return { inAddress: texts, body: { bytes: Buffer.from(statement), headers: {} } };
  const form = new FormData();
  for (const [name, value] of Object.entries({ query: statement, ...texts })) form.set(name, value);
  const encoded = new Response(form);
  return {
    inAddress: {},
    body: {
      bytes: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    },
  };
}

const textsOf = (settings: ClickHouseSettings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' };

const escaped = (value: string): string => value.replace(/[\t\n\r'\\]/g, (character) => ESCAPES[character] ?? '');

/** Writes a value as the server reads a parameter of its type: that of `withQueryParams`. */
function parameterText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => `'${escaped(String(item))}'`).join(',')}]`;
  return typeof value === 'boolean' ? String(Number(value)) : escaped(String(value));
}

/**
 * Sends a request, again where the server had closed the connection while it was idle: then nothing has answered yet, and a
 * statement that reads may be repeated.
 */
async function answered(open: () => ClientRequest, bytes: Buffer): Promise<IncomingMessage> {
  const request = open();
  try {
    return await responseTo(request, bytes);
  } catch (error) {
    if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return answered(open, bytes);
  }
}

const responseTo = (request: ClientRequest, bytes: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    // An error that follows the response is one of its stream, too, which says so.
    request.on('error', reject);
    request.end(bytes);
  });

/** @throws ClickHouseError for an exception, which a header may announce behind a status of 200 */
async function wholeText(answer: IncomingMessage): Promise<string> {
  const body = await text(answer);
  if (answer.statusCode === 200 && answer.headers['x-clickhouse-exception-code'] === undefined) return body;
  throw parseError(body);
}

/** Reads columns with their values; an answer that broke off, or ends with an exception, is no document. */
function rowsOf(body: string): Record<string, unknown>[] {
  const columns = Object.entries(documentOf(body));
  const rows: Record<string, unknown>[] = (columns[0]?.[1] ?? []).map(() => ({}));
  for (const [name, values] of columns) {
    for (const [index, row] of rows.entries()) row[name] = withoutEmptyList(values[index]);
  }
  return rows;
}

function documentOf(body: string): Record<string, unknown[]> {
  try {
    return JSON.parse(body) as Record<string, unknown[]>;
  } catch {
    throw parseError(body);
  }
}

/** A list cannot be NULL in ClickHouse: the empty one stands for none (sql/warehouse/clickhouse/columns.ts). */
const withoutEmptyList = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? null : value);
