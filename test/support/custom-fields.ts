import { randomUUIDv7 } from 'node:crypto';
import { type CustomFieldRow, putCustomFields } from '../../sql/org/records/custom-fields.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Makes or changes a field of an organisation past the command line; without choices, a shared text of one line. */
export async function makeField(
  store: OrgStore,
  organisation: { readonly id: string },
  choices: Partial<CustomFieldRow> = {},
): Promise<CustomFieldRow> {
  const id = randomUUIDv7();
  const now = new Date().toISOString();
  const field: CustomFieldRow = {
    id,
    name: `Feld ${id}`,
    type: 'TEXT',
    multiple: false,
    choices: [],
    filledByPartner: false,
    shared: true,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
    ...choices,
  };
  await store.asOperator((session) => session.run(putCustomFields(organisation.id, [field])));
  return field;
}
