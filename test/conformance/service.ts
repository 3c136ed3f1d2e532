import { pino } from 'pino';
import { startService } from '../../api/server.ts';
import { readSettings } from '../../sql/settings.ts';
import { publishFixture, TODAY, temporaryFolder } from './fixture.ts';

/** The service under test, seen through HTTP alone. */
export interface Subject {
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  send(method: string, path: string, init?: RequestInit): Promise<Seen>;
  stop(): Promise<void>;
}

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  readonly json: any;
}

/** A service over a warehouse folder, in this process, on a free port. */
export async function serve(warehouse: string, environment: Record<string, string> = {}): Promise<Subject> {
  const state = temporaryFolder();
  const settings = readSettings({
    PORT: '0',
    TODAY,
    STATE_DIR: state.path,
    WAREHOUSE_URL: `duckdb:${warehouse}`,
    QUERY_THREADS: '2',
    QUERY_MEMORY_MB: '256',
    SHUTDOWN_SECONDS: '2',
    ...environment,
  });
  const service = await startService(settings, pino({ level: process.env.TEST_LOG ?? 'silent' }));
  return {
    ...subject(service.url),
    async stop() {
      await service.close();
      state.remove();
    },
  };
}

/** The small register behind a service; or the service that CONFORMANCE_URL names, if it serves that register too. */
export async function serveFixture(): Promise<Subject> {
  const elsewhere = process.env.CONFORMANCE_URL;
  if (elsewhere !== undefined) return subject(elsewhere);
  const warehouse = temporaryFolder();
  await publishFixture(warehouse.path);
  const service = await serve(warehouse.path);
  return {
    ...service,
    async stop() {
      await service.stop();
      warehouse.remove();
    },
  };
}

function subject(url: string): Subject {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Seen> => {
    const response = await fetch(url + path, { method, ...init });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  return {
    url,
    send,
    get: (path, headers) => send('GET', path, headers === undefined ? {} : { headers }),
    stop: async () => {},
  };
}

/** Numbers of the fixture's units as their last two digits, for lists that can be read. */
export const shortNumbers = (seen: Seen): string[] =>
  seen.json.data.map((unit: { mastrNummer: string }) => unit.mastrNummer.slice(-2));
