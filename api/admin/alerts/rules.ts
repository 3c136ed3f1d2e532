import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import type { AlertRules } from '../../../sql/org/alerts/alerts.ts';
import type { AlertTemplate } from '../../../sql/org/rights.ts';
import type { Session } from '../../../sql/org/store.ts';
import { alertQuestion } from '../../alerts/question.ts';
import { EVERY_UNIT, rulesWith } from '../../alerts/rules.ts';
import { criteriaShape } from '../../saved-filters/criteria.ts';
import { suggestion } from '../../wire/nearest.ts';
import { refuseFaults, shapeFaults } from '../common/document-faults.ts';
import { readJson } from '../common/read-json.ts';
import type { HeldAlerts } from './find-alert.ts';

/** The rules of an alert as they are typed: from options to what is stored. */

export interface TypedRules {
  readonly template?: AlertTemplate | undefined;
  readonly signals?: readonly string[] | undefined;
  /** The text of a JSON document. */
  readonly criteria?: string | undefined;
  /** Name or UUID of a saved filter. */
  readonly filter?: string | undefined;
}

/** Rules with criteria that are valid as such; whether the organisation may ask them is not known yet. */
export interface ReadRules extends Omit<TypedRules, 'criteria'> {
  readonly criteria?: Readonly<Record<string, unknown>> | undefined;
}

/** @throws CommandFailed when options exclude each other, or the criteria are no unit filters: with the place of each fault */
export function readRules({ criteria, ...others }: TypedRules): ReadRules {
  if (criteria === undefined) return others;
  if (others.filter !== undefined) {
    throw usageError(
      '--criteria and --filter exclude each other: an alert has criteria of its own, or those of a saved filter',
    );
  }
  const raw = readJson(criteria);
  const { data, error } = criteriaShape.safeParse(raw);
  if (error !== undefined) return refuseFaults(shapeFaults(error, raw, criteriaShape));
  return { ...others, criteria: data };
}

/**
 * Rules as they are typed, over those that an alert has.
 * @param present null for a new alert
 * @throws CommandFailed for a combination that no alert has, for an unknown saved filter, and for what the organisation
 *   may not ask
 */
export async function rulesOf(
  session: Session,
  held: HeldAlerts,
  read: ReadRules,
  present: AlertRules | null,
): Promise<AlertRules> {
  const template = read.template ?? present?.template;
  if (template === undefined) throw usageError('An alert needs --template');
  const { signals, criteria, filter } = read;
  const savedFilter = filter === undefined ? undefined : savedFilterId(held, filter);
  const { rules, fault } = rulesWith(
    template,
    { signals, criteria, savedFilterId: savedFilter },
    present ?? EVERY_UNIT,
  );
  if (fault !== null) throw usageError(`--${fault.member} ${fault.message}`);
  await mustBeAskable(session, held, rules);
  return rules;
}

function savedFilterId({ organisation: { externalId }, holder }: HeldAlerts, reference: string): string {
  const filters = [...holder.filters.values()];
  const found = filters.find(({ id, name }) => name === reference || id === reference.toLowerCase());
  if (found !== undefined) return found.id;
  const names = filters.map(({ name }) => name);
  throw refused(
    `${externalId} has no saved filter ${reference}${suggestion(reference, names)}\n` +
      `Those it has: npm run admin -- filters list ${externalId}`,
  );
}

/** @throws CommandFailed saying why an alert with these rules would be faulty */
export async function mustBeAskable(
  session: Session,
  { organisation: { externalId }, holder }: HeldAlerts,
  rules: AlertRules,
): Promise<void> {
  const { fault } = await alertQuestion(session, rules, holder);
  if (fault === null) return;
  throw refused(`${fault}\nWhat it has booked: npm run admin -- organisations show ${externalId}`);
}
