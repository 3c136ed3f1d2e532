import { randomUUIDv7 } from 'node:crypto';
import { type FieldValue, insertValues } from '../../sql/org/records/custom-field-values.ts';
import { type CustomFieldRow, putCustomFields } from '../../sql/org/records/custom-fields.ts';
import { activateField, releaseOn, releaseOver } from '../../sql/org/records/releases.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Custom fields, and what makes them cross a connection, in the store itself. */

interface TestField extends CustomFieldRow {
  readonly ownerId: string;
}

/** Makes a field of text that is shared, unless the choices say otherwise. */
export async function makeField(
  store: OrgStore,
  ownerId: string,
  choices: Partial<CustomFieldRow> = {},
): Promise<TestField> {
  const now = new Date().toISOString();
  const id = randomUUIDv7();
  const field: CustomFieldRow = {
    id,
    name: `Feld ${id}`,
    type: 'TEXT',
    multiple: false,
    choices: [],
    filledByPartner: false,
    shared: choices.filledByPartner !== true,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
    ...choices,
  };
  await store.asOperator((session) => session.run(putCustomFields(ownerId, [field])));
  return { ...field, ownerId };
}

interface Crossing {
  readonly active?: boolean;
  /** Released for the connection. */
  readonly over?: boolean;
  /** Units with a standing release. */
  readonly on?: readonly string[];
}

/** Activates and releases a field for a connection; by default active, and released for it. */
export async function openField(
  store: OrgStore,
  connectionId: string,
  field: TestField,
  { active = true, over = true, on = [] }: Crossing = {},
): Promise<void> {
  const now = new Date().toISOString();
  const standing = on.map((mastrNumber) => ({ fieldId: field.id, mastrNumber, releasedAt: now }));
  await store.asOperator(async (session) => {
    if (active) {
      await session.run(activateField(connectionId, field, field.filledByPartner ? 'REQUEST' : 'SHARE', now));
    }
    if (over) await session.run(releaseOver(connectionId, field, now));
    await session.run(releaseOn(field.ownerId, standing));
  });
}

const EMPTY: FieldValue = { text: null, number: null, day: null, dayPrecision: null };

/** Writes texts of the owner, or of another writer, into a field. */
export const writeTexts = (
  store: OrgStore,
  { id, ownerId }: TestField,
  mastrNumber: string,
  texts: readonly string[],
  writerId = ownerId,
): Promise<number> =>
  store.asOperator((session) =>
    session.run(
      insertValues(ownerId, [
        {
          fieldId: id,
          mastrNumber,
          writerId,
          values: texts.map((text) => ({ ...EMPTY, text })),
          updatedAt: new Date().toISOString(),
        },
      ]),
    ),
  );
