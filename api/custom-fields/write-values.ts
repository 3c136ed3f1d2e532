import {
  type FieldValue,
  type FieldValueRow,
  type FieldValues,
  fieldValueRow,
  insertValues,
  lockValues,
  presentValues,
  removeValues,
} from '../../sql/org/records/custom-field-values.ts';
import { keepCustomFields } from '../../sql/org/records/custom-fields.ts';
import type { Session } from '../../sql/org/store.ts';

/** Whose field it is, and who writes: the organisation itself, or a partner that was asked. */
interface Parties {
  readonly organisationId: string;
  readonly writerId: string;
}

/**
 * Makes sure that the fields of an organisation and their values on these units stay as they are until the transaction ends.
 * It comes before the fields are read, in statements of its own: each statement sees what was committed before it began.
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
 * Gives each field exactly these values of the writer, in their order; those of other writers stay. Needs the locks of
 * `lockForValues`.
 * @param changes each field of a unit at most once; without values, what the writer has there is removed
 * @returns the effect of each change, in their order
 */
export async function writeValues(
  session: Session,
  { organisationId, writerId }: Parties,
  changes: readonly FieldValues[],
): Promise<('created' | 'updated' | 'unchanged')[]> {
  if (changes.length === 0) return [];
  const present = await session.rows(fieldValueRow, presentValues(organisationId, writerId, changes));
  const before = Map.groupBy(present, placeOf);
  const effects = changes.map((change) => effectOf(before.get(placeOf(change)) ?? [], change.values));
  const changed = changes.filter((_, index) => effects[index] !== 'unchanged');
  if (changed.length > 0) {
    await session.run(removeValues(organisationId, writerId, changed));
    await session.run(insertValues(organisationId, writerId, changed, new Date().toISOString()));
  }
  return effects;
}

const placeOf = ({ fieldId, mastrNumber }: Pick<FieldValueRow, 'fieldId' | 'mastrNumber'>): string =>
  `${mastrNumber} ${fieldId}`;

function effectOf(before: readonly FieldValue[], after: readonly FieldValue[]): 'created' | 'updated' | 'unchanged' {
  if (before.length === after.length && before.every((value, index) => isSame(value, after[index]))) return 'unchanged';
  return before.length === 0 ? 'created' : 'updated';
}

const isSame = (a: FieldValue, b: FieldValue | undefined): boolean =>
  (['text', 'number', 'day', 'dayPrecision'] as const).every((slot) => a[slot] === b?.[slot]);
