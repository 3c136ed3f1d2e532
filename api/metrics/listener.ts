import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';

export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers GET /metrics, and nothing else, on a port of its own: callers of the service need not see its metrics.
 * @throws the listen error, e.g. EADDRINUSE
 */
export async function listenForMetrics(
  registry: Pick<Registry, 'contentType' | 'metrics'>,
  { HOST }: Pick<Settings, 'HOST'>,
  port: number,
  log: Logger,
): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('There is only GET /metrics\n');
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      log.error({ err: error }, 'the metrics cannot be read');
      response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The metrics cannot be read\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address() as AddressInfo;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${host}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
