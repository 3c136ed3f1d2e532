import { parentPort, workerData } from 'node:worker_threads';
import type { Connection } from './driver.ts';
import { type EmbeddedDatabase, openHere, type QueryResult } from './embedded-database.ts';
import { type Answered, type Asked, OPENED, type Question, sentError } from './embedded-protocol.ts';

/** The thread of embedded-thread.ts: it opens a database and answers what it is asked. */

/** A transaction, or a time without statements, that has begun and not ended. */
interface Turn {
  /** Null in a time without statements. */
  readonly connection: Connection | null;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

/** Takes a transaction back that the asking thread gave up. */
const ROLLED_BACK = Symbol('rolled back');

const port = parentPort;
if (port === null) throw new Error('This is a thread of embedded-thread.ts');
const answer = (message: Answered): void => port.postMessage(message);

function serve(database: EmbeddedDatabase): void {
  const turns = new Map<number, Turn>();

  const begin = (turn: number, scope: string | null): Promise<void> => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const held = (connection: Connection | null): Promise<void> => {
      const end: Turn['end'] = async (how) => {
        turns.delete(turn);
        if (how === 'commit') ended.resolve();
        else ended.reject(ROLLED_BACK);
        await over;
      };
      turns.set(turn, { connection, end });
      begun.resolve();
      return ended.promise;
    };
    const running = scope === null ? database.alone(() => held(null)) : database.transaction(scope, held);
    const over = running.catch((error: unknown) => {
      if (error === ROLLED_BACK) return;
      begun.reject(error);
      throw error;
    });
    // A turn that could not begin is told by `begun`, one that could not end by the answer to its end.
    over.catch(() => {});
    return begun.promise;
  };

  const connectionOf = (turn: number | null): Connection => {
    const connection = turn === null ? database : turns.get(turn)?.connection;
    if (connection == null) throw new Error('A statement came after the end of its transaction');
    return connection;
  };

  const answerTo = async (question: Question): Promise<QueryResult | null> => {
    switch (question.kind) {
      case 'query':
        return connectionOf(question.turn).query(question.text, question.values);
      case 'exec':
        await connectionOf(question.turn).exec(question.text);
        return null;
      case 'begin':
        await begin(question.turn, question.scope);
        return null;
      case 'end':
        await turns.get(question.turn)?.end(question.how);
        return null;
      case 'close':
        await database.close();
        return null;
    }
  };

  port?.on('message', async ({ id, ...question }: Asked) => {
    try {
      answer({ id, result: await answerTo(question) });
    } catch (error) {
      answer({ id, error: sentError(error) });
    }
    // Nothing else keeps the thread from ending.
    if (question.kind === 'close') port.close();
  });
}

try {
  serve(await openHere(workerData as string));
  answer({ id: OPENED, result: null });
} catch (error) {
  answer({ id: OPENED, error: sentError(error) });
}
