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
import type { Call, KeyOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { canonicalJson } from '../wire/canonical-json.ts';
import { sendResult } from './answer.ts';
import type { CallerState, Context, OperationContext } from './context.ts';
import { auditRowOf } from './observation.ts';
import type { Step } from './step.ts';

interface WriteState extends CallerState {
  readonly call: Call;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

/**
 * Answers a write in one transaction: its idempotency key, its change, its stored answer and its audit row are all
 * there, or none of them is. So a caller that received no answer can always ask again with the same key.
 *
 * A dry run takes the same steps and is rolled back at the end; it neither takes nor waits for a key.
 */
export const write: Step<KeyOperation, WriteState> = {
  name: 'write',
  problems: () => ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'],
  open:
    ({ store }) =>
    (operation) =>
    async (context, next) => {
      const { call, caller, idempotencyKey: key } = context.state;
      const organisationId = caller.organisation.id;
      try {
        await store.asOrganisation(organisationId, async (session) => {
          context.state.session = session;
          if (key !== null && !call.dryRun) await take(session, organisationId, key);
          const digest = key === null ? '' : fingerprint(operation, context);
          const stored = key === null ? null : await findAnswer(digest, session, organisationId, key);
          if (stored === null || call.dryRun) await next();
          else replay(context, operation, stored);
          if (call.dryRun) throw new DryRunRollback();
          if (key !== null && stored === null) {
            await session.run(storeAnswer(organisationId, key, answerOf(context, digest)));
          }
          await session.run(insertAuditRows([auditRowOf(context)]));
        });
        context.state.recorded = true;
      } catch (error) {
        if (!(error instanceof DryRunRollback)) throw error;
      }
    },
};

/** Ends the transaction of a dry run, so that nothing of it stays. */
class DryRunRollback extends Error {}

/** Reserves the key for this transaction. @throws Problem IDEMPOTENCY_IN_PROGRESS while another one holds it */
async function take(session: Session, organisationId: string, key: string): Promise<void> {
  const taken = await session.row(keyLockRow, lockKey(organisationId, key));
  if (taken?.free === true) return;
  const detail = 'A call with this Idempotency-Key is still running; ask again for its answer';
  throw new Problem('IDEMPOTENCY_IN_PROGRESS', detail, { retryAt: Date.now() + 1000 });
}

/**
 * Finds the answer that was given under this key; null when there is none.
 * @throws Problem IDEMPOTENCY_KEY_REUSED when it answers another request
 */
async function findAnswer(
  digest: string,
  session: Session,
  organisationId: string,
  key: string,
): Promise<StoredAnswer | null> {
  const stored = await session.row(storedAnswer, storedAnswerFor(organisationId, key));
  if (stored === null || stored.fingerprint === digest) return stored;
  const detail = 'This Idempotency-Key was used for another request; take a new key for a new request';
  throw new Problem('IDEMPOTENCY_KEY_REUSED', detail);
}

const answerOf = (context: Context, fingerprint: string): StoredAnswer => ({
  fingerprint,
  status: context.status,
  body: String(context.body),
});

/** JSON.stringify writes what it has written before in the same way: so the answer is the stored one, byte for byte. */
const replay = (context: Context, operation: KeyOperation, { status, body }: StoredAnswer): void =>
  sendResult(context, operation, { status, headers: { 'Idempotency-Replayed': 'true' }, body: JSON.parse(body) });

/** Digests the request with SHA-256: method, path, query without `dryRun`, body; the order of names does not count. */
function fingerprint({ method, path }: KeyOperation, context: OperationContext<WriteState>): string {
  const query = [...new URLSearchParams(context.querystring)].filter(([name]) => name !== 'dryRun');
  const parts = [method, path, context.params, query.map((pair) => JSON.stringify(pair)).sort(), context.state.body];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
