import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StoreStatement } from '../../../sql/org/statement.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import {
  DELIVERY_STATES,
  dueNext,
  lastAttempts,
  loggedEndpoints,
  logPage,
  wholeDelivery,
} from '../../../sql/org/webhooks/delivery-log.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, PREPARED, written } from '../../support/store-engines.ts';
import { makeEndpoint } from '../../support/webhooks.ts';

/**
 * The delivery log costs as much as its page, however many deliveries there are: its statements are run over many of them, while
 * the planner takes them for a million, and the rows that they have really read are counted.
 */

const ENDPOINTS = 20;
const EVENTS = 300;
const PAGE = 51;

const planRow = z.looseObject({ 'QUERY PLAN': z.unknown() });

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const OUTBOX = ['webhook_deliveries', 'webhook_attempts', 'events'];

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('the delivery log', () => {
  let store: OrgStore;
  let organisation: string;
  let endpoint: string;
  let delivery: string;

  beforeAll(async () => {
    store = await openFresh(PREPARED);
    organisation = (await makeOrganisation(store)).id;
    const others = (await makeOrganisation(store)).id;
    for (let count = 0; count < ENDPOINTS; count++) {
      endpoint = (await makeEndpoint(store, organisation)).id;
      await makeEndpoint(store, others);
    }
    await store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO events SELECT gen_random_uuid(), o, n, 'alert.triggered', now(),
          '{"data":{"alert":{"name":"A"},"matchCount":3}}', '{}'
          FROM generate_series(1, ${EVENTS}) n, unnest(${[organisation, others]}::uuid[]) o`);
      await session.run(sql`
          INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, next_attempt_at,
            created_at, updated_at, delivered_at)
          SELECT gen_random_uuid(), w.organisation_id, w.id, e.id, s, 1, CASE s WHEN 'PENDING' THEN now() END,
            now() - make_interval(mins => e.number::int), now(), CASE s WHEN 'DELIVERED' THEN now() END
          FROM webhook_endpoints w JOIN events e USING (organisation_id)
          CROSS JOIN LATERAL (SELECT (${DELIVERY_STATES}::text[])[1 + e.number % 4] AS s) states`);
      await session.run(sql`INSERT INTO webhook_attempts (organisation_id, delivery_id, number, began_at, took_ms, status)
          SELECT organisation_id, id, 1, now(), 5, 500 FROM webhook_deliveries`);
      const row = await session.row(
        z.strictObject({ id: z.uuid() }),
        sql`SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpoint}::uuid LIMIT 1`,
      );
      delivery = row!.id;
    });
    await store.autocommit(z.unknown(), written('ANALYZE'));
    for (const table of OUTBOX)
      await store.autocommit(
        z.unknown(),
        sql`SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', ${table}::text,
            'relpages', relpages, 'reltuples', '1000000'::real) FROM pg_class WHERE relname = ${table}`,
      );
  });
  afterAll(() => store?.close());

  /** Runs a statement. @returns its plan with what really happened */
  const explained = (statement: StoreStatement): Promise<PlanNode[]> =>
    store.asOrganisation(organisation, async (session) => {
      const rows = await session.rows(planRow, {
        ...statement,
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
      });
      const shown = rows[0]?.['QUERY PLAN'];
      return nodesOf((typeof shown === 'string' ? JSON.parse(shown) : shown)[0].Plan);
    });

  /** Rows of these tables that a statement reads, those that it then drops included. */
  const rowsRead = (nodes: readonly PlanNode[], tables: readonly string[]): number =>
    nodes
      .filter(({ 'Relation Name': table = '' }) => tables.includes(table))
      .reduce(
        (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
        0,
      );

  const page = (choices: Partial<Parameters<typeof logPage>[1]>) =>
    logPage(organisation, {
      endpointId: null,
      states: DELIVERY_STATES,
      from: null,
      until: null,
      after: null,
      limit: PAGE,
      ...choices,
    });

  const yesterday = new Date(Date.now() - 36_000_000).toISOString();
  const LISTS: readonly [string, () => StoreStatement, number][] = [
    ['all messages', () => page({}), ENDPOINTS * 4],
    ['those of an endpoint', () => page({ endpointId: endpoint }), 4],
    ['those in a state', () => page({ states: ['FAILED'] }), ENDPOINTS],
    ['those of an endpoint in a state', () => page({ endpointId: endpoint, states: ['FAILED'] }), 1],
    ['those of a time', () => page({ from: yesterday, until: new Date().toISOString() }), ENDPOINTS * 4],
    ['a page further on', () => page({ after: [yesterday, delivery] }), ENDPOINTS * 4],
    ['what is due next', () => dueNext(organisation, PAGE), ENDPOINTS],
  ];

  test.each(LISTS)('%s: reads a page of each endpoint and state, and no more', async (_, statement, lists) => {
    const nodes = await explained(statement());
    // The page itself is read with its event and its last attempt.
    expect(rowsRead(nodes, OUTBOX)).toBeLessThanOrEqual(lists * PAGE + 4 * PAGE);
    expect(nodes.some((node) => node['Node Type'] === 'Seq Scan' && OUTBOX.includes(node['Relation Name'] ?? ''))).toBe(
      false,
    );
  });

  test('a message and its attempts are found by their keys', async () => {
    for (const statement of [wholeDelivery(organisation, delivery), lastAttempts(organisation, delivery, PAGE)])
      expect(rowsRead(await explained(statement), OUTBOX)).toBeLessThanOrEqual(4);
  });

  test('endpoints count their deliveries by an index', async () => {
    const nodes = await explained(loggedEndpoints(organisation));
    const scans = nodes.filter((node) => node['Relation Name'] === 'webhook_deliveries');
    expect(scans.map((scan) => scan['Index Cond'] ?? scan['Node Type'])).toEqual(
      Array(5).fill(expect.stringContaining('endpoint_id = w.id')),
    );
  });
});
