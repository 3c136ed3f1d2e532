import { z } from 'zod';
import { counted } from '../../runtime/counted.ts';
import {
  choiceUseRow,
  fieldUseRow,
  sharingOf,
  sharingRow,
  touchConnectionsWith,
  useOfChoices,
  useOfFields,
  withdrawFields,
} from '../../sql/org/records/custom-field-use.ts';
import {
  type CustomFieldRow,
  FIELD_TYPES,
  lockCustomFields,
  putCustomFields,
} from '../../sql/org/records/custom-fields.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';

/** The rules for definitions of custom fields: of the commands and of imported documents. */

const MAX_CHOICES = 200;

export const fieldType = () => z.enum(FIELD_TYPES, `must be one of ${FIELD_TYPES.join(', ')}`);

export const choiceList = () =>
  z
    .array(line(NAME_LENGTH))
    .max(MAX_CHOICES, `must not have more than ${MAX_CHOICES} values`)
    .refine((list) => new Set(list).size === list.length, 'must not have a value more than once');

/** A fault of a definition; the message completes the member: "must …". */
export interface DefinitionFault {
  readonly member: keyof CustomFieldRow;
  readonly message: string;
}

/** Finds what is wrong with a definition by itself. */
export function definitionFaults({ type, choices }: CustomFieldRow): DefinitionFault[] {
  if (type === 'DROPDOWN' && choices.length === 0) {
    return [{ member: 'choices', message: 'must have at least one value, since the type is DROPDOWN' }];
  }
  if (type !== 'DROPDOWN' && choices.length > 0) {
    return [{ member: 'choices', message: `must be empty, since the type is ${type}` }];
  }
  return [];
}

/** Finds what stands against a change: what never changes, and values or releases that would no longer fit. */
export async function changeFaults(
  session: Session,
  organisationId: string,
  before: CustomFieldRow,
  after: CustomFieldRow,
): Promise<DefinitionFault[]> {
  const faults: DefinitionFault[] = [];
  if (after.type !== before.type) {
    faults.push({ member: 'type', message: `must stay ${before.type}: the type of a field never changes` });
  }
  if (after.filledByPartner !== before.filledByPartner) {
    faults.push({ member: 'filledByPartner', message: 'must stay as it is: who fills a field never changes' });
  }
  const removed = before.choices.filter((choice) => !after.choices.includes(choice));
  if (removed.length > 0) {
    const used = await session.rows(choiceUseRow, useOfChoices(organisationId, before.id));
    for (const { choice, units } of used.filter(({ choice }) => removed.includes(choice))) {
      faults.push({ member: 'choices', message: `must keep ${JSON.stringify(choice)}, which ${unitsHave(units)}` });
    }
  }
  if (before.multiple && !after.multiple) {
    const [use] = await session.rows(fieldUseRow, useOfFields(organisationId, [before.id]));
    const units = use?.unitsWithSeveral ?? 0;
    if (units > 0) {
      faults.push({ member: 'multiple', message: `must stay on: ${unitsHave(units)} several values` });
    }
  }
  if (before.shared && !after.shared && !after.filledByPartner) {
    const { releases, activations } = await singleRow(session, sharingRow, sharingOf(before.id));
    if (releases + activations > 0) {
      const message = `must stay on: the field has ${counted(releases, 'release')} and is active on ${counted(activations, 'connection')}; withdraw it there first, or retire the field`;
      faults.push({ member: 'shared', message });
    }
  }
  return faults;
}

const unitsHave = (units: number): string => `${counted(units, 'unit')} ${units === 1 ? 'has' : 'have'}`;

/** Keeps everybody else from changing the fields of an organisation, or values in them, until the transaction ends. */
export const lockFields = (session: Session, organisationId: string): Promise<number> =>
  session.run(lockCustomFields(organisationId));

/** Writes definitions; those that are retired leave every connection. Needs the lock of `lockFields`. */
export async function writeFields(
  session: Session,
  organisationId: string,
  fields: readonly CustomFieldRow[],
): Promise<void> {
  await session.run(putCustomFields(organisationId, fields));
  const retired = fields.filter(({ retiredAt }) => retiredAt !== null).map(({ id }) => id);
  if (retired.length === 0) return;
  await session.run(touchConnectionsWith(retired));
  for (const statement of withdrawFields(retired)) await session.run(statement);
}
