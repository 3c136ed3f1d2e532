import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The register's download server for tests: a page of links, files, and everything that can go wrong. */

interface RecordedRequest {
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly userAgent: string | undefined;
}

/** Answers one request instead of the server. */
export type ResponseOverride = (response: ServerResponse, content: Buffer, request: IncomingMessage) => void;

export interface ExportServer {
  readonly url: string;
  /** Address of the download page. */
  readonly page: string;
  readonly requests: RecordedRequest[];
  /** Returns the largest number of requests that were open at the same time. */
  readonly mostAtOnce: () => number;
  /** Serves these bytes under a path, with an entity tag of their own. */
  put(path: string, content: Buffer | string): void;
  /** Puts links to these paths on the page. */
  link(...paths: readonly string[]): void;
  /** Replaces the answers to the next requests for a path, in this order. */
  override(path: string, ...overrides: readonly ResponseOverride[]): void;
  /** Returns the number of requests for a path. */
  count(path: string): number;
  stop(): Promise<void>;
}

export const PAGE = '/MaStR/Datendownload';

export async function serveExports(): Promise<ExportServer> {
  const files = new Map<string, Buffer>();
  const overrides = new Map<string, ResponseOverride[]>();
  const requested: RecordedRequest[] = [];
  const atOnce = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    const path = request.url!;
    const { range, 'if-range': ifRange, 'user-agent': userAgent } = request.headers;
    requested.push({ path, range, ifRange: ifRange as string | undefined, userAgent });
    atOnce.most = Math.max(atOnce.most, ++atOnce.now);
    response.on('close', () => atOnce.now--);
    const content = files.get(path) ?? Buffer.alloc(0);
    const override = overrides.get(path)?.shift();
    if (override !== undefined) override(response, content, request);
    else if (!files.has(path)) response.writeHead(404).end();
    else send(response, content, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put: ExportServer['put'] = (path, content) => files.set(path, Buffer.from(content));
  return {
    url,
    page: `${url}${PAGE}`,
    requests: requested,
    mostAtOnce: () => atOnce.most,
    put,
    link: (...paths) => put(PAGE, pageOf(paths)),
    override: (path, ...more) => overrides.set(path, [...(overrides.get(path) ?? []), ...more]),
    count: (path) => requested.filter((one) => one.path === path).length,
    stop: () => stopped(server),
  };
}

async function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** Returns a page with other links around those to exports, as the register has it. */
export const pageOf = (paths: readonly string[]): string =>
  `<!DOCTYPE html><html><body><a href="/MaStR/Hilfe">Hilfe</a><a href="Dokumentation%20MaStR.zip">Dokumentation</a>${paths
    .map((path) => `<tr><td><a class="btn" href="${path}">Download</a></td></tr>`)
    .join('')}</body></html>`;

export const tagOf = (content: Buffer): string =>
  `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;

/** Answers as a correct server does, with ranges and entity tags. */
function send(response: ServerResponse, content: Buffer, request: IncomingMessage): void {
  const tag = tagOf(content);
  const { range, 'if-range': ifRange } = request.headers;
  const from = /^bytes=(\d+)-$/.exec(range ?? '')?.[1];
  if (from === undefined || (ifRange !== undefined && ifRange !== tag)) {
    response.writeHead(200, { ETag: tag, 'Content-Length': content.length }).end(content);
  } else if (Number(from) >= content.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${content.length}` }).end();
  } else {
    const part = content.subarray(Number(from));
    const place = `bytes ${from}-${content.length - 1}/${content.length}`;
    response.writeHead(206, { ETag: tag, 'Content-Range': place, 'Content-Length': part.length }).end(part);
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): ResponseOverride =>
  (response) =>
    response.writeHead(code, headers).end('sorry');

/** Breaks the connection after so many bytes of an otherwise correct answer. */
export const dropAfter =
  (bytes: number): ResponseOverride =>
  (response, content, request) => {
    const from = Number(/\d+/.exec(request.headers.range ?? '0')![0]);
    const head = { ETag: tagOf(content), 'Content-Length': content.length - from };
    const place = { 'Content-Range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...head, ...place } : head);
    response.write(content.subarray(from, from + bytes), () => setTimeout(() => response.destroy(), 50));
  };

/** Never answers. */
export const silence: ResponseOverride = () => {};

/** Sends the requested part even when the file has changed. */
export const ignoringIfRange: ResponseOverride = (response, content, request) => {
  const from = Number(/\d+/.exec(request.headers.range!)![0]);
  const place = `bytes ${from}-${content.length - 1}/${content.length}`;
  response.writeHead(206, { ETag: tagOf(content), 'Content-Range': place }).end(content.subarray(from));
};

/** Sends the whole file, whatever range was requested. */
export const ignoringRanges: ResponseOverride = (response, content) =>
  response.writeHead(200, { ETag: tagOf(content), 'Content-Length': content.length }).end(content);

/** Sends the whole file without its length, its first bytes one by one. */
export const slowly: ResponseOverride = async (response, content) => {
  response.writeHead(200, { ETag: tagOf(content) });
  for (let at = 0; at < 20; at++) {
    response.write(content.subarray(at, at + 1));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  response.end(content.subarray(20));
};

/** Announces a wrong length, larger or smaller by so many bytes. */
export const lyingBy =
  (bytes: number): ResponseOverride =>
  (response, content) => {
    const length = content.length + bytes;
    response.writeHead(200, { ETag: tagOf(content), 'Content-Length': length, Connection: 'close' });
    response.write(content.subarray(0, Math.min(length, content.length)), () =>
      setTimeout(() => response.destroy(), 50),
    );
  };

export const htmlPage: ResponseOverride = (response) =>
  response.writeHead(200, { 'Content-Type': 'application/zip' }).end('<!DOCTYPE html><html>Bitte warten</html>');
