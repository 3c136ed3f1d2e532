import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import { insertAuditRows, type NewAuditRow } from '../../sql/org/audit.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Writes the audit log. */
export interface AuditRecorder {
  /** Writes the row together with others, within 200 ms. */
  soon(row: NewAuditRow): void;
  /** Writes the row before it returns; when the store cannot take it now, as soon() does. */
  now(row: NewAuditRow): Promise<void>;
  /** True while the store takes the rows that it is given. */
  succeeds(): boolean;
  /** Rows that the store does not have yet. */
  waiting(): number;
  /** Writes the rows that the store does not have yet. */
  close(): Promise<void>;
}

const INTERVAL_MILLISECONDS = 100;

/** Rows that one statement writes. */
const BATCH_SIZE = 500;

/** Rows kept while the store does not answer; beyond that the oldest are lost, and the log says how many. */
const MAX_ENTRIES = 200_000;

export function auditRecorder(store: OrgStore, log: Logger): AuditRecorder {
  let waiting: NewAuditRow[] = [];
  let failing = false;
  let writing: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, BATCH_SIZE);
      await store.autocommit(z.unknown(), insertAuditRows(rows));
      waiting = waiting.slice(rows.length);
    }
  };

  const flush = (): Promise<void> => {
    writing ??= writeAll()
      .then(() => {
        if (failing) log.info('the audit log is written again');
        failing = false;
      })
      .catch((error: unknown) => {
        // The log has one line when it begins and one when it is over.
        if (!failing) log.error({ err: error, rows: waiting.length }, 'the audit log cannot be written; rows are kept');
        failing = true;
        if (waiting.length > MAX_ENTRIES) {
          log.error(
            { lost: waiting.length - MAX_ENTRIES },
            'audit rows are lost: the store has not answered for too long',
          );
          waiting = waiting.slice(-MAX_ENTRIES);
        }
      })
      .finally(() => {
        writing = null;
      });
    return writing;
  };

  const timer = setInterval(() => {
    if (waiting.length > 0) void flush();
  }, INTERVAL_MILLISECONDS);

  return {
    soon(row) {
      waiting.push(row);
    },
    async now(row) {
      try {
        await store.asOperator((session) => session.run(insertAuditRows([row])));
      } catch {
        waiting.push(row);
      }
    },
    succeeds: () => !failing,
    waiting: () => waiting.length,
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'audit rows are lost: the store does not answer');
    },
  };
}
