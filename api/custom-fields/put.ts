import { z } from 'zod';
import { canonicalId } from '../../sql/org/organisations.ts';
import type { FieldValues } from '../../sql/org/records/custom-field-values.ts';
import { type CustomFieldRow, customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { bodyText, mastrNumber } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';
import { answerGroups, batchOf, type GroupAnswer, type RowFault, type RowGroup } from '../wire/rows.ts';
import { PARTLY_FAILED, writeAnswer, writeResponse } from '../wire/write-response.ts';
import { readValues, valueSlots } from './value-input.ts';
import { lockForValues, writeValues } from './write-values.ts';

const MAX_INPUTS = 50;

const input = z.strictObject(
  {
    defId: bodyText(100).describe('The field, from GET /v1/custom-fields'),
    ...valueSlots,
  },
  'must be an object',
);

type Input = z.output<typeof input>;

/** Gives each named field of a unit exactly the values that were sent for it. */
export const putCustomFieldValues = operation({
  id: 'custom-fields.put',
  method: 'PUT',
  path: '/v1/units/{id}/custom-fields',
  summary: 'Set own values of a unit',
  description:
    'Replaces per field: a field that is named has the values sent for it afterwards, in their order, and none if all of ' +
    'them are empty; other fields stay as they are. All inputs of one field are written together or fail together, and ' +
    'each of them is answered. `externalId` of a row is its defId.',
  access: 'api',
  scope: 'custom_fields:write',
  module: 'workspace',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  pathParameters: z.strictObject({ id: mastrNumber().describe('MaStR number of the unit, begins with SEE') }),
  body: z.strictObject({ values: batchOf(input, MAX_INPUTS) }),
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  problems: ['DATASET_NOT_READY'],
  example: {
    path: { id: 'SEE900000000001' },
    body: { values: [] },
  },
  async handle({ path: { id }, body, caller, records, dataset, dryRun }) {
    const answers = await answerGroups({
      rows: body.values,
      shape: input,
      nameOf: defIdOf,
      async write(groups) {
        if (groups.length === 0) return [];
        const isKnown = (await dataset().units.existing([id])).has(id);
        if (!isKnown) return groups.map((group) => failedAll(group, notFound(`The register has no unit ${id}`)));
        return records((session) => put(session, caller.organisation.id, id, groups));
      },
    });
    return writeAnswer(answers, dryRun);
  },
});

function defIdOf(row: unknown): string | null {
  const name = (row as { defId?: unknown } | null)?.defId;
  return typeof name === 'string' ? canonicalId(name) : null;
}

export const notFound = (message: string): RowFault => ({ code: 'NOT_FOUND', message });

export type FailedGroup = Extract<GroupAnswer, { faults: unknown }>;

/** Fails every row of a group with one fault. */
export const failedAll = ({ rows }: Pick<RowGroup<Input>, 'rows'>, fault: RowFault): FailedGroup => ({
  faults: rows.map(() => fault),
});

/** Writes the fields whose inputs hold; the answers come in the order of the groups. */
async function put(
  session: Session,
  organisationId: string,
  mastrNumber: string,
  groups: readonly RowGroup<Input>[],
): Promise<GroupAnswer[]> {
  await lockForValues(session, organisationId, [mastrNumber]);
  const fields = await session.rows(customFieldRow, customFieldsInUse(organisationId));
  const byId = new Map(fields.map((field) => [field.id, field]));
  const place = { mastrNumber, writerId: organisationId };
  const read = groups.map((group) => readGroup(group, byId.get(group.name), place));
  const changes = read.flatMap((result) => ('change' in result ? [result.change] : []));
  const effects = (await writeValues(session, organisationId, changes)).values();
  return read.map((result): GroupAnswer => {
    if ('faults' in result) return result;
    const { value: status } = effects.next();
    if (status === undefined) throw new Error('A change of values has no effect');
    return { status };
  });
}

/** Reads the inputs of one field of one unit. */
export function readGroup(
  group: RowGroup<Input>,
  field: CustomFieldRow | undefined,
  place: Pick<FieldValues, 'mastrNumber' | 'writerId'>,
): { readonly change: FieldValues } | FailedGroup {
  if (field === undefined) {
    const message = `There is no field ${quoted(group.name)} among those that GET /v1/custom-fields lists`;
    return failedAll(group, notFound(message));
  }
  if (field.filledByPartner) {
    const message =
      `${quoted(field.name)} is filled by the counterpart of a connection, ` +
      'who answers it with POST /v1/connections/{id}/shared-fields';
    return failedAll(group, { code: 'UNPROCESSABLE', message });
  }
  const result = readValues(field, group.rows);
  if ('values' in result) return { change: { ...place, fieldId: field.id, values: result.values } };
  return {
    faults: result.faults.map((message) => (message === null ? null : { code: 'UNPROCESSABLE', message })),
  };
}
