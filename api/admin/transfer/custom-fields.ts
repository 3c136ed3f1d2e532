import { z } from 'zod';
import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  MAX_FIELDS,
} from '../../../sql/org/records/custom-fields.ts';
import { inGermanOrder } from '../../../sql/org/records/german-order.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import {
  changeFaults,
  choiceList,
  definitionFaults,
  fieldType,
  lockFields,
  writeFields,
} from '../../custom-fields/rules.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { type Fault, type Pair, section } from './section.ts';

const NAME = 'customFields';

/** Definitions of the organisation's own fields, with retired ones. */
export const customFields = section<CustomFieldRow>({
  name: NAME,
  shape: z.strictObject({
    id: uuid(),
    name: line(NAME_LENGTH),
    type: fieldType(),
    multiple: z.boolean(),
    choices: choiceList(),
    filledByPartner: z.boolean(),
    shared: z.boolean(),
    retiredAt: timestampOption().nullable(),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'name',
  defaults: (now) => ({
    multiple: false,
    choices: [],
    filledByPartner: false,
    shared: false,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
  }),
  async read(session, organisationId) {
    return inGermanOrder(await session.rows(customFieldRow, customFieldsOf(organisationId)));
  },
  write: writeFields,
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM custom_fields WHERE id = ANY (${ids}::uuid[])`),
  async faults(session, organisationId, pairs) {
    await lockFields(session, organisationId);
    return [...(await tooMany(session, organisationId, pairs)), ...(await unfitting(session, organisationId, pairs))];
  },
});

async function tooMany(
  session: Session,
  organisationId: string,
  pairs: readonly Pair<CustomFieldRow>[],
): Promise<Fault[]> {
  const stored = await session.rows(customFieldRow, customFieldsOf(organisationId));
  const count = stored.length + pairs.filter(({ present }) => present === null).length;
  if (count <= MAX_FIELDS) return [];
  return [{ path: [NAME], message: `would make ${count} fields, retired ones included; ${MAX_FIELDS} are the most` }];
}

async function unfitting(
  session: Session,
  organisationId: string,
  pairs: readonly Pair<CustomFieldRow>[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { index, updated, present } of pairs) {
    const found = definitionFaults(updated);
    if (present !== null) found.push(...(await changeFaults(session, organisationId, present, updated)));
    faults.push(...found.map(({ member, message }) => ({ path: [NAME, index, member], message })));
  }
  return faults;
}
