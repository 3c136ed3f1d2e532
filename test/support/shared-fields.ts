import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import { activateField, releaseOn, releaseOver } from '../../sql/org/records/releases.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { insertTexts, makeField } from './custom-fields.ts';

/** Custom fields, and what makes them cross a connection, in the store itself. */

interface TestField extends CustomFieldRow {
  readonly ownerId: string;
}

/** Makes a field that can cross a connection: one of text that is shared, unless the choices say otherwise. */
export async function makeCrossingField(
  store: OrgStore,
  ownerId: string,
  choices: Partial<CustomFieldRow> = {},
): Promise<TestField> {
  const field = await makeField(store, { id: ownerId }, { shared: choices.filledByPartner !== true, ...choices });
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

/** Writes texts of the owner, or of another writer, into a field. */
export const writeTexts = (
  store: OrgStore,
  field: TestField,
  mastrNumber: string,
  texts: readonly string[],
  writerId = field.ownerId,
): Promise<number> => insertTexts(store, field, texts, { mastrNumber, writerId });
