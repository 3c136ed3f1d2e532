import { pino } from 'pino';
import { APP_OPERATIONS } from '../../api/app/operations.ts';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import { DUMP_OPERATIONS } from '../../api/dumps/operations.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { type ServiceChoices, startService } from '../../api/server.ts';
import type { Pace } from '../../api/webhooks/delivery/dispatcher.ts';
import type { Logger } from '../../runtime/log.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { type OrgStore, openOrgStore } from '../../sql/org/store.ts';
import { answerValidator } from './answer-validator.ts';
import { ENCRYPTION_KEY } from './contacts.ts';
import { GIVEN_ANEW, giveExampleRecords } from './example-records.ts';
import { publishFixture, TODAY, temporaryFolder } from './fixture.ts';
import { makeKey, makeOrganisation } from './organisation.ts';
import { storeAnywhere } from './prepared-store.ts';
import { ALLOWED_HOST } from './webhooks.ts';

/** The service under test, seen through HTTP alone. */
export interface Subject {
  readonly url: string;
  /** A key with every right, sent unless a request brings headers about keys of its own. */
  readonly key: string;
  get(path: string, headers?: Record<string, string>): Promise<ServiceResponse>;
  /** @throws Error for an answer that the OpenAPI document does not describe */
  send(method: string, path: string, init?: RequestInit): Promise<ServiceResponse>;
  stop(): Promise<void>;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as it came, of `Subject` alone. */
  readonly bytes?: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  readonly json: any;
  /** Unix milliseconds: before the request, and after the answer. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A service in this process, whose organisations a test can make and change. */
export interface OwnSubject extends Subject {
  readonly store: OrgStore;
  /** The organisation of its key. */
  readonly organisation: OrganisationRow;
  /** The address of the metrics; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
}

/**
 * A service over a warehouse folder, in this process, on a free port.
 * @param store default: one of its own
 * @param log default: silence, or what TEST_LOG asks for
 * @param pace of deliveries; default: none are sent
 * @param open opens the warehouse
 */
export async function serve(
  warehouse: string,
  environment: Record<string, string> = {},
  store?: OrgStore,
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  pace: Partial<Pace> | 'off' = 'off',
  open?: ServiceChoices['open'],
): Promise<OwnSubject> {
  const state = temporaryFolder();
  const settings = readSettings({
    ...(store === undefined && { ORG_STORE_URL: await storeAnywhere() }),
    PORT: '0',
    TODAY,
    STATE_DIR: state.path,
    WAREHOUSE_URL: `duckdb:${warehouse}`,
    QUERY_THREADS: '2',
    QUERY_MEMORY_MB: '256',
    SHUTDOWN_SECONDS: '2',
    // Suites ask without a key by the hundred, all from one address.
    REFUSED_CALLS_PER_MINUTE: '1000000',
    SHARED_CALLS_PER_MINUTE: '100000',
    WEBHOOK_ALLOWED_HOSTS: ALLOWED_HOST,
    ...environment,
  });
  const records = store ?? (await openOrgStore(settings, log));
  await records.migrate('apply');
  const service = await startService(settings, log, records, { pace, open });
  // Under a port that was asked for it may have another name, its BASE_URL.
  const url = settings.PORT === 0 ? service.url : `http://${settings.HOST}:${settings.PORT}`;
  const organisation = await makeOrganisation(records);
  return {
    ...subject(url, (await makeKey(records, organisation)).text),
    store: records,
    organisation,
    metricsUrl: service.metricsUrl,
    async stop() {
      await service.close();
      if (store === undefined) await records.close();
      state.remove();
    },
  };
}

/** Starts a service of this process over the small register. */
export async function serveOwnFixture(
  environment: Record<string, string> = {},
  store?: OrgStore,
  log?: Logger,
  pace?: Partial<Pace>,
): Promise<OwnSubject> {
  const warehouse = temporaryFolder();
  await publishFixture(warehouse.path);
  const service = await serve(warehouse.path, environment, store, log, pace);
  return {
    ...service,
    async stop() {
      await service.stop();
      warehouse.remove();
    },
  };
}

/** A service with the records that examples of operations name. */
interface Exemplary extends Subject {
  /** Brings back what examples create and delete; nothing where the service is elsewhere. */
  restoreExample(operationId: string): Promise<void>;
}

let shared: Promise<OwnSubject> | undefined;

/**
 * Takes the service over the small register that all files of a worker share, with an organisation of their own each:
 * for files that change nothing but organisations. It goes with the worker.
 */
export async function serveSharedFixture(): Promise<OwnSubject> {
  shared ??= serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY });
  const service = await shared;
  const organisation = await makeOrganisation(service.store);
  const { text } = await makeKey(service.store, organisation);
  return { ...service, ...subject(service.url, text), organisation };
}

/**
 * Takes the shared service over the small register, with the records that examples of operations name; or the service
 * that CONFORMANCE_URL names, if it serves that register too, with the key CONFORMANCE_KEY, which needs every right and
 * high limits.
 */
export async function serveFixture(): Promise<Exemplary> {
  const { CONFORMANCE_URL: elsewhere, CONFORMANCE_KEY: key } = process.env;
  if (elsewhere !== undefined) return { ...subject(elsewhere, key ?? ''), restoreExample: async () => {} };
  const service = await serveSharedFixture();
  const { store, organisation } = service;
  await giveExampleRecords(store, organisation);
  return { ...service, restoreExample: async (id) => GIVEN_ANEW[id.replace(/\..*$/, '')]?.(store, organisation) };
}

/** Headers that say something about a key, also when they say nothing. */
const ABOUT_KEYS = ['authorization', 'x-api-key'];

/** Holds for services at any address: the document names it, but what answers look like does not depend on it. */
let described: ReturnType<typeof answerValidator> | undefined;

/** Returns the check of answers that all files of a worker share: to compile its schemas takes a second. */
export function describedAnswers(): ReturnType<typeof answerValidator> {
  described ??= answerValidator(
    openApiDocument([...OPERATIONS, ...DUMP_OPERATIONS, ...APP_OPERATIONS], 'http://127.0.0.1'),
  );
  return described;
}

export function subject(url: string, key: string): Subject {
  const mustBeDescribed = describedAnswers();
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<ServiceResponse> => {
    const headers = new Headers(init.headers);
    if (!ABOUT_KEYS.some((name) => headers.has(name))) headers.set('Authorization', `Bearer ${key}`);
    // An empty header stands for none.
    for (const name of ABOUT_KEYS) if (headers.get(name) === '') headers.delete(name);
    const sentAt = Date.now();
    const response = await fetch(url + path, { method, ...init, headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const receivedAt = Date.now();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const json = isJson ? JSON.parse(text) : undefined;
    const answer = { status: response.status, headers: response.headers, bytes, text, json, sentAt, receivedAt };
    mustBeDescribed(method, path, answer);
    return answer;
  };
  return {
    url,
    key,
    send,
    get: (path, headers) => send('GET', path, headers === undefined ? {} : { headers }),
    stop: async () => {},
  };
}

/** Numbers of the fixture's units as their last two digits, for lists that can be read. */
export const shortNumbers = (seen: ServiceResponse): string[] =>
  seen.json.data.map((unit: { mastrNummer: string }) => unit.mastrNummer.slice(-2));
