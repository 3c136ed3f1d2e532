import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type StoreStatement, sql } from '../../../../sql/org/statement.ts';
import type { OrgStore } from '../../../../sql/org/store.ts';
import {
  attemptedDeliveries,
  claimDeliveries,
  dueEndpoints,
  insertAttempts,
  releaseClaims,
  writeOutcomes,
} from '../../../../sql/org/webhooks/deliveries.ts';
import { writeHealth } from '../../../../sql/org/webhooks/endpoint-health.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { openFresh, POSTGRES, written } from '../../../support/store-engines.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';

/**
 * The statements of the dispatcher cost as much as they find, however many deliveries there are: rows that statements read are
 * counted among very many old deliveries, and among very many that wait for endpoints that are disabled.
 */

const OLD = 20_000;
const WAITING = 4_000;
const ENDPOINTS = 8;

const NOW = sql`now()`;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that were read of each table, including those that a condition left out. */
function rowsRead(node: PlanNode, read: Record<string, number> = {}): Record<string, number> {
  const table = node['Relation Name'];
  if (table !== undefined) {
    const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
    read[table] = (read[table] ?? 0) + Math.round(each * (node['Actual Loops'] ?? 1));
  }
  for (const below of node.Plans ?? []) rowsRead(below, read);
  return read;
}

describe.skipIf(!POSTGRES.here)(`statements of the dispatcher: ${POSTGRES.name}`, () => {
  let store: OrgStore;
  let endpoints: string[];
  beforeAll(async () => {
    store = await openFresh(POSTGRES);
    const { id } = await makeOrganisation(store);
    endpoints = [];
    for (let made = 0; made < ENDPOINTS; made++) endpoints.push((await makeEndpoint(store, id)).id);
    const fill = (count: number, state: 'DELIVERED' | 'PENDING') => sql`
      WITH made AS (
        INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
        SELECT gen_random_uuid(), ${id}::uuid, n + (SELECT count(*) FROM events), 'alert.triggered',
          now() - n * interval '1 second', '{}', '{}' FROM generate_series(1, ${count / ENDPOINTS}::int) n
        RETURNING id, occurred_at)
      INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, next_attempt_at,
        created_at, updated_at)
      SELECT gen_random_uuid(), ${id}::uuid, e.id, made.id, ${state}, 1,
        CASE WHEN ${state === 'PENDING'} THEN made.occurred_at END, made.occurred_at, made.occurred_at
      FROM made, webhook_endpoints e`;
    await store.asOperator(async (session) => {
      await session.run(fill(OLD, 'DELIVERED'));
      await session.run(fill(WAITING, 'PENDING'));
      await session.run(sql`UPDATE webhook_endpoints SET disabled = true, disabled_reason = 'MANUAL', disabled_at = now()
        WHERE id <> ${endpoints[0]!}::uuid`);
    });
    await store.autocommit(z.unknown(), written('ANALYZE'));
  });
  afterAll(() => store?.close());

  const explained = (statement: StoreStatement) =>
    store.asOperator(async (session) => {
      const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`;
      const shape = z.strictObject({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: z.custom<PlanNode>() })]) });
      const row = await session.row(shape, { ...statement, text });
      return rowsRead(row!['QUERY PLAN'][0].Plan);
    });
  const someDeliveries = (count: number) =>
    store.asOperator((session) =>
      session.rows(
        z.strictObject({ deliveryId: z.uuid() }),
        sql`SELECT id AS "deliveryId" FROM webhook_deliveries WHERE state = 'PENDING' ORDER BY id LIMIT ${count}`,
      ),
    );

  test('looking for due deliveries reads two of each endpoint that has any', async () => {
    expect((await explained(dueEndpoints(NOW))).webhook_deliveries).toBeLessThanOrEqual(2 * ENDPOINTS);
  });

  test('a claim reads the deliveries that it claims', async () => {
    const read = await explained(claimDeliveries(NOW, [{ endpointId: endpoints[0]!, count: 4 }], 60));
    expect(read.webhook_deliveries).toBeLessThanOrEqual(3 * 4);
    expect(read.events).toBeLessThanOrEqual(4);
  });

  test('a claim reads only a few rows more when others hold deliveries', async () => {
    await store.asOperator((session) =>
      session.run(claimDeliveries(NOW, [{ endpointId: endpoints[0]!, count: 4 }], 60)),
    );
    const read = await explained(claimDeliveries(NOW, [{ endpointId: endpoints[0]!, count: 4 }], 60));
    expect(read.webhook_deliveries).toBeLessThanOrEqual(3 * 4 + 2 * 4);
  });

  test('writing outcomes reads only their deliveries', async () => {
    const some = await someDeliveries(4);
    const ids = some.map(({ deliveryId }) => deliveryId);
    const at = new Date().toISOString();
    const statements = [
      attemptedDeliveries(ids),
      insertAttempts(
        ids.map((deliveryId) => ({ deliveryId, beganAt: at, tookMs: 1, status: 200, error: null, answer: '' })),
      ),
      writeOutcomes(
        NOW,
        ids.map((deliveryId) => ({ deliveryId, state: 'DELIVERED', delayMs: null })),
      ),
      releaseClaims(ids.map((deliveryId) => ({ deliveryId, claimedUntil: at }))),
      writeHealth(NOW, [{ endpointId: endpoints[0]!, succeeded: false, failing: true, gone: false }]),
    ];
    for (const statement of statements) {
      expect((await explained(statement)).webhook_deliveries ?? 0, statement.text).toBeLessThanOrEqual(2 * 4);
    }
  });
});
