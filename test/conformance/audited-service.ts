import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type AuditRow, auditRow } from '../../sql/org/audit.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { interceptSteps, type StepListener } from '../support/intercepted-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { ANYWHERE, openFresh } from '../support/store-engines.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
export type Entry = any;

export const JSON_BODY = { 'Content-Type': 'application/json' };

export const requestId = ({ headers }: ServiceResponse) => headers.get('x-request-id');

/** The audit log of an organisation. Each test has an organisation and a key of its own. */
export interface AuditSubject {
  readonly store: OrgStore;
  readonly service: OwnSubject;
  organisation: { readonly id: string };
  /** The key of calls that name no other. */
  key: Awaited<ReturnType<typeof makeKey>>;
  /** Lets a listener hear of every step in the store, until the test ends. */
  onStep(listener: StepListener): void;
  log(query?: string, text?: string): Promise<ServiceResponse>;
  /** Reads the log of the calls so far, oldest first. Reads come into it soon after their answer. */
  entries(text?: string): Promise<Entry[]>;
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<ServiceResponse>;
  /** Rows of no organisation that concern these requests. */
  unattributedRows(requestIds: readonly (string | null)[]): Promise<AuditRow[]>;
}

const silent: StepListener = () => {};

/** Serves the small register to the tests of a file. */
export function serveAudited(): AuditSubject {
  let store: OrgStore;
  let service: OwnSubject;
  let organisation: AuditSubject['organisation'];
  let key: AuditSubject['key'];
  let hear = silent;

  beforeAll(async () => {
    store = await openFresh(ANYWHERE);
    service = await serveOwnFixture(
      // The service sweeps by itself, too: what the tests make up is not old enough for it.
      { AUDIT_RETENTION_DAYS: '3650', TRUSTED_PROXIES: '127.0.0.1' },
      interceptSteps(store, (step, driver) => hear(step, driver)),
    );
  });
  afterAll(async () => {
    await service.stop();
    await store.close();
  });
  beforeEach(async () => {
    organisation = await makeOrganisation(store);
    key = await makeKey(store, organisation);
  });
  afterEach(() => {
    hear = silent;
  });

  const log: AuditSubject['log'] = (query = '', text = key.text) =>
    service.get(`/v1/audit-log${query && `?${query}`}`, withKey(text));

  return {
    get store() {
      return store;
    },
    get service() {
      return service;
    },
    get organisation() {
      return organisation;
    },
    set organisation(next) {
      organisation = next;
    },
    get key() {
      return key;
    },
    set key(next) {
      key = next;
    },
    onStep(listener) {
      hear = listener;
    },
    log,
    async entries(text = key.text) {
      await sleep(200);
      const { data } = (await log('limit=250', text)).json;
      return data.filter(({ pfad }: Entry) => pfad !== '/v1/audit-log').reverse();
    },
    send: (method, path, headers = {}, body) =>
      service.send(method, path, {
        headers: { ...withKey(key.text), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    unattributedRows: (requestIds) =>
      store.asOperator((session) =>
        session.rows(
          auditRow,
          sql`SELECT id, answered_at AS "answeredAt", method, path, status, duration_ms AS "durationMs",
                row_count AS "rowCount", request_id AS "requestId", key_id AS "keyId", key_prefix AS "keyPrefix", query,
                query_hash AS "queryHash"
              FROM audit_log WHERE organisation_id IS NULL AND request_id = ANY (${requestIds as string[]}::uuid[])
              ORDER BY answered_at, id`,
        ),
      ),
  };
}
