import { Worker } from 'node:worker_threads';
import type { Logger } from '../../runtime/log.ts';
import type { Connection } from './driver.ts';
import { type EmbeddedDatabase, NotOpened, type QueryResult, withinTime } from './embedded-database.ts';
import { type Answered, type Asked, OPENED, type Question, receivedError } from './embedded-protocol.ts';

/**
 * A database on a thread of its own (embedded-worker.ts): a statement occupies the thread that runs it for 1 to 20 ms, in
 * which a service could read nothing, parse nothing and answer nobody.
 */

/** The thread of a database has ended although nobody closed it. Its files are as after a crash at that moment. */
export class ThreadEnded extends Error {}

interface Waiting {
  resolve(result: QueryResult | null): void;
  reject(error: Error): void;
}

/**
 * Opens a database on a thread of its own.
 * @param place folder of its files, or `memory://`
 * @throws NotOpened, ThreadEnded
 */
export async function openOnThread(place: string, log: Logger): Promise<EmbeddedDatabase> {
  // Options of the process may be about its own script, and are not for that of the thread.
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: place, execArgv: [] });
  const exchange = exchangeWith(worker, log);
  try {
    await exchange.opened;
  } catch (error) {
    await worker.terminate();
    const { message, stderr } = error as Error & { readonly stderr?: readonly string[] };
    throw stderr === undefined ? error : new NotOpened(message, stderr, { cause: error });
  }
  return databaseOver(exchange, worker);
}

interface Exchange {
  /** Settles when the database is open, or cannot be opened. */
  readonly opened: Promise<unknown>;
  /** @throws the error of the database; ThreadEnded */
  ask(question: Question): Promise<QueryResult | null>;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;
}

function exchangeWith(worker: Worker, log: Logger): Exchange {
  const waiting = new Map<number, Waiting>();
  let lastId = OPENED;
  let end: ThreadEnded | null = null;
  const ended = Promise.withResolvers<void>();

  const expect = (id: number): Promise<QueryResult | null> =>
    new Promise((resolve, reject) => {
      // A thread that nobody waits for does not keep the process from ending.
      if (waiting.size === 0) worker.ref();
      waiting.set(id, { resolve, reject });
    });
  const settle = (id: number, how: (waiting: Waiting) => void): void => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (asked !== undefined) how(asked);
  };

  worker.on('message', (message: Answered) =>
    settle(message.id, ({ resolve, reject }) => {
      if ('error' in message) reject(receivedError(message.error));
      else resolve(message.result);
    }),
  );
  worker.once('error', (error) => {
    log.error({ err: error }, 'the thread of the organisation store failed');
    end = new ThreadEnded(`The thread of the organisation store failed: ${error.message}`, { cause: error });
  });
  worker.once('exit', (code) => {
    end ??= new ThreadEnded(`The thread of the organisation store ended with ${code}`);
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(end as ThreadEnded));
    ended.resolve();
  });

  return {
    opened: expect(OPENED),
    ended: ended.promise,
    async ask(question) {
      if (end !== null) throw end;
      lastId += 1;
      const asked: Asked = { ...question, id: lastId };
      const answer = expect(asked.id);
      worker.postMessage(asked);
      return answer;
    },
  };
}

function databaseOver({ ask, ended }: Exchange, worker: Worker): EmbeddedDatabase {
  let turns = 0;
  let closed = false;

  const connectionOf = (turn: number | null): Connection => ({
    async query(text, values) {
      const result = await ask({ kind: 'query', turn, text, values });
      return result ?? { rows: [], changed: 0 };
    },
    async exec(text) {
      await ask({ kind: 'exec', turn, text });
    },
  });

  /** Begins a turn, runs work in it, and ends it as the work has ended. */
  const inTurn = async <Result>(
    scope: string | null,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => {
    turns += 1;
    const turn = turns;
    await ask({ kind: 'begin', turn, scope });
    let result: Result;
    try {
      result = await work(connectionOf(turn));
    } catch (error) {
      // The error of the work says more than one of taking it back, which means that the thread has ended.
      await ask({ kind: 'end', turn, how: 'rollback' }).catch(() => {});
      throw error;
    }
    await ask({ kind: 'end', turn, how: 'commit' });
    return result;
  };

  const close = async (): Promise<void> => {
    closed = true;
    await ask({ kind: 'close' }).catch((error: unknown) => {
      // With the thread its files are closed, too.
      if (!(error instanceof ThreadEnded)) throw error;
    });
    worker.ref();
    await ended;
  };

  return {
    ...connectionOf(null),
    transaction: (scope, work) => inTurn(scope, work),
    alone: (work) => inTurn(null, work),
    isClosed: () => closed,
    close,
    async abandon() {
      await withinTime(close().catch(() => {}));
      await worker.terminate();
    },
  };
}
