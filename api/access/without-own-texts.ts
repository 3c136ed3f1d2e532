import { anyWordOf, anyWordRow } from '../../sql/org/records/custom-field-search.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Returns true for an organisation whose own fields have no text, so that there is nothing to search. */
export type WithoutOwnTexts = (organisationId: string) => Promise<boolean>;

/**
 * Asks the store once, and again only when records may have changed: a transaction takes about as long as the rest of an answer
 * that is given again. Of a store that other processes write to, nothing is known.
 */
export function withoutOwnTexts(store: Pick<OrgStore, 'asOrganisation' | 'changes' | 'exclusive'>): WithoutOwnTexts {
  if (!store.exclusive) return async () => false;
  /** Organisations that have had a text are searched always. */
  const having = new Set<string>();
  let without = { since: store.changes(), organisations: new Set<string>() };
  return async (id) => {
    if (having.has(id)) return false;
    const now = store.changes();
    if (without.since !== now) without = { since: now, organisations: new Set() };
    // What changes meanwhile replaces this set.
    const { organisations } = without;
    if (organisations.has(id)) return true;
    const word = await store.asOrganisation(id, (session) => session.row(anyWordRow, anyWordOf(id)), 'reads');
    (word === null ? organisations : having).add(id);
    return word === null;
  };
}
