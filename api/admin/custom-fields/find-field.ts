import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type CustomFieldRow, customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import type { Session } from '../../../sql/org/store.ts';
import { suggestion } from '../../wire/nearest.ts';

export const fieldArgument = argument('its name or its UUID', z.string().min(1, 'must not be empty'));

/**
 * Finds a field by name or id.
 * @throws CommandFailed suggesting the nearest name when the organisation has no such field
 */
export async function findField(
  session: Session,
  { id, externalId: organisation }: OrganisationRow,
  reference: string,
): Promise<CustomFieldRow> {
  const fields = await session.rows(customFieldRow, customFieldsOf(id));
  const found =
    fields.find(({ name }) => name === reference) ?? fields.find((field) => field.id === reference.toLowerCase());
  if (found !== undefined) return found;
  const names = fields.map(({ name }) => name);
  throw refused(
    `${organisation} has no field ${reference}${suggestion(reference, names)}\n` +
      `Those it has: npm run admin -- fields list ${organisation}`,
  );
}
