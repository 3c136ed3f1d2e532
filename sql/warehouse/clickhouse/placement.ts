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

/** Returns true when the rows of units lie on several shards, behind Distributed tables. */
export const isSharded = ({ shards }: Placement): boolean => shards > 1;

/**
 * Arguments of a replicated engine: where in Keeper the replicas of a table find each other, and the name of each. The servers
 * fill in their macros `shard` and `replica`.
 * @param table its name in Keeper
 */
const replicasOf = (table: string) => ({
  /** The replicas of a shard hold the same rows. */
  ofShard: `('/clickhouse/tables/${table}/{shard}', '{replica}')`,
  /** All servers hold the same rows, whatever their shard. */
  ofCluster: `('/clickhouse/tables/${table}/whole', '{shard}-{replica}')`,
});

/**
 * The pieces of statements in which placements differ (`{{name}}` in the files of this folder).
 * @param table its name in Keeper
 */
export function placementPieces(placement: Placement, table: string): Record<string, string> {
  if (placement.cluster === null) return { onCluster: '', replicated: '', ofShard: '', ofCluster: '', shard: '' };
  return {
    onCluster: onCluster(placement).trim(),
    replicated: 'Replicated',
    ...replicasOf(table),
    // Behind the name of a table of units, as the Distributed table before it has the name that statements use.
    shard: isSharded(placement) ? '_shard' : '',
  };
}
