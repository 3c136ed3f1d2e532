import { z } from 'zod';
import { canonicalId } from '../../sql/org/organisations.ts';
import { type CustomFieldRow, customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { bodyText, mastrNumber } from '../wire/parameters.ts';
import { answerGroups, batchOf, type GroupAnswer, type RowGroup } from '../wire/rows.ts';
import { PARTLY_FAILED, writeAnswer, writeResponse } from '../wire/write-response.ts';
import { failedAll, notFound, readGroup } from './put.ts';
import { valueSlots } from './value-input.ts';
import { lockForValues, writeValues } from './write-values.ts';

const MAX_INPUTS = 500;

const input = z.strictObject(
  {
    mastrNummer: mastrNumber().describe('The unit'),
    defId: bodyText(100).describe('The field, from GET /v1/custom-fields'),
    ...valueSlots,
  },
  'must be an object',
);

type Input = z.output<typeof input>;

/** Gives each named field of several units exactly the values that were sent for it: a table of units by fields. */
export const putValuesOfUnits = operation({
  id: 'custom-fields.put-of-units',
  method: 'PUT',
  path: '/v1/custom-fields/values',
  summary: 'Set own values of several units',
  description:
    'As PUT /v1/units/{id}/custom-fields does for one: replaces per unit and field. `externalId` of a row is its mastrNummer, a ' +
    'slash, and its defId.',
  access: 'api',
  scope: 'custom_fields:write',
  module: 'workspace',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  body: z.strictObject({ values: batchOf(input, MAX_INPUTS) }),
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  problems: ['DATASET_NOT_READY'],
  example: { body: { values: [] } },
  async handle({ body, caller, records, dataset, dryRun }) {
    const answers = await answerGroups({
      rows: body.values,
      shape: input,
      nameOf: placeOf,
      async write(groups) {
        const numbers = [...new Set(groups.map(numberOf))];
        const known = numbers.length === 0 ? new Set<string>() : await dataset().units.existing(numbers);
        return groups.length === 0 ? [] : records((session) => put(session, caller.organisation.id, groups, known));
      },
    });
    return writeAnswer(answers, dryRun);
  },
});

function placeOf(row: unknown): string | null {
  const { mastrNummer, defId } = (row ?? {}) as { mastrNummer?: unknown; defId?: unknown };
  return typeof mastrNummer === 'string' && typeof defId === 'string' ? `${mastrNummer}/${canonicalId(defId)}` : null;
}

const numberOf = ({ name }: RowGroup<Input>): string => name.split('/', 1)[0] ?? '';

/** Writes the fields whose inputs hold; the answers come in the order of the groups. */
async function put(
  session: Session,
  organisationId: string,
  groups: readonly RowGroup<Input>[],
  known: ReadonlySet<string>,
): Promise<GroupAnswer[]> {
  await lockForValues(session, organisationId, [...known]);
  const fields = await session.rows(customFieldRow, customFieldsInUse(organisationId));
  const byId = new Map<string, CustomFieldRow>(fields.map((field) => [field.id, field]));
  const read = groups.map((group) => {
    const mastrNumber = numberOf(group);
    if (!known.has(mastrNumber)) return failedAll(group, notFound(`The register has no unit ${mastrNumber}`));
    const name = group.name.slice(mastrNumber.length + 1);
    return readGroup({ ...group, name }, byId.get(name), { mastrNumber, writerId: organisationId });
  });
  const changes = read.flatMap((result) => ('change' in result ? [result.change] : []));
  const effects = (await writeValues(session, organisationId, changes)).values();
  return read.map((result): GroupAnswer => {
    if ('faults' in result) return result;
    const { value: status } = effects.next();
    if (status === undefined) throw new Error('A change of values has no effect');
    return { status };
  });
}
