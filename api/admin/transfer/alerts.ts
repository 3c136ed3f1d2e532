import { z } from 'zod';
import { SIGNAL_IDS } from '../../../sql/catalogue/signals.ts';
import { type AlertRow, type AlertRules, alertRow, alertsOf, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import { limitsOf } from '../../../sql/org/limits.ts';
import { isUuid, type OrganisationRow, organisationOf, organisationRow } from '../../../sql/org/organisations.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { writtenMembers } from '../../alerts/alert.ts';
import { type AlertHolder, alertHolder, registerQuestion } from '../../alerts/question.ts';
import { asksTheSame } from '../../alerts/rules.ts';
import { criteriaShape } from '../../saved-filters/criteria.ts';
import { ILL_FORMED, isStorable } from '../../wire/parameters.ts';
import { shapeFaults } from '../common/document-faults.ts';
import { GRANTS, storable, timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { names } from './organisation.ts';
import { type Fault, type Pair, section } from './section.ts';

/** An alert of a document. */
type AlertItem = Omit<AlertRow, 'savedFilterId' | 'faultySince'> & {
  /** The name of the saved filter that has the criteria, or its id when it is gone. */
  readonly savedFilter: string | null;
};

const NAME = 'alerts';

/** The alerts, which name saved filters. One that is faulty says so, and is taken in as such: moving must not lose it. */
export const alerts = section<AlertItem>({
  name: NAME,
  shape: z.strictObject({
    id: uuid(),
    name: writtenMembers.name,
    template: writtenMembers.template,
    signals: names(GRANTS.signals).transform((given): string[] => SIGNAL_IDS.filter((id) => given.includes(id))),
    // A faulty alert may have criteria that this release does not take, so they are checked with the other faults.
    criteria: z.record(z.string(), z.unknown()).refine(hasStorableTexts, ILL_FORMED).nullable(),
    savedFilter: z.string().min(1, 'must not be empty').nullable(),
    enabled: z.boolean(),
    enabledAt: timestampOption(),
    fault: storable().min(1, 'must not be empty').nullable(),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'name',
  defaults: (now) => ({
    signals: [],
    criteria: {},
    savedFilter: null,
    enabled: true,
    enabledAt: now,
    fault: null,
    createdAt: now,
    updatedAt: now,
  }),
  // One of the two stands for both: with criteria of its own, an alert has no saved filter, and the other way round.
  complete(members) {
    const { criteria = null, savedFilter = null } = members;
    if (criteria !== null && members.savedFilter === undefined) return { ...members, savedFilter: null };
    if (savedFilter !== null && members.criteria === undefined) return { ...members, criteria: null };
    return members;
  },
  async read(session, organisationId) {
    const { holder } = await holderOf(session, organisationId);
    const rows = await session.rows(alertRow, alertsOf(organisationId));
    return rows.map(({ savedFilterId, faultySince: _, ...row }) => {
      const { id, name, template, signals, criteria, ...others } = row;
      const savedFilter = savedFilterId === null ? null : (holder.filters.get(savedFilterId)?.name ?? savedFilterId);
      const fault = row.fault ?? registerQuestion({ ...row, savedFilterId }, holder).fault;
      return { id, name, template, signals, criteria, savedFilter, ...others, fault };
    });
  },
  async write(session, organisationId, items) {
    const { holder } = await holderOf(session, organisationId);
    const stored = await session.rows(alertRow, alertsOf(organisationId));
    const faultySince = new Map(stored.map((alert) => [alert.id, alert.faultySince]));
    const now = new Date().toISOString();
    const rows = items.map(({ savedFilter, ...item }) => ({
      ...item,
      savedFilterId: savedFilterIdOf(savedFilter, holder),
      faultySince: item.fault === null ? null : (faultySince.get(item.id) ?? now),
    }));
    await session.run(putAlerts(organisationId, rows));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM alerts WHERE id = ANY (${ids}::uuid[])`),
  // As with the command, new rules of an alert hold from now on, and the alert no longer counts as faulty.
  merge(present, updated) {
    const same =
      present.savedFilter === updated.savedFilter &&
      asksTheSame({ ...present, savedFilterId: null }, { ...updated, savedFilterId: null });
    const isEnabledNow = updated.enabled && !present.enabled;
    return {
      ...updated,
      enabledAt: same && !isEnabledNow ? present.enabledAt : new Date().toISOString(),
      fault: same || updated.fault !== present.fault ? updated.fault : null,
    };
  },
  async faults(session, organisationId, pairs) {
    const { organisation, holder } = await holderOf(session, organisationId);
    const { maxAlerts } = limitsOf(organisation.limits);
    const stored = await session.rows(alertRow, alertsOf(organisationId));
    const count = stored.length + pairs.filter(({ present }) => present === null).length;
    const tooMany: Fault[] =
      count > Math.max(maxAlerts, stored.length)
        ? [
            {
              path: [NAME],
              message: `would make ${count} alerts; the limit maxAlerts of the organisation is ${maxAlerts}`,
            },
          ]
        : [];
    return [...tooMany, ...pairs.flatMap((pair) => faultsOf(pair, holder))];
  },
});

/**
 * The organisation with what its alerts depend on. The end of a trial is left aside: it comes with time, and is no fault of
 * a document.
 */
async function holderOf(
  session: Session,
  organisationId: string,
): Promise<{ organisation: OrganisationRow; holder: AlertHolder }> {
  const organisation = await singleRow(session, organisationRow, organisationOf(organisationId));
  return { organisation, holder: await alertHolder(session, { ...organisation, trialEndsAt: null }) };
}

/** Returns true when every text in a JSON value is one that the store can hold. */
function hasStorableTexts(value: unknown): boolean {
  let storable = true;
  JSON.stringify(value, (name, inside) => {
    storable &&= isStorable(name) && (typeof inside !== 'string' || isStorable(inside));
    return inside;
  });
  return storable;
}

/** The id of a saved filter by its name, or a text that is an id; null when it is neither. */
function savedFilterIdOf(reference: string | null, { filters }: AlertHolder): string | null {
  if (reference === null) return null;
  const found = [...filters.values()].find(({ name }) => name === reference);
  return found?.id ?? (isUuid(reference) ? reference.toLowerCase() : null);
}

function faultsOf({ index, updated }: Pair<AlertItem>, holder: AlertHolder): Fault[] {
  const at = (member: keyof AlertItem, message: string): Fault[] => [{ path: [NAME, index, member], message }];
  const { template, signals, criteria, savedFilter, fault } = updated;
  if (template === 'SIGNAL_CHANGE' && signals.length === 0) return at('signals', 'must name those that it watches');
  if (template !== 'SIGNAL_CHANGE' && signals.length > 0)
    return at('signals', `must be empty for the template ${template}`);
  if (criteria !== null && savedFilter !== null) return at('savedFilter', 'must be null beside criteria');
  if (criteria === null && savedFilter === null) return at('criteria', 'is required without a saved filter');
  const savedFilterId = savedFilterIdOf(savedFilter, holder);
  if (savedFilter !== null && savedFilterId === null) {
    return at('savedFilter', `names ${savedFilter}, which is no saved filter of the organisation`);
  }
  if (fault !== null) return [];
  const { error } = criteriaShape.safeParse(criteria ?? {});
  if (error !== undefined) {
    return shapeFaults(error, criteria, criteriaShape).map(({ path, message }) => ({
      path: [NAME, index, 'criteria', ...path],
      message,
    }));
  }
  const rules: AlertRules = { template, signals, criteria, savedFilterId };
  const reason = registerQuestion(rules, holder).fault;
  return reason === null ? [] : [{ path: [NAME, index], message: `cannot be evaluated: ${reason}` }];
}
