import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../runtime/log.ts';
import { itemAt } from '../../runtime/present.ts';
import type { Settings } from '../../runtime/settings.ts';
import {
  claimEvaluation,
  claimRow,
  endEvaluation,
  endedAmong,
  endedRow,
  forgetAbandoned,
  LEASE_SECONDS,
  postponeEvaluation,
  releaseClaim,
  renewClaim,
} from '../../sql/org/alerts/evaluations.ts';
import { type OrgStore, StoreUnavailable } from '../../sql/org/store.ts';
import { onceAMinute } from '../access/once-a-minute.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Problem } from '../problem/problem.ts';
import { Unanswerable } from '../warehouse/version.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { NotComparable } from './changes.ts';
import { type EvaluationResult, evaluateAlerts } from './evaluation.ts';
import { firstPublications, lineOf, type PendingVersion, pendingVersions, withdrawnSince } from './line.ts';
import { keptVersions, NotKept } from './versions.ts';

/** Evaluates alerts whenever a version is published, and after every start what was published meanwhile. */

export interface EvaluatorParts {
  readonly store: OrgStore;
  readonly warehouse: Pick<Warehouse, 'publications' | 'versions' | 'openBeside'>;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'alertsEvaluated' | 'evaluationEnded'>;
  /** The evaluator calls this whenever it has stored events. */
  eventsStored(count: number): void;
}

/** The pause between two looks for new publications; each look is at what the service knows already. */
const LOOK_MILLISECONDS = 250;

/** The pause before work that another instance has claimed, or that failed, is looked at again. */
const AGAIN_MILLISECONDS = 5_000;

export function startEvaluator(parts: EvaluatorParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = follow(parts, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function follow(parts: EvaluatorParts, signal: AbortSignal): Promise<void> {
  const isFirst = onceAMinute();
  let seen: string | null = null;
  let again = 0;
  while (!signal.aborted) {
    const newest = parts.warehouse.publications().at(-1);
    const revision = newest === undefined ? null : `${newest.publishedAt} ${newest.version}`;
    if (revision !== null && (revision !== seen || performance.now() >= again)) {
      seen = revision;
      const isDone = await evaluatePending(parts, signal).catch((error: unknown) => {
        if (isFirst('failed')) parts.log.error({ err: error }, 'alerts could not be evaluated; they are tried again');
        return false;
      });
      again = isDone ? Number.POSITIVE_INFINITY : performance.now() + AGAIN_MILLISECONDS;
    }
    await sleep(LOOK_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Evaluates every version that is published and was not yet, in the order of their publications.
 * @returns false when something is left to others, or for later
 */
export async function evaluatePending(parts: EvaluatorParts, signal: AbortSignal): Promise<boolean> {
  const { warehouse, store } = parts;
  const publications = warehouse.publications();
  const served = publications.at(-1);
  if (served === undefined) return true;
  const first = firstPublications(publications);
  const line = lineOf(served.version, first);
  const newest = itemAt(line, 0);
  const rows = await store.asOperator((session) =>
    session.rows(endedRow, endedAmong(line.map(({ version }) => version))),
  );
  const ended = new Set(rows.map(({ version }) => version));
  if (ended.has(newest.version)) return true;
  for (const pending of pendingVersions(line, ended, await keptVersions(warehouse), Date.now())) {
    if (signal.aborted) return false;
    if (!(await evaluateVersion(pending, withdrawnSince(pending, line, first), parts, signal))) return false;
  }
  await store.asOperator((session) => session.run(forgetAbandoned(newest.publishedAt)));
  return true;
}

/** The claim has passed to another instance, or the service stops: whoever goes on finds what is left. */
class Ended extends Error {}

/** @returns true when the evaluation of the version has ended */
async function evaluateVersion(
  { version, publishedAt, comparedWith }: PendingVersion,
  withdrawn: readonly string[],
  parts: EvaluatorParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, log, metrics } = parts;
  const claim = await store.asOperator((session) =>
    session.row(claimRow, claimEvaluation({ version, publishedAt, comparedWith })),
  );
  if (claim === null) return isEnded(store, version);
  const { attempts } = claim;
  const began = performance.now();
  const lease = heldLease(parts, version, attempts);
  const end = async (outcome: 'done' | 'given_up', changed: number | null, error: string | null): Promise<boolean> => {
    await store.asOperator((session) => session.run(endEvaluation(version, attempts, changed, error)));
    metrics.evaluationEnded(outcome, (performance.now() - began) / 1000);
    return true;
  };
  try {
    if (comparedWith === null) {
      log.info({ version }, 'the first version that is published: nothing of it is news');
      return await end('done', null, null);
    }
    const faulty: FaultyAlert[] = [];
    const result = await evaluateAlerts({
      ...{ store, settings: parts.settings, versions: parts.warehouse, eventsStored: parts.eventsStored },
      ...{ version, publishedAt, comparedWith, withdrawn },
      keepOn() {
        if (signal.aborted || lease.isLost()) throw new Ended();
      },
      faultRecorded({ organisationId: organisation, id: alert }) {
        if (faulty.length < FAULTY_NAMED) faulty.push({ organisation, alert });
      },
    });
    await end('done', result.changed, null);
    tell(result, faulty, { version, comparedWith, ms: Math.round(performance.now() - began) }, parts);
    return true;
  } catch (error) {
    // A version that was removed just now leaves its news to the next one.
    if (error instanceof Ended || error instanceof NotKept) {
      await store.asOperator((session) => session.run(releaseClaim(version, attempts)));
      return false;
    }
    const reason = error instanceof Error ? error.message : String(error);
    const isPassing = isOutage(error);
    const failures = claim.failures + (isPassing ? 0 : 1);
    if (error instanceof NotComparable || failures >= MOST_FAILURES) {
      log.error({ err: error, version, failures }, 'alerts cannot be evaluated for this version; later ones go on');
      return await end('given_up', null, reason);
    }
    const seconds = isPassing ? OUTAGE_SECONDS : Math.min(MOST_WAIT_SECONDS, 5 * 2 ** (failures - 1));
    log.error({ err: error, version, failures, seconds }, 'alerts could not be evaluated; they are tried again');
    metrics.evaluationEnded('failed', (performance.now() - began) / 1000);
    await store.asOperator((session) =>
      session.run(postponeEvaluation(version, attempts, { error: reason, failures, seconds })),
    );
    return false;
  } finally {
    lease.end();
  }
}

/** The number of failures after which the evaluation of a version is given up, which takes some hours. */
const MOST_FAILURES = 20;
const MOST_WAIT_SECONDS = 600;

/** The wait after an outage of the store or the warehouse. */
const OUTAGE_SECONDS = 30;

/** Returns true for an error that passes by itself, and says nothing about the version. */
const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE' && !(error instanceof Unanswerable));

const isEnded = async (store: OrgStore, version: string): Promise<boolean> =>
  (await store.asOperator((session) => session.rows(endedRow, endedAmong([version])))).length > 0;

/** Renews a claim again and again while work is under way. */
function heldLease({ store, log }: EvaluatorParts, version: string, attempt: number) {
  let lost = false;
  const timer = setInterval(
    async () => {
      try {
        const renewed = await store.asOperator((session) => session.run(renewClaim(version, attempt)));
        lost ||= renewed === 0;
      } catch (error) {
        // The next statement about alerts meets the same fault, or the next renewal succeeds.
        log.warn({ err: error, version }, 'the claim on the evaluation of alerts could not be renewed');
      }
    },
    (LEASE_SECONDS * 1000) / 4,
  );
  return { isLost: () => lost, end: () => clearInterval(timer) };
}

/** The most faulty alerts that the log names after an evaluation. */
const FAULTY_NAMED = 10;

interface FaultyAlert {
  readonly organisation: string;
  readonly alert: string;
}

function tell(
  { changed, ...outcomes }: EvaluationResult,
  first: readonly FaultyAlert[],
  about: { readonly version: string; readonly comparedWith: string; readonly ms: number },
  { log, metrics }: EvaluatorParts,
): void {
  const { NO_MATCH: withoutMatch, FIRED: events, FAULTY: faulty } = outcomes;
  metrics.alertsEvaluated(outcomes);
  log.info({ ...about, changed, events, withoutMatch, faulty }, 'alerts evaluated');
  if (faulty > 0) {
    log.warn(
      { version: about.version, faulty, first },
      'alerts are faulty; `npm run admin -- alerts list <organisation>` says why',
    );
  }
}
