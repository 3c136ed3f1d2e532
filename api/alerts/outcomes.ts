import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Settings } from '../../runtime/settings.ts';
import { noteFaults, type OwnedAlertRow } from '../../sql/org/alerts/alerts.ts';
import {
  type AlertOutcome,
  type AlertPlace,
  recordEvent,
  recordedRow,
  recordOutcomes,
} from '../../sql/org/alerts/evaluations.ts';
import { queueMails } from '../../sql/org/alerts/mails.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { alertEventData, type ChangedMatch, changesEventData } from '../events/event.ts';
import { storeEvent } from '../events/store-event.ts';
import { sendsMail } from './mail/sends-mail.ts';

/** Records the outcomes of alerts, and stores the events that they fire: each alert once for each version. */

export interface AlertResult {
  readonly alert: OwnedAlertRow;
  /** The reason why the alert could not be asked; null = it could. */
  fault: string | null;
  /** Units that match. */
  count: number;
  /** The first units that match, in order: the digits of their numbers. */
  readonly numbers: number[];
  /** What changed of the first of them; null = no endpoint takes it. */
  details: readonly ChangedMatch[] | null;
}

/** The number of alerts by outcome. */
export type RecordedCounts = Record<AlertOutcome['outcome'], number>;

interface Recording {
  readonly store: OrgStore;
  readonly settings: Settings;
  readonly version: string;
  keepOn(): void;
  eventsStored(count: number): void;
  faultRecorded(alert: AlertPlace): void;
}

/**
 * Alerts whose outcomes are one transaction: so few that a store with a single connection does not keep others waiting, and
 * enough that a server does not wait for its disk after every alert.
 */
const OUTCOMES_TOGETHER = 10;

/** @param counts what was recorded is added to it */
export async function recordResults(
  results: readonly AlertResult[],
  recording: Recording,
  counts: RecordedCounts,
): Promise<void> {
  for (const [organisationId, own] of Map.groupBy(results, ({ alert }) => alert.organisationId)) {
    for (let from = 0; from < own.length; from += OUTCOMES_TOGETHER) {
      recording.keepOn();
      const recorded = await recordTogether(organisationId, own.slice(from, from + OUTCOMES_TOGETHER), recording);
      for (const result of recorded) {
        counts[outcomeOf(result)] += 1;
        if (result.fault !== null) recording.faultRecorded(result.alert);
      }
      const fired = recorded.filter((result) => outcomeOf(result) === 'FIRED').length;
      if (fired > 0) recording.eventsStored(fired);
      await othersTurn();
    }
  }
}

/** @returns the results that were recorded now */
async function recordTogether(
  organisationId: string,
  results: readonly AlertResult[],
  { store, settings, version }: Recording,
): Promise<AlertResult[]> {
  return store.asOperator(async (session) => {
    const outcomes = results.map((result) => ({
      organisationId,
      id: result.alert.id,
      enabledAt: result.alert.enabledAt,
      outcome: outcomeOf(result),
      matches: result.fault === null ? result.count : 0,
      fault: result.fault,
    }));
    const rows = await session.rows(recordedRow, recordOutcomes(organisationId, version, outcomes));
    const ids = new Set(rows.map(({ id }) => id));
    const recorded = results.filter(({ alert }) => ids.has(alert.id));
    for (const result of recorded) {
      if (outcomeOf(result) !== 'FIRED') continue;
      const { id, name, template } = result.alert;
      const mastrNumbers = result.numbers.map(unitNumberOf);
      const fired = { alert: { id, name, template }, matchCount: result.count, mastrNumbers };
      const { details } = result;
      const event = await storeEvent(session, {
        ...{ organisationId, type: 'alert.triggered', mastrNumbers },
        data: (eventId) => alertEventData(fired, eventId, settings),
        data2: details === null ? null : (eventId) => changesEventData(fired, details, eventId, settings),
      });
      await session.run(recordEvent(id, version, event.id));
      if (sendsMail(settings)) await session.run(queueMails(id, event.id));
      // Postgres inside this process answers without ever yielding to other work.
      await othersTurn();
    }
    const faults = recorded
      .filter(({ alert, fault }) => alert.fault !== fault)
      .map(({ alert: { id }, fault }) => ({ id, fault }));
    if (faults.length > 0) await session.run(noteFaults(faults, new Date().toISOString()));
    return recorded;
  });
}

const outcomeOf = ({ fault, count }: AlertResult): AlertOutcome['outcome'] => {
  if (fault !== null) return 'FAULTY';
  return count > 0 ? 'FIRED' : 'NO_MATCH';
};
