import type { z } from 'zod';
import type { StoreStatement } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import {
  type AttemptRow,
  attemptedDeliveries,
  attemptedRow,
  type ClaimRow,
  insertAttempts,
  writeOutcomes,
} from '../../../sql/org/webhooks/deliveries.ts';
import { changedHealthRow, writeHealth } from '../../../sql/org/webhooks/endpoint-health.ts';
import { healthOf, type Outcome, outcomeOf } from './outcome.ts';
import type { SendResult } from './send.ts';

/** An attempt that has ended, and is not in the store yet. */
export interface EndedAttempt {
  readonly claim: ClaimRow;
  /** RFC 3339. */
  readonly beganAt: string;
  readonly result: SendResult;
  /** False: the attempt failed before anything was sent, and so says nothing about the receiver. */
  readonly sent: boolean;
}

/** The rules for the next attempt, besides the result of the last one. */
export interface Rules {
  /** The present, as a part of SQL (deliveries.ts). */
  readonly now: StoreStatement;
  /** Gives numbers from 0 to 1. */
  readonly random: () => number;
  readonly schedule: readonly number[];
}

export interface Settled {
  /** The outcomes of deliveries; not of those whose claim had lapsed, of which only the attempt is written. */
  readonly outcomes: readonly { readonly attempt: EndedAttempt; readonly outcome: Outcome }[];
  /** Endpoints that began to fail, succeeded again, or were disabled. */
  readonly endpoints: readonly z.infer<typeof changedHealthRow>[];
}

/** Writes attempts and all that follows from them, in one transaction. */
export const settle = (store: OrgStore, ended: readonly EndedAttempt[], rules: Rules): Promise<Settled> =>
  store.asOperator(async (session) => {
    const ids = ended.map(({ claim }) => claim.deliveryId);
    const deliveries = new Map(
      (await session.rows(attemptedRow, attemptedDeliveries(ids))).map((row) => [row.deliveryId, row]),
    );
    const outcomes = ended.flatMap((attempt) => {
      const { deliveryId, claimedUntil } = attempt.claim;
      const delivery = deliveries.get(deliveryId);
      if (delivery?.claimedUntil !== claimedUntil) return [];
      const outcome = outcomeOf(attempt.result, delivery.attempts + 1, rules.random(), rules.schedule);
      return [{ attempt, outcome }];
    });
    await session.run(insertAttempts(ended.map(attemptRow)));
    await session.run(
      writeOutcomes(
        rules.now,
        outcomes.map(({ attempt, outcome }) => ({ deliveryId: attempt.claim.deliveryId, ...outcome })),
      ),
    );
    const said = healthOf(
      ended.filter(({ sent }) => sent).map(({ claim, result }) => ({ endpointId: claim.endpoint.id, result })),
    );
    return { outcomes, endpoints: await session.rows(changedHealthRow, writeHealth(rules.now, said)) };
  });

function attemptRow({ claim, beganAt, result }: EndedAttempt): AttemptRow {
  const of = { deliveryId: claim.deliveryId, beganAt, tookMs: result.ms };
  return 'status' in result
    ? { ...of, status: result.status, error: null, answer: result.answer }
    : { ...of, status: null, error: result.error, answer: null };
}
