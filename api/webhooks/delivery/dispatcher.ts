import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../runtime/log.ts';
import { type EncryptionKeys, type Keyring, withKeyring } from '../../../sql/org/encryption.ts';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import { type OrgStore, StoreUnavailable } from '../../../sql/org/store.ts';
import {
  type Claim,
  type ClaimRow,
  claimDeliveries,
  claimRow,
  type DueEndpoint,
  dueEndpointRow,
  dueEndpoints,
  releaseClaims,
} from '../../../sql/org/webhooks/deliveries.ts';
import { signingSecrets } from '../../../sql/org/webhooks/secrets.ts';
import { onceAMinute } from '../../access/once-a-minute.ts';
import { shareOut } from './agenda.ts';
import { openBell } from './bell.ts';
import { type DeliveryMeter, report } from './report.ts';
import { SCHEDULE } from './schedule.ts';
import { type Message, type SendResult, TIMEOUT_MS } from './send.ts';
import { type EndedAttempt, type Settled, settle } from './settle.ts';
import { openAttempts } from './underway.ts';

/**
 * Delivers what is due in the outbox, as one of several instances may do at once.
 *
 * One loop asks the store, and never two statements at a time: it writes what came of attempts, looks which endpoints have
 * something due, claims as many deliveries as can begin at once, and begins them. What ends meanwhile is written together in
 * the next turn; so the more there is to do, the fewer transactions a delivery takes.
 */
export interface Dispatcher {
  /** Says that something may be due. */
  wake(): void;
  /** The seconds for which the oldest unclaimed delivery has been due; 0 = none is due. */
  oldestDueSeconds(): { readonly healthy: number; readonly failing: number };
  /** Attempts that have begun and not ended. */
  underWay(): number;
  /** Begins no more attempts, lets those under way end within a time, and gives back the claims of the rest. */
  stop(graceMs: number): Promise<void>;
}

export interface Parts {
  readonly store: OrgStore;
  readonly keyring: Keyring;
  readonly log: Logger;
  readonly metrics: DeliveryMeter;
  send(message: Message, options: { readonly signal: AbortSignal }): Promise<SendResult>;
}

export interface Pace {
  /** The present, as a part of SQL. */
  now(): StoreStatement;
  /** Gives numbers from 0 to 1. */
  readonly random: () => number;
  readonly schedule: readonly number[];
  /** The pause between two looks at what is due, unless somebody wakes the dispatcher. */
  readonly pollMs: number;
  /** Attempts that can begin within `placeMs`; as an attempt may last longer, more can be under way. */
  readonly places: number;
  readonly placeMs: number;
  /** The claim of an instance that crashed holds for so long. */
  readonly leaseSeconds: number;
}

const PACE: Pace = {
  now: () => sql`now()`,
  random: Math.random,
  schedule: SCHEDULE,
  pollMs: 1_000,
  places: 128,
  placeMs: 1_000,
  leaseSeconds: 60,
};

/** Returns how many places there can be when no more than so many attempts shall ever run at once. */
export const placesWithin = (attempts: number): number =>
  Math.min(PACE.places, Math.max(1, Math.floor(attempts / (TIMEOUT_MS / PACE.placeMs + 1))));

/** The most deliveries claimed in one transaction, so that requests never wait long for the embedded store. */
const MOST_CLAIMED = 32;

/** The most attempts written in one transaction. */
const MOST_SETTLED = 64;

/**
 * The loop rests as long as its last turn took, within these limits: so half of the embedded store is for requests, and what
 * ends within a moment is written together.
 */
const SHORTEST_REST_MS = 40;
const LONGEST_REST_MS = 250;

/** Looking takes at most this part of the time, however often it is woken. */
const LOOKING_SHARE = 0.2;

const PAUSE_WITHOUT_STORE_MS = 1_000;

/** The result of an attempt that ended before anything was sent. The organisation reads it, so it does not name the key. */
const UNSIGNED: SendResult = {
  ms: 0,
  error: 'The service could not sign the message: its operator has to bring back a key',
};

export function startDispatcher(
  { store, keyring, log, metrics, send }: Parts,
  choices: Partial<Pace> = {},
): Dispatcher {
  const pace: Pace = { ...PACE, ...choices };
  const bell = openBell();
  const attempts = openAttempts(pace.places, pace.placeMs, bell.ring);
  const isFirst = onceAMinute();
  /** Endpoints with something due, as of the last look. */
  let agenda = new Map<string, DueEndpoint>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookTook = 0;
  let woken = true;
  const ended: EndedAttempt[] = [];
  const brokenOff: Claim[] = [];
  let stopping = false;
  let closed = false;

  const nextLook = (): number => lookedAt + (woken ? lookTook / LOOKING_SHARE : pace.pollMs);

  const loop = (async () => {
    while (!closed) {
      const began = performance.now();
      const rest = await turn().then(
        () => Math.min(Math.max(performance.now() - began, SHORTEST_REST_MS), LONGEST_REST_MS),
        (error: unknown) => {
          if (isFirst('turn'))
            log[error instanceof StoreUnavailable ? 'warn' : 'error'](
              { err: error },
              'webhooks cannot be delivered now',
            );
          return PAUSE_WITHOUT_STORE_MS;
        },
      );
      if (!closed) await sleep(rest);
      if (!closed) await bell.heard(Math.max(0, nextLook() - performance.now()));
    }
  })();

  async function turn(): Promise<void> {
    await settleEnded();
    if (stopping) return;
    if (performance.now() >= nextLook()) await look();
    if (agenda.size > 0 && attempts.free() > 0) await beginSome();
  }

  async function look(): Promise<void> {
    woken = false;
    lookedAt = performance.now();
    const due = await store.asOperator((session) => session.rows(dueEndpointRow, dueEndpoints(pace.now())));
    lookTook = performance.now() - lookedAt;
    agenda = new Map(due.map((endpoint) => [endpoint.endpointId, endpoint]));
  }

  async function beginSome(): Promise<void> {
    const places = Math.min(attempts.free(), MOST_CLAIMED);
    const wanted = shareOut(places, [...agenda.values()], attempts);
    if (wanted.length === 0) return;
    const keys = keyring.keys();
    const claims = await store.asOperator((session) =>
      session.rows(claimRow, claimDeliveries(pace.now(), wanted, pace.leaseSeconds)),
    );
    const claimed = Map.groupBy(claims, ({ endpoint }) => endpoint.id);
    for (const { endpointId, count } of wanted) {
      if ((claimed.get(endpointId)?.length ?? 0) < count) agenda.delete(endpointId);
    }
    for (const claim of claims) begin(claim, keys);
    // There may be more than were claimed in one transaction.
    if (places === MOST_CLAIMED) bell.ring();
  }

  function begin(claim: ClaimRow, keys: EncryptionKeys): void {
    if (stopping) {
      brokenOff.push(claim);
      return;
    }
    attempts.begin(claim.endpoint, async (signal) => {
      const beganAt = new Date().toISOString();
      try {
        const { eventId: id, payload: body, endpoint } = claim;
        const secrets = withKeyring(keyring, keys, (known) => signingSecrets(endpoint, known, new Date()));
        const result = await send({ id, body, url: endpoint.url, secrets }, { signal });
        if (signal.aborted && !('status' in result)) brokenOff.push(claim);
        else ended.push({ claim, beganAt, result, sent: true });
      } catch (error) {
        ended.push({ claim, beganAt, result: UNSIGNED, sent: false });
        const { organisationId: organisation, id: endpoint } = claim.endpoint;
        if (isFirst(endpoint)) log.error({ organisation, endpoint, err: error }, 'a webhook cannot be signed');
      }
    });
  }

  async function settleEnded(): Promise<void> {
    while (ended.length > 0) await settleFirst(MOST_SETTLED);
  }

  /** Writes the first attempts that have ended, and removes them from the list at once, so that no outage has one written twice. */
  async function settleFirst(count: number): Promise<void> {
    const some = ended.slice(0, count);
    let settled: Settled;
    try {
      settled = await settle(store, some, { ...pace, now: pace.now() });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // An attempt that the store does not take must not keep the others out: the delivery is due again when the claim runs out.
      if (some.length > 1) {
        for (let left = some.length; left > 0; left--) await settleFirst(1);
        return;
      }
      const refused = ended.shift();
      log.error({ delivery: refused?.claim.deliveryId, err: error }, 'an attempt could not be written');
      return;
    }
    ended.splice(0, some.length);
    report(settled, log, metrics);
    for (const { attempt, outcome } of settled.outcomes) {
      const due = agenda.get(attempt.claim.endpoint.id);
      if (due !== undefined && attempt.sent)
        agenda.set(due.endpointId, { ...due, failing: outcome.state !== 'DELIVERED' });
    }
  }

  return {
    wake() {
      woken = true;
      bell.ring();
    },
    oldestDueSeconds() {
      const since = performance.now() - lookedAt;
      const oldest = (failing: boolean) =>
        Math.max(
          0,
          ...[...agenda.values()].filter((due) => due.failing === failing).map(({ waitedMs }) => waitedMs + since),
        );
      return { healthy: oldest(false) / 1000, failing: oldest(true) / 1000 };
    },
    underWay: attempts.count,
    async stop(graceMs) {
      stopping = true;
      const grace = setTimeout(() => attempts.breakOff(), graceMs);
      await attempts.idle();
      clearTimeout(grace);
      closed = true;
      bell.ring();
      await loop;
      try {
        await settleEnded();
        if (brokenOff.length > 0) await store.asOperator((session) => session.run(releaseClaims(brokenOff)));
      } catch (error) {
        log.warn(
          { err: error, attempts: ended.length },
          'attempts could not be written; these deliveries are repeated',
        );
      }
    },
  };
}

/** Stands for a dispatcher where nothing is sent. */
export const dispatchNothing: Dispatcher = {
  wake() {},
  oldestDueSeconds: () => ({ healthy: 0, failing: 0 }),
  underWay: () => 0,
  async stop() {},
};
