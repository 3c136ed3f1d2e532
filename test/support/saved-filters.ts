import { randomUUIDv7 } from 'node:crypto';
import { putSavedFilters, type SavedFilterRow } from '../../sql/org/records/saved-filters.ts';
import type { OrgStore } from '../../sql/org/store.ts';

export function savedFilterFixture(choices: Partial<SavedFilterRow> = {}): SavedFilterRow {
  const now = new Date().toISOString();
  const plain = { id: randomUUIDv7(), name: 'Gespeicherter Filter', kind: 'table', criteria: {}, view: null } as const;
  return { ...plain, createdAt: now, updatedAt: now, ...choices };
}

/** Saves a filter of an organisation; one of the same name is replaced. @returns what is stored of a new one */
export async function saveFilter(
  store: OrgStore,
  organisationId: string,
  choices: Partial<SavedFilterRow>,
): Promise<SavedFilterRow> {
  const row = savedFilterFixture(choices);
  await store.asOperator((session) => session.run(putSavedFilters(organisationId, [row])));
  return row;
}
