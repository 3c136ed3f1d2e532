import { randomUUIDv7 } from 'node:crypto';
import { insertValues } from '../../sql/org/records/custom-field-values.ts';
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

interface TextChoices {
  readonly mastrNumber: string;
  /** Default: the owner of the field. */
  readonly writerId?: string;
  /** RFC 3339. Default: now. */
  readonly updatedAt?: string;
}

/** Writes texts into a field past the API: as its owner or another writer, now or at another time. */
export const insertTexts = (
  store: OrgStore,
  field: { readonly id: string; readonly ownerId: string },
  texts: readonly string[],
  { mastrNumber, writerId = field.ownerId, updatedAt = new Date().toISOString() }: TextChoices,
): Promise<number> => {
  const values = texts.map((text) => ({ text, number: null, day: null, dayPrecision: null }));
  return store.asOperator((session) =>
    session.run(insertValues(field.ownerId, [{ fieldId: field.id, mastrNumber, writerId, values, updatedAt }])),
  );
};
