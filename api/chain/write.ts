import { createHash } from 'node:crypto';
import { insertAuditRows } from '../../sql/org/audit.ts';
import {
  keyLockRow,
  lockKey,
  type StoredAnswer,
  storeAnswer,
  storedAnswer,
  storedAnswerFor,
} from '../../sql/org/idempotency.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import { canonicalJson } from '../wire/canonical-json.ts';
import { auditRowOf } from './audit.ts';
import type { Context } from './context.ts';
import { sendAnswer } from './send-answer.ts';

/**
 * Answers a write in one transaction: its idempotency key, its change, its stored answer and its audit row are all
 * there, or none of them is. So a caller that heard nothing can always ask again with the same key.
 *
 * A dry run goes the same way and is rolled back at the end; it takes no key, and waits for none.
 * @param respond lets the operation answer
 */
export async function write(context: Context, { store }: Service, respond: () => Promise<void>): Promise<void> {
  const { call, caller, idempotencyKey: key } = context.state;
  const organisationId = caller!.organisation.id;
  try {
    await store.asOrganisation(organisationId, async (session) => {
      context.state.session = session;
      if (key !== null && !call.dryRun) await take(session, organisationId, key);
      const asked = key === null ? '' : fingerprint(context);
      const stored = key === null ? null : await findAnswer(asked, session, organisationId, key);
      if (stored === null || call.dryRun) await respond();
      else replay(context, stored);
      if (call.dryRun) throw new DryRunRollback();
      if (key !== null && stored === null)
        await session.run(storeAnswer(organisationId, key, answerOf(context, asked)));
      await session.run(insertAuditRows([auditRowOf(context)]));
    });
    context.state.recorded = true;
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
}

/** Ends the transaction of a dry run, so that nothing of it stays. */
class DryRunRollback extends Error {}

/** Makes the key this transaction's. @throws Problem IDEMPOTENCY_IN_PROGRESS when it is another's */
async function take(session: Session, organisationId: string, key: string): Promise<void> {
  const taken = await session.row(keyLockRow, lockKey(organisationId, key));
  if (taken?.free === true) return;
  const detail = 'A call with this Idempotency-Key is still running; ask again for its answer';
  throw new Problem('IDEMPOTENCY_IN_PROGRESS', detail, { retryAt: Date.now() + 1000 });
}

/**
 * What was answered under this key; null when nothing was.
 * @throws Problem IDEMPOTENCY_KEY_REUSED when that was an answer to something else
 */
async function findAnswer(
  asked: string,
  session: Session,
  organisationId: string,
  key: string,
): Promise<StoredAnswer | null> {
  const stored = await session.row(storedAnswer, storedAnswerFor(organisationId, key));
  if (stored === null || stored.fingerprint === asked) return stored;
  const detail = 'This Idempotency-Key was used for another request; take a new key for a new request';
  throw new Problem('IDEMPOTENCY_KEY_REUSED', detail);
}

const answerOf = (context: Context, fingerprint: string): StoredAnswer => ({
  fingerprint,
  status: context.status,
  body: String(context.body),
});

/** What JSON.stringify has written, it writes alike again: so the answer is the stored one, byte for byte. */
const replay = (context: Context, { status, body }: StoredAnswer): void =>
  sendAnswer(context, { status, headers: { 'Idempotency-Replayed': 'true' }, body: JSON.parse(body) });

/** SHA-256 of what is asked: method, path, query without `dryRun`, body; the order of names does not count. */
function fingerprint({ state: { operation, pathTexts, body }, querystring }: Context): string {
  const query = [...new URLSearchParams(querystring)].filter(([name]) => name !== 'dryRun');
  const parts = [operation!.method, operation!.path, pathTexts, query.map((pair) => JSON.stringify(pair)).sort(), body];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
