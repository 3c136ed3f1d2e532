import { z } from 'zod';
import { SIGNAL_IDS } from '../../../sql/catalogue/signals.ts';
import { type AlertRow, alertRow, alertsOf, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import { emailCounts, emailsOf, putEmails } from '../../../sql/org/alerts/emails.ts';
import { limitsOf } from '../../../sql/org/callers.ts';
import { isUuid } from '../../../sql/org/organisations.ts';
import { sql } from '../../../sql/org/statement.ts';
import { alertEmails, writtenMembers } from '../../alerts/alert.ts';
import { type AlertHolder, alertHolder, registerQuestion } from '../../alerts/question.ts';
import { asksTheSame, WATCHERS } from '../../alerts/rules.ts';
import { alertCriteriaShape } from '../../saved-filters/criteria.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { ILL_FORMED, isStorable } from '../../wire/parameters.ts';
import { shapeFaults } from '../common/document-faults.ts';
import { keysToWriteWith } from '../common/encryption.ts';
import type { Asked } from '../common/organisation-command.ts';
import { GRANTS, storable } from '../common/schemas.ts';
import { names } from './organisation.ts';
import { type Complaint, documented, section } from './section.ts';

/** An alert of a document. */
type AlertItem = Omit<AlertRow, 'savedFilterId' | 'faultySince'> & {
  /** The name of the saved filter that has the criteria, or its id when it is gone. */
  readonly savedFilter: string | null;
  /** As they are: in another store another key encrypts them. */
  readonly emails: readonly string[];
};

/** The members of a document, in their order. */
const { id, name, template, signals, fields, criteria, ...others } = alertRow.omit({
  savedFilterId: true,
  faultySince: true,
}).shape;
const savedFilter = z.string().min(1, 'must not be empty').nullable();

/** The alerts, which name saved filters. One that is faulty says so, and is taken in as such: moving must not lose it. */
export const alerts = section<AlertItem>({
  ...{ name: 'alerts', table: sql`alerts`, key: 'name' },
  shape: documented(
    z.strictObject({ id, name, template, signals, fields, criteria, savedFilter, ...others, emails: alertEmails() }),
    {
      name: writtenMembers.name,
      template: writtenMembers.template,
      signals: names(GRANTS.signals).transform((given): string[] => SIGNAL_IDS.filter((id) => given.includes(id))),
      fields: z.array(storable()).transform((given): string[] => [...new Set(given)]),
      // A faulty alert may have criteria that this release does not take, so they are checked with the other faults.
      criteria: z.record(z.string(), z.unknown()).refine(hasStorableTexts, ILL_FORMED).nullable(),
      savedFilter,
      emails: alertEmails(),
      fault: storable().min(1, 'must not be empty').nullable(),
    },
  ),
  defaults: (now) => ({
    ...{ signals: [], fields: [], criteria: {}, savedFilter: null, enabled: true, enabledAt: now, fault: null },
    ...{ createdAt: now, updatedAt: now, emails: [] },
  }),
  // One of the two stands for both: with criteria of its own, an alert has no saved filter, and the other way round.
  complete(members) {
    const { criteria = null, savedFilter = null } = members;
    if (criteria !== null && members.savedFilter === undefined) return { ...members, savedFilter: null };
    if (savedFilter !== null && members.criteria === undefined) return { ...members, criteria: null };
    return members;
  },
  async read(place) {
    const holder = await holderOf(place);
    const { session, organisation, settings } = place;
    const emails = await emailsOf(session, openKeyring(settings), organisation.id);
    const rows = await session.rows(alertRow, alertsOf(organisation.id));
    return rows.map(({ savedFilterId, faultySince: _, ...row }) => {
      const { id, name, template, signals, fields, criteria, ...others } = row;
      const savedFilter = savedFilterId === null ? null : (holder.filters.get(savedFilterId)?.name ?? savedFilterId);
      const fault = row.fault ?? registerQuestion({ ...row, savedFilterId }, holder).fault;
      return {
        ...{ id, name, template, signals, fields, criteria, savedFilter, ...others, fault },
        emails: emails.get(id) ?? [],
      };
    });
  },
  async write(place, items) {
    const { session, organisation, settings } = place;
    const holder = await holderOf(place);
    const stored = await session.rows(alertRow, alertsOf(organisation.id));
    const faultySince = new Map(stored.map((alert) => [alert.id, alert.faultySince]));
    const now = new Date().toISOString();
    const rows = items.map(({ savedFilter, emails: _, ...item }) => ({
      ...item,
      savedFilterId: savedFilterIdOf(savedFilter, holder),
      faultySince: item.fault === null ? null : (faultySince.get(item.id) ?? now),
    }));
    await session.run(putAlerts(organisation.id, rows));
    // Without addresses before and after, no key is needed.
    const told = await emailCounts(session, organisation.id);
    for (const { id, emails } of items) {
      if (emails.length === 0 && !told.has(id)) continue;
      const { keyring } = await keysToWriteWith(session, settings);
      await putEmails(session, keyring, { organisationId: organisation.id, alertId: id }, emails);
    }
  },
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
  complaintOfList({ length }, created, { limits }) {
    const { maxAlerts } = limitsOf(limits);
    const message = `would make ${length} alerts; the limit maxAlerts of the organisation is ${maxAlerts}`;
    return created > 0 && length > maxAlerts && message;
  },
  async rules(place) {
    const holder = await holderOf(place);
    return (alert) => complaintsAbout(alert, holder);
  },
});

/** What alerts depend on. The end of a trial is left aside: it comes with time, and is no fault of a document. */
const holderOf = ({ session, organisation }: Asked): Promise<AlertHolder> =>
  alertHolder(session, { ...organisation, trialEndsAt: null });

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

function complaintsAbout(alert: AlertItem, holder: AlertHolder): readonly Complaint[] {
  const { template, signals, fields, criteria, savedFilter, fault } = alert;
  for (const member of ['signals', 'fields'] as const) {
    const watches = template === WATCHERS[member];
    if (watches && alert[member].length === 0) return [['must name those that it watches', member]];
    if (!watches && alert[member].length > 0) return [[`must be empty for the template ${template}`, member]];
  }
  if (criteria !== null && savedFilter !== null) return [['must be null beside criteria', 'savedFilter']];
  if (criteria === null && savedFilter === null) return [['is required without a saved filter', 'criteria']];
  const savedFilterId = savedFilterIdOf(savedFilter, holder);
  if (savedFilter !== null && savedFilterId === null) {
    return [[`names ${savedFilter}, which is no saved filter of the organisation`, 'savedFilter']];
  }
  if (fault !== null) return [];
  const { error } = alertCriteriaShape.safeParse(criteria ?? {});
  if (error !== undefined) {
    const faults = shapeFaults(error, criteria, alertCriteriaShape);
    return faults.map(({ path, message }) => [message, 'criteria', ...path]);
  }
  const reason = registerQuestion({ template, signals, fields, criteria, savedFilterId }, holder).fault;
  return [reason !== null && [`cannot be evaluated: ${reason}`]];
}
