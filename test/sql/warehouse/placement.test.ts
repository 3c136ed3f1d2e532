import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECTIONS } from '../../../sql/catalogue/projections.ts';
import { ONE_SERVER, type Placement } from '../../../sql/warehouse/clickhouse/placement.ts';
import { pointerStatements } from '../../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { schemaStatements } from '../../../sql/warehouse/clickhouse/schema.ts';
import { administratorClient } from '../../support/clickhouse.ts';

/** Checks the text of statements for a cluster, because the tests have no Keeper. The engine's parser reads all of them. */

const CLUSTER = { cluster: 'energy', shards: 1 };
const SHARDS = { cluster: 'energy', shards: 3 };

const PART_SETTINGS =
  'non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 120, min_age_to_force_merge_on_partition_only = 1';

const of = (placement: Placement): string[] => [
  ...pointerStatements('energy', placement),
  ...schemaStatements(placement),
];

const client = await administratorClient();
afterAll(() => client.close());

/** Removes comments of lines and columns. */
const bare = (statement: string): string =>
  statement
    .replace(/^--.*\n/gm, '')
    .replace(/ COMMENT '(?:[^']|'')*'/g, '')
    .trim();

const find = (statements: readonly string[], start: string): string => {
  const found = statements.map(bare).filter((statement) => statement.startsWith(start));
  expect(found, start).toHaveLength(1);
  return found[0]!;
};

describe('the statements of a placement', () => {
  test.each([
    ['one server', ONE_SERVER],
    ['a cluster', CLUSTER],
    ['a cluster of shards', SHARDS],
  ])('the engine parses them: %s', async (_, placement) => {
    for (const statement of of(placement)) {
      const [row] = await queryRows(
        client,
        z.strictObject({ text: z.string() }),
        'SELECT formatQuery({statement:String}) AS text',
        {
          statement,
        },
      );
      expect(row!.text).toMatch(/^CREATE /);
      expect(statement).not.toContain('{{');
    }
  });

  test('have no cluster for one server and for the cloud', () => {
    expect(of(ONE_SERVER).join('\n')).not.toMatch(/ON CLUSTER|Replicated|Distributed|_shard/);
  });

  test('every table recognises blocks that are sent again', () => {
    for (const statement of of(ONE_SERVER)
      .map(bare)
      .filter((text) => text.startsWith('CREATE TABLE')))
      expect(statement).toMatch(/\nSETTINGS non_replicated_deduplication_window = 1000(,|$)/);
  });

  test('run on all servers of a cluster, with every table replicated', () => {
    const statements = of(CLUSTER).map(bare);
    for (const statement of statements) expect(statement).toContain("ON CLUSTER 'energy'");
    const tables = statements.filter((statement) => /^CREATE TABLE/.test(statement));
    for (const statement of tables)
      expect(statement).toMatch(/ENGINE = Replicated\w*MergeTree\('\/clickhouse\/tables\//);
    expect(find(statements, 'CREATE TABLE IF NOT EXISTS energy.publications')).toBe(
      `CREATE TABLE IF NOT EXISTS energy.publications ON CLUSTER 'energy' (
  number UInt64,
  version String,
  sequence UInt32,
  exportDay Date32,
  publishedAt DateTime64(3, 'UTC'),
  cause LowCardinality(String),
  forced Array(String)
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/{table}/whole', '{shard}-{replica}') ORDER BY number
SETTINGS non_replicated_deduplication_window = 1000`,
    );
    expect(find(statements, 'CREATE TABLE vorgaenger')).toBe(
      `CREATE TABLE vorgaenger ON CLUSTER 'energy' (
  version String,
  sequence Int32,
  anker Int32
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/whole', '{shard}-{replica}')
ORDER BY version
SETTINGS ${PART_SETTINGS}`,
    );
  });
});

describe('with several shards', () => {
  const statements = of(SHARDS);

  test('units lie on the shards, behind a table that spreads them by a hash of their number', () => {
    expect(find(statements, 'CREATE TABLE units_shard ')).toMatch(
      /ENGINE = ReplicatedMergeTree\('\/clickhouse\/tables\/\{uuid\}\/\{shard\}', '\{replica\}'\)\nORDER BY nummer/,
    );
    expect(find(statements, 'CREATE TABLE units ON')).toBe(
      "CREATE TABLE units ON CLUSTER 'energy' AS units_shard\n" +
        "ENGINE = Distributed('energy', currentDatabase(), 'units_shard', cityHash64(mastrNummer))",
    );
  });

  test('views read and fill the shard that they are on', () => {
    const view = find(statements, 'CREATE MATERIALIZED VIEW bundesland_tage_aus_units');
    expect(view).toMatch(
      /^CREATE MATERIALIZED VIEW bundesland_tage_aus_units ON CLUSTER 'energy' TO bundesland_tage_shard AS\n/,
    );
    expect(view).toMatch(/\nFROM units_shard AS units\n/);
    expect(find(statements, 'CREATE TABLE bundesland_tage_shard ')).toMatch(/ENGINE = ReplicatedSummingMergeTree\(/);
    expect(find(statements, 'CREATE TABLE bundesland_tage ON')).toMatch(/Distributed\('energy', .*rand\(\)\)$/);
  });

  test('every projection and every roll-up keeps the name that statements use', () => {
    const rollups = ['region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate', 'aggregationen'];
    for (const table of [...Object.keys(PROJECTIONS), ...rollups, 'units_departed', 'units_ersetzt', 'zeilen']) {
      expect(find(statements, `CREATE TABLE ${table} ON`)).toContain(`'${table}_shard'`);
    }
  });

  test('every server holds the pointer and the tables of joins whole', () => {
    for (const table of ['regionen', 'vorgaenger', 'suchtexte', 'dataset', 'IF NOT EXISTS energy.publications']) {
      expect(find(statements, `CREATE TABLE ${table} ON`)).toMatch(
        /ENGINE = ReplicatedMergeTree\('\/clickhouse\/tables\/[^']+\/whole', '\{shard\}-\{replica\}'\)/,
      );
    }
  });
});
