/** The servers that hold the tables. */
export interface Placement {
  /** Name of the cluster on whose servers every table is kept alike; null = on the one server, or in the cloud. */
  readonly cluster: string | null;
  /** Shards of the cluster; units are spread over them. */
  readonly shards: number;
}

/** One server, or the cloud, which replicates by itself. */
export const ONE_SERVER: Placement = { cluster: null, shards: 1 };

/** Follows the name in CREATE and DROP; it is empty for one server. */
export const onCluster = ({ cluster }: Placement): string => (cluster === null ? '' : ` ON CLUSTER '${cluster}'`);

/** Makes every server of the cluster hold a replicated table whole, whatever its shard. */
export const replicatedToAllShards = (statement: string, { shards }: Placement): string =>
  shards === 1
    ? statement
    : statement.replace(
        /(ENGINE = Replicated\w*MergeTree)\b(?!\()/,
        `$1('/clickhouse/tables/{uuid}/whole', '{shard}-{replica}')`,
      );

const SHARD = '_shard';

const CREATED = /^((?:\s*--[^\n]*\n)*)\s*CREATE (TABLE|MATERIALIZED VIEW) (?:IF NOT EXISTS )?([\w.]+)/;

/**
 * Adapts the statements of a version's schema to the servers of its tables.
 * @param statements for one server, or a cluster of one shard
 */
export function placedStatements(statements: readonly string[], placement: Placement): string[] {
  if (placement.cluster === null) return statements.map(withDeduplication);
  return placement.shards === 1 ? [...statements] : sharded(statements, placement);
}

/** Blocks that a table remembers. A load sends blocks one after the other, so that one would be enough. */
const REMEMBERED_BLOCKS = 1000;

/** Replicated tables recognise repeated blocks by default; other tables need a setting. */
function withDeduplication(statement: string): string {
  if (CREATED.exec(statement)?.[2] !== 'TABLE') return statement;
  const setting = `non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}`;
  return statement.includes('\nSETTINGS ') ? `${statement}, ${setting}` : `${statement}\nSETTINGS ${setting}`;
}

/**
 * Tables of units, and those that views fill from them, lie on the shards under names of their own, behind a Distributed
 * table with the name that statements use. All other tables are small enough for every server to hold them whole, where
 * joins find them.
 */
function sharded(statements: readonly string[], placement: Placement): string[] {
  const spread = new Set(['units', 'units_departed', 'units_ersetzt', ...statements.flatMap(filledByView)]);
  return statements.flatMap((statement) => {
    const [, , kind, name = ''] = CREATED.exec(statement) ?? [];
    if (kind === 'MATERIALIZED VIEW') return [onShards(statement)];
    if (!spread.has(name)) return [replicatedToAllShards(statement, placement)];
    return [
      statement.replace(`CREATE TABLE ${name}`, `CREATE TABLE ${name}${SHARD}`),
      `CREATE TABLE ${name}${onCluster(placement)} AS ${name}${SHARD}\n` +
        `ENGINE = Distributed('${placement.cluster}', currentDatabase(), '${name}${SHARD}', ${shardingKey(name)})`,
    ];
  });
}

const filledByView = (statement: string): string[] => {
  const target = / TO (\w+) AS\s/.exec(statement)?.[1];
  return CREATED.exec(statement)?.[2] === 'MATERIALIZED VIEW' && target !== undefined ? [target] : [];
};

/** A view reads and fills the shard that it is on; the alias keeps its qualified columns valid. */
const onShards = (statement: string): string =>
  statement.replace(/ TO (\w+) AS(\s)/, ` TO $1${SHARD} AS$2`).replace(/\bFROM units\b/, `FROM units${SHARD} AS units`);

/** Units are inserted through their Distributed table; the tables that views fill keep the shard of their rows. */
const shardingKey = (table: string): string => (table.startsWith('units') ? 'cityHash64(mastrNummer)' : 'rand()');
