import {
  forward,
  insertedInto,
  isOnCluster,
  type Listener,
  listen,
  ofOneServer,
  type ServerAnswer,
  type ServerRequest,
} from './clickhouse-forward.ts';
import type { ClickHouseServer } from './clickhouse-server.ts';

/**
 * A front for servers that stand for the replicas of a cluster with Keeper: statements ON CLUSTER and inserts run on each that is
 * up, and one that was away gets what it has missed when it is back. Everything else goes to the first that is up.
 */
export interface ReplicaFront extends Listener {
  /** Called with each statement before it is carried out; a test does there what happens meanwhile, or answers itself. */
  before: (statement: string) => Promise<ServerAnswer | undefined>;
  /** Every request, in order. */
  readonly requests: ServerRequest[];
  /** Brings a server that was started again up to date. */
  catchUp(server: ClickHouseServer): Promise<void>;
  /** Takes an empty server in. From now on it gets statements, and with `catchUp` the rows. */
  add(server: ClickHouseServer): void;
}

export async function openReplicaFront(first: readonly ClickHouseServer[]): Promise<ReplicaFront> {
  const servers = [...first];
  const away = new Set<ClickHouseServer>();
  /** The statements that a server has yet to carry out which is away, or was added. */
  const missed = new Map<ClickHouseServer, ServerRequest[]>();
  const inserts: ServerRequest[] = [];

  const carryOut = async (server: ClickHouseServer, request: ServerRequest): Promise<ServerAnswer | null> => {
    const queue = missed.get(server) ?? [];
    const waits = away.has(server) || (!isOnCluster(request) && queue.length > 0);
    const answer = waits ? null : await forward(server.port, ofOneServer(request)).catch(() => null);
    if (answer !== null) return answer;
    if (!waits) away.add(server);
    missed.set(server, [...queue, request]);
    return null;
  };
  const everywhere = async (request: ServerRequest): Promise<ServerAnswer> => {
    const answers = await Promise.all(servers.map((server) => carryOut(server, request)));
    const [answer] = answers.filter((one) => one !== null).sort((one, other) => other.status - one.status);
    if (answer === undefined) throw new Error('no server is up');
    if (isOnCluster(request)) return answer.status === 200 ? statuses() : answer;
    inserts.push(request);
    return answer;
  };
  /** The answer to a statement ON CLUSTER: host, port, status, error, hosts remaining and active. */
  const statuses = () =>
    answerOf(servers.map((one) => `127.0.0.1\t${one.port}\t${away.has(one) ? '\\N' : '0'}\t\\N\t0\t0\n`).join(''));
  const answer = async (request: ServerRequest): Promise<ServerAnswer> => {
    front.requests.push(request);
    const early = await front.before(request.statement);
    if (early !== undefined) return early;
    // Rows are on every server by the time that an insert is answered.
    if (/^SYSTEM SYNC REPLICA/.test(request.statement)) return statuses();
    const active = servers.filter((server) => !missed.has(server));
    if (/FROM system\.replicas/.test(request.statement))
      return answerOf(`${JSON.stringify({ total: servers.length, active: active.length })}\n`);
    if (isOnCluster(request) || insertedInto(request) !== null) return everywhere(request);
    if (active[0] === undefined) throw new Error('no server is up');
    return forward(active[0].port, withPlainEngines(request));
  };
  const listener = await listen(answer);
  const front: ReplicaFront = {
    ...listener,
    before: async () => undefined,
    requests: [],
    async catchUp(server) {
      for (const request of missed.get(server) ?? []) {
        const { status, text } = await forward(server.port, ofOneServer(request));
        if (status !== 200) throw new Error(text.toString('utf8'));
      }
      missed.delete(server);
      away.delete(server);
    },
    add(server) {
      servers.push(server);
      missed.set(server, [...inserts]);
    },
  };
  return front;
}

const answerOf = (text: string): ServerAnswer => ({ status: 200, headers: {}, text: Buffer.from(text) });

/** A question for replicated tables finds those that stand for them. */
function withPlainEngines(request: ServerRequest): ServerRequest {
  const statement = request.statement.replace("engine LIKE 'Replicated%'", "engine LIKE '%MergeTree'");
  return statement === request.statement ? request : { ...request, body: Buffer.from(statement) };
}
