import { createHash } from 'node:crypto';
import { insertAuditRows } from '../../sql/org/audit.ts';
import { answerUnder, storeAnswer, storedAnswer, takeKey, takenKey } from '../../sql/org/idempotency.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import { auditRowOf } from './audit.ts';
import type { Exchange } from './step.ts';

/**
 * Answers a write in one transaction: its idempotency key, its change, its stored answer and its audit row are all
 * there, or none of them is. So a caller that heard nothing can always ask again with the same key.
 *
 * A dry run goes the same way and is rolled back at the end; it takes no key.
 * @param respond lets the operation answer, once
 */
export async function write(exchange: Exchange, { store }: Service, respond: () => Promise<void>): Promise<void> {
  const { call, caller, idempotencyKey: key } = exchange.state;
  const organisationId = caller!.organisation.id;
  try {
    await store.asOrganisation(organisationId, async (session) => {
      exchange.state.session = session;
      const replayed = key !== null && (await replay(exchange, session, organisationId, key));
      if (!replayed) {
        await respond();
        if (call.dryRun) throw new Rehearsed();
        const answer = { fingerprint: fingerprint(exchange), status: exchange.status, body: String(exchange.body) };
        if (key !== null) await session.run(storeAnswer(organisationId, key, answer));
      }
      await session.run(insertAuditRows([auditRowOf(exchange)]));
    });
    exchange.state.recorded = true;
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}

/** Ends the transaction of a dry run, so that nothing of it stays. */
class Rehearsed extends Error {}

/**
 * Answers again what was answered under this key.
 * @returns false when the key is free, and from then on this transaction's
 * @throws Problem IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED
 */
async function replay(exchange: Exchange, session: Session, organisationId: string, key: string): Promise<boolean> {
  const taken = await session.row(takenKey, takeKey(organisationId, key));
  if (taken?.free !== true) {
    const detail = 'A call with this Idempotency-Key is still running; ask again for its answer';
    throw new Problem('IDEMPOTENCY_IN_PROGRESS', detail, { retryAt: Date.now() + 1000 });
  }
  const stored = await session.row(storedAnswer, answerUnder(organisationId, key));
  if (stored === null) return false;
  if (stored.fingerprint !== fingerprint(exchange)) {
    const detail = 'This Idempotency-Key was used for another request; take a new key for a new request';
    throw new Problem('IDEMPOTENCY_KEY_REUSED', detail);
  }
  if (exchange.state.call.dryRun) return false;
  exchange.status = stored.status;
  exchange.set('Content-Type', `${exchange.state.operation!.media}; charset=utf-8`);
  exchange.set('Idempotency-Replayed', 'true');
  exchange.body = stored.body;
  return true;
}

/** SHA-256 of what is asked: method, path, query without `dryRun`, body; the order of names does not count. */
function fingerprint(exchange: Exchange): string {
  const query = [...new URLSearchParams(exchange.querystring)].filter(([name]) => name !== 'dryRun');
  const parts = [exchange.method, exchange.path, query.map((pair) => JSON.stringify(pair)).sort(), exchange.state.body];
  return createHash('sha256').update(JSON.stringify(parts, inOrderOfNames)).digest('hex');
}

const inOrderOfNames = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
