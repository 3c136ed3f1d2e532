import { setImmediate as othersTurn } from 'node:timers/promises';
import { itemAt } from '../../runtime/present.ts';
import { type Settings, today } from '../../runtime/settings.ts';
import { signalMask } from '../../sql/catalogue/signals.ts';
import { type OwnedAlertRow, ownedAlertRow } from '../../sql/org/alerts/alerts.ts';
import { type AlertPlace, alertsLeft, toldRow, toldUnits } from '../../sql/org/alerts/evaluations.ts';
import { MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import { organisationOf, organisationRow } from '../../sql/org/organisations.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { askedUnits } from '../../sql/query/changes.ts';
import { digitsOf } from '../../sql/register/mastr-number.ts';
import { searchesOwnTexts } from '../units/conditions.ts';
import { type ChangeCount, type ChangedUnit, changedUnits } from './changes.ts';
import { addDetails } from './details.ts';
import { type AskedAlert, matchAlerts } from './matching.ts';
import { type AlertResult, type RecordedCounts, recordResults } from './outcomes.ts';
import { alertHolder, asksPortfolio, portfolioNow, registerQuestion } from './question.ts';
import { type OpenComparison, openComparison, type Versions } from './versions.ts';
import { NOT_TOLD, watchesOf } from './watches.ts';

/** Evaluates the alerts of all organisations for one published version. */

export interface Evaluation {
  readonly store: OrgStore;
  readonly versions: Versions;
  readonly settings: Settings;
  readonly version: string;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly comparedWith: string;
  /** Versions that were published in between and withdrawn: what was told of them is not told again. */
  readonly withdrawn: readonly string[];
  /** The evaluation calls this before each step; it throws to end the work. */
  keepOn(): void;
  /** The evaluation calls this whenever it has stored events. */
  eventsStored(count: number): void;
  /** The evaluation calls this for each alert whose fault it has recorded. */
  faultRecorded(alert: AlertPlace): void;
}

/** The outcome of one attempt; earlier attempts may have done the rest. */
export interface EvaluationResult extends RecordedCounts {
  /** Units with other content than before; null = no alert was left, so they were not counted. */
  readonly changed: number | null;
}

/** Alerts that are evaluated in one pass over the changes: each keeps up to 10,000 units until it is recorded. */
const ALERTS_TOGETHER = 1000;

/** Alerts that are read in one statement, or understood, before other work gets its turn. */
const ALERTS_AT_ONCE = 50;

/** @throws NotComparable, and whatever `keepOn` throws */
export async function evaluateAlerts(evaluation: Evaluation): Promise<EvaluationResult> {
  let changed: number | null = null;
  const counts: RecordedCounts = { NO_MATCH: 0, FIRED: 0, FAULTY: 0 };
  for (let after: OwnedAlertRow | null = null; ; ) {
    evaluation.keepOn();
    const alerts = await nextAlerts(after, evaluation);
    if (alerts.length === 0) return { changed, ...counts };
    changed = await evaluateTogether(alerts, evaluation, counts);
    after = itemAt(alerts, alerts.length - 1);
  }
}

async function nextAlerts(after: OwnedAlertRow | null, evaluation: Evaluation): Promise<OwnedAlertRow[]> {
  const alerts: OwnedAlertRow[] = [];
  while (alerts.length < ALERTS_TOGETHER) {
    const last = alerts.at(-1) ?? after;
    const some = await evaluation.store.asOperator((session) =>
      session.rows(ownedAlertRow, alertsLeft(evaluation, last, ALERTS_AT_ONCE)),
    );
    alerts.push(...some);
    if (some.length < ALERTS_AT_ONCE) break;
    await othersTurn();
  }
  return alerts;
}

/** @returns the number of units with other content */
async function evaluateTogether(
  alerts: readonly OwnedAlertRow[],
  evaluation: Evaluation,
  counts: RecordedCounts,
): Promise<number> {
  const results = new Map<string, AlertResult>(
    alerts.map((alert) => [alert.id, { alert, fault: null, count: 0, numbers: [], details: null }]),
  );
  const resultOf = ({ id }: AskedAlert): AlertResult => {
    const result = results.get(id);
    if (result === undefined) throw new Error(`The alert ${id} was not asked about`);
    return result;
  };
  const asked = await askedAlerts([...results.values()], evaluation);
  const { versions, version, comparedWith, withdrawn } = evaluation;
  const opened = await openComparison(versions, version, comparedWith, withdrawn);
  let changed: number;
  try {
    changed = await matchTogether(asked, resultOf, opened, evaluation);
    await addDetails([...results.values()], opened, evaluation);
  } finally {
    // Before anything is recorded, so that what the engine holds and what events take do not add up.
    await opened.close();
  }
  await recordResults([...results.values()], evaluation, counts);
  return changed;
}

/** @returns the number of units with other content */
async function matchTogether(
  asked: readonly AskedAlert[],
  resultOf: (alert: AskedAlert) => AlertResult,
  opened: OpenComparison,
  evaluation: Evaluation,
): Promise<number> {
  const { store, settings, keepOn } = evaluation;
  const count: ChangeCount = { changed: 0 };
  const askable = opened.before === null ? asked.filter(({ watches }) => watches.length === 0) : asked;
  for (const alert of asked) if (!askable.includes(alert)) resultOf(alert).fault = NOT_TOLD;
  const watches = new Map(askable.flatMap((alert) => alert.watches.map((watch) => [watch.key, watch])));
  const wanted = {
    watches: [...watches.values()],
    newUnits: asked.some(({ template }) => template === 'NEW_UNIT'),
    signals: asked.reduce((mask, { signals }) => mask | signals, 0),
  };
  for await (const units of changedUnits(opened, wanted, count, keepOn)) {
    const isToldAlready = await toldAlready(units, opened, evaluation);
    await matchAlerts(units, askable, {
      current: opened.current,
      store,
      today: today(settings),
      keepOn,
      async matched(alert, matches) {
        const result = resultOf(alert);
        const isTold = await isToldAlready(alert);
        const news = matches.filter((unit) => !isTold(unit));
        result.count += news.length;
        const missing = MAX_ROWS_PER_QUERY - result.numbers.length;
        for (const { digits } of news.slice(0, missing)) result.numbers.push(digits);
      },
      faulty(alert, fault) {
        resultOf(alert).fault = fault;
      },
    });
  }
  return count.changed;
}

/** Finds out what the alerts ask; those that cannot be asked get their fault. */
async function askedAlerts(
  results: readonly AlertResult[],
  { store, keepOn }: Pick<Evaluation, 'store' | 'keepOn'>,
): Promise<AskedAlert[]> {
  const asked: AskedAlert[] = [];
  for (const [organisationId, own] of Map.groupBy(results, ({ alert }) => alert.organisationId)) {
    keepOn();
    const held = await store.asOperator(async (session) => {
      const row = await session.row(organisationRow, organisationOf(organisationId));
      if (row === null) return null;
      const portfolio = own.some(({ alert }) => asksPortfolio(alert)) ? await portfolioNow(session, row.id) : null;
      return { holder: await alertHolder(session, row), portfolio };
    });
    // The organisation was deleted a moment ago, and its alerts with it.
    if (held === null) continue;
    const { holder, portfolio } = held;
    const ownTexts = searchesOwnTexts(holder.organisation);
    for (const [place, result] of own.entries()) {
      if (place % ALERTS_AT_ONCE === 0) await othersTurn();
      const { id, template, signals } = result.alert;
      const watches = watchesOf(result.alert);
      const { conditions, fault } = registerQuestion(result.alert, holder);
      const among = asksPortfolio(result.alert) ? portfolio : null;
      if (conditions === null) result.fault = fault;
      else
        asked.push({
          ...{ id, organisationId, template, signals: signalMask(signals), watches },
          ...{ conditions, among, ownTexts },
        });
    }
  }
  return asked;
}

type IsToldAlready = (unit: ChangedUnit) => boolean;

/**
 * Returns a function that finds out which news of an alert are none, because an event named the unit when a version was
 * published that has been withdrawn since. A signal that differs from that version, too, is news.
 */
async function toldAlready(
  units: readonly ChangedUnit[],
  { withdrawn }: OpenComparison,
  { store }: Evaluation,
): Promise<(alert: AskedAlert) => Promise<IsToldAlready>> {
  if (withdrawn.size === 0) return async () => () => false;
  const asked = askedUnits(units.map(({ digits }) => digits));
  const signalsIn = new Map<string, ReadonlyMap<number, number> | null>();
  for (const [version, stateOf] of withdrawn) signalsIn.set(version, stateOf === null ? null : await stateOf(asked));
  return async ({ id, template, signals }) => {
    const rows = await store.asOperator((session) =>
      session.rows(toldRow, toldUnits(id, [...withdrawn.keys()], asked)),
    );
    const versionsOf = Map.groupBy(rows, ({ mastrNumber }) => digitsOf(mastrNumber));
    return (unit) => {
      const told = versionsOf.get(unit.digits);
      if (told === undefined) return false;
      if (template === 'NEW_UNIT') return true;
      // What was told may have been another value: better twice than not.
      if (template !== 'SIGNAL_CHANGE') return false;
      return told.some(({ version }) => {
        const then = signalsIn.get(version);
        // A version that cannot be read any more counts as having had the same change.
        if (then === undefined || then === null) return true;
        const differsFromThen = unit.signals ^ (then.get(unit.digits) ?? 0);
        return ((unit.signals ^ unit.signalsBefore) & differsFromThen & signals) === 0;
      });
    };
  };
}
