import { z } from 'zod';
import { argument } from '../../../runtime/command-line/parameter.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type CustomFieldRow, customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import type { Session } from '../../../sql/org/store.ts';
import { thingNamed } from '../common/thing-named.ts';

export const fieldArgument = argument('its name or its UUID', z.string().min(1, 'must not be empty'));

/** Finds a field by name or id. @throws CommandFailed suggesting the nearest name */
export const findField = async (
  session: Session,
  { id, externalId }: OrganisationRow,
  reference: string,
): Promise<CustomFieldRow> =>
  thingNamed(reference, await session.rows(customFieldRow, customFieldsOf(id)), {
    ...{ what: 'field', command: 'fields list', organisation: externalId },
  });
