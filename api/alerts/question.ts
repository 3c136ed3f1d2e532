import type { AlertRules } from '../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { portfolioNumberRow, portfolioNumbers } from '../../sql/org/records/portfolio.ts';
import { type SavedFilterRow, savedFilterRow, savedFiltersOf } from '../../sql/org/records/saved-filters.ts';
import type { Session } from '../../sql/org/store.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { digitsOf } from '../../sql/register/mastr-number.ts';
import { type Booked, bookedBy } from '../access/booked.ts';
import { mustHaveModule } from '../access/rights.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeEntitledTo, mustHaveSignals, searchesOwnTexts, withOwnTexts } from '../units/conditions.ts';
import { filterConditions } from '../units/filters.ts';
import { alertCriteria, filterCriteria } from '../units/query.ts';
import { messageOf } from '../wire/violations.ts';
import { mustBeWatchable } from './watches.ts';

/**
 * Finds out what an alert asks of a version. An alert may become faulty without being changed: entitlements end, saved filters
 * change, and a release may know a filter no longer.
 */

/** The parts of an organisation that its alerts depend on. */
export interface AlertHolder {
  readonly organisation: Booked;
  /** The saved filters of the organisation by id, of both kinds. */
  readonly filters: ReadonlyMap<string, SavedFilterRow>;
}

/** Reads what all alerts of an organisation depend on. */
export async function alertHolder(session: Session, organisation: OrganisationRow): Promise<AlertHolder> {
  const filters = await session.rows(savedFilterRow, savedFiltersOf(organisation.id));
  return { organisation: bookedBy(organisation), filters: new Map(filters.map((filter) => [filter.id, filter])) };
}

/** The conditions that a unit has to meet, or the reason why the alert is faulty: a sentence for people, without a full stop. */
export type AlertQuestion =
  | { readonly conditions: readonly Condition[]; readonly fault: null }
  | { readonly conditions: null; readonly fault: string };

/** True when an alert asks for the units of the portfolio alone, which are no condition: `portfolioNow` has them. */
export const asksPortfolio = ({ criteria }: Pick<AlertRules, 'criteria'>): boolean => criteria?.portfolio === true;

/** The units that are in the portfolio of an organisation now, by the digits of their numbers. */
export async function portfolioNow(session: Session, organisationId: string): Promise<ReadonlySet<number>> {
  const rows = await session.rows(portfolioNumberRow, portfolioNumbers(organisationId, WHOLE, null));
  return new Set(rows.map(({ mastrNumber }) => digitsOf(mastrNumber)));
}

const WHOLE = { relationTypes: null, externalRef: null, customField: null } as const;

/** Finds out what an alert asks, without the texts of the organisation's own fields, which only a search needs. */
export const registerQuestion = (rules: AlertRules, holder: AlertHolder): AlertQuestion => {
  try {
    return { conditions: conditionsOf(rules, holder), fault: null };
  } catch (error) {
    return faulty(error);
  }
};

/**
 * Finds out what an alert asks, as a search with these filters would at this moment. The session may be that of the
 * operator, and goes on after a fault.
 */
export async function alertQuestion(session: Session, rules: AlertRules, holder: AlertHolder): Promise<AlertQuestion> {
  const question = registerQuestion(rules, holder);
  if (question.conditions === null || !searchesOwnTexts(holder.organisation)) return question;
  try {
    const conditions: Condition[] = [];
    for (const condition of question.conditions) {
      conditions.push(await withOwnTexts(session, holder.organisation.id, condition));
    }
    return { conditions, fault: null };
  } catch (error) {
    return faulty(error);
  }
}

function faulty(error: unknown): AlertQuestion {
  if (error instanceof Problem) return { conditions: null, fault: error.message };
  throw error;
}

/** @throws Problem when the alert cannot be evaluated */
function conditionsOf(
  { template, signals, fields, criteria, savedFilterId }: AlertRules,
  holder: AlertHolder,
): Condition[] {
  const { organisation, filters } = holder;
  if (organisation.trialEnded) {
    throw new Problem('MISSING_MODULE', `The organisation's trial ended on ${organisation.trialEndsAt}`);
  }
  if (!organisation.alertTemplates.includes(template)) {
    const granted = [...organisation.alertTemplates].sort().join(', ') || 'no template at all';
    throw new Problem(
      'UNPROCESSABLE',
      `The organisation is not entitled to alerts from ${template}; it is entitled to ${granted}`,
    );
  }
  mustHaveSignals(signals, organisation);
  mustBeWatchable(fields, holder);
  const conditions = filterConditions(
    savedFilterId === null
      ? readCriteria('The alert', criteria ?? {}, alertCriteria)
      : savedCriteria(savedFilterId, filters),
  );
  if (asksPortfolio({ criteria })) mustHaveModule(holder, 'portfolio', 'The filter portfolio');
  mustBeEntitledTo(conditions, holder);
  return conditions;
}

function savedCriteria(id: string, filters: AlertHolder['filters']): Readonly<Record<string, unknown>> {
  const filter = filters.get(id);
  if (filter === undefined) throw new Problem('NOT_FOUND', `The organisation has no saved filter with the id ${id}`);
  if (filter.kind === 'table') return readCriteria(`The saved filter ${filter.name}`, filter.criteria);
  throw new Problem(
    'UNPROCESSABLE',
    `The saved filter ${filter.name} is one of the map, and alerts need one of the table`,
  );
}

/** @param holder the subject of the sentence that a fault is told in */
function readCriteria(
  holder: string,
  criteria: Readonly<Record<string, unknown>>,
  shape: typeof filterCriteria | typeof alertCriteria = filterCriteria,
): Readonly<Record<string, unknown>> {
  const { data, error } = shape.safeParse(criteria);
  if (data !== undefined) return data;
  const [first] = error.issues;
  if (first === undefined) throw error;
  const what =
    first.code === 'unrecognized_keys' ? first.keys.join(', ') : `${String(first.path[0])}, which ${messageOf(first)}`;
  throw new Problem('FILTER_CONFLICT', `${holder} has criteria that this release does not take: ${what}`);
}
