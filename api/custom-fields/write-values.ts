import {
  type FieldValue,
  type FieldValues,
  fieldValueRow,
  insertValues,
  lockValues,
  presentValues,
  removeValues,
  type ValuesKey,
} from '../../sql/org/records/custom-field-values.ts';
import { keepCustomFields } from '../../sql/org/records/custom-fields.ts';
import type { Session } from '../../sql/org/store.ts';

/**
 * Makes sure that the fields of an organisation and their values on these units stay as they are until the transaction
 * ends. It comes before the fields are read, in statements of its own: each statement sees what was committed before it
 * began.
 */
export async function lockForValues(
  session: Session,
  organisationId: string,
  mastrNumbers: readonly string[],
): Promise<void> {
  await session.run(keepCustomFields(organisationId));
  await session.run(lockValues(organisationId, mastrNumbers));
}

/**
 * Gives each field exactly these values of their writer, in their order; those of other writers stay. Needs the locks
 * of `lockForValues`.
 * @param organisationId whose fields they are
 * @param changes each writer, field and unit at most once; without values, those that are there are removed
 * @returns the effect of each change, in their order
 */
export async function writeValues(
  session: Session,
  organisationId: string,
  changes: readonly FieldValues[],
): Promise<('created' | 'updated' | 'unchanged')[]> {
  if (changes.length === 0) return [];
  const present = await session.rows(fieldValueRow, presentValues(organisationId, changes));
  const before = Map.groupBy(present, placeOf);
  const effects = changes.map((change) => effectOf(before.get(placeOf(change)) ?? [], change.values));
  const changed = changes.filter((_, index) => effects[index] !== 'unchanged');
  if (changed.length > 0) {
    const updatedAt = new Date().toISOString();
    await session.run(removeValues(organisationId, changed));
    await session.run(
      insertValues(
        organisationId,
        changed.map((change) => ({ ...change, updatedAt })),
      ),
    );
  }
  return effects;
}

const placeOf = ({ fieldId, mastrNumber, writerId }: ValuesKey): string => `${mastrNumber} ${fieldId} ${writerId}`;

function effectOf(before: readonly FieldValue[], after: readonly FieldValue[]): 'created' | 'updated' | 'unchanged' {
  if (before.length === after.length && before.every((value, index) => isSame(value, after[index]))) return 'unchanged';
  return before.length === 0 ? 'created' : 'updated';
}

const isSame = (a: FieldValue, b: FieldValue | undefined): boolean =>
  (['text', 'number', 'day', 'dayPrecision'] as const).every((slot) => a[slot] === b?.[slot]);
