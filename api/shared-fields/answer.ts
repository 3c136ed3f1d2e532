import { z } from 'zod';
import { canonicalId, isUuid } from '../../sql/org/organisations.ts';
import type { ConnectionRow } from '../../sql/org/records/connections.ts';
import type { FieldValues } from '../../sql/org/records/custom-field-values.ts';
import { type CustomFieldRow, customFieldRow, customFieldsAmong } from '../../sql/org/records/custom-fields.ts';
import {
  keepConnection,
  type SharedFieldRow,
  sharedFieldRow,
  sharedFieldsAmong,
} from '../../sql/org/records/shared-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { connectionPath, EXAMPLE_CONNECTION } from '../connections/connection.ts';
import { findConnection } from '../connections/find-connection.ts';
import { readValues, valueSlots } from '../custom-fields/value-input.ts';
import { lockForValues, writeValues } from '../custom-fields/write-values.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { bodyText, mastrNumber } from '../wire/parameters.ts';
import { answerGroups, batchOf, type GroupAnswer, type RowFault, type RowGroup } from '../wire/rows.ts';
import { PARTLY_FAILED, writeAnswer, writeResponse } from '../wire/write-response.ts';
import { EXAMPLE_REQUEST } from './shared-field.ts';

const MAX_ANSWERS = 50;

const input = z.strictObject(
  {
    anlage: mastrNumber().describe('MaStR number of a unit in the scope of the connection'),
    defId: bodyText(100).describe('The field, `def.id` of GET /v1/connections/{id}/shared-fields'),
    ...valueSlots,
  },
  'must be an object',
);

type Input = z.output<typeof input>;

/** Answers what the counterpart asks, in its own stock: the only write into another organisation's records. */
export const answerSharedFields = operation({
  id: 'shared-fields.answer',
  method: 'POST',
  path: '/v1/connections/{id}/shared-fields',
  summary: 'Answer fields that the counterpart asks for',
  description:
    'A field of a unit has the answers sent for it afterwards, in their order, and none if all of them are empty: that ' +
    'withdraws the information. Answers belong to the organisation that wrote them: another partner of the counterpart ' +
    'neither sees nor overwrites them. `externalId` of a row is `<anlage>:<defId>`.',
  access: 'api',
  scope: 'connections:write',
  module: 'connection',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  pathParameters: connectionPath,
  body: z.strictObject({ antworten: batchOf(input, MAX_ANSWERS) }),
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  problems: ['NOT_FOUND', 'FIELD_NOT_WRITABLE'],
  example: {
    path: { id: EXAMPLE_CONNECTION },
    body: { antworten: [{ anlage: 'SEE900000000001', defId: EXAMPLE_REQUEST, zahl: 4.2 }] },
  },
  async handle({ path, body, caller, records, dryRun }) {
    const answers = await records(async (session) => {
      const organisationId = caller.organisation.id;
      const connection = await findConnection(session, organisationId, path.id);
      return answerGroups({
        rows: body.antworten,
        shape: input,
        nameOf,
        write: (groups) => answer(session, organisationId, connection, groups, body.antworten.length),
      });
    });
    return writeAnswer(answers, dryRun);
  },
});

/** `<anlage>:<defId>`, as far as the row says them. */
function nameOf(row: unknown): string | null {
  const { anlage, defId } = (row ?? {}) as { anlage?: unknown; defId?: unknown };
  return typeof anlage === 'string' && typeof defId === 'string' ? `${anlage}:${canonicalId(defId)}` : null;
}

/**
 * Writes the answers that the counterpart asks for; the results come in the order of the groups.
 * @param rows of the whole call, with those that have a fault in themselves
 * @throws Problem FIELD_NOT_WRITABLE when every row names a field that is shared and not asked for
 */
async function answer(
  session: Session,
  organisationId: string,
  { id, counterpartId }: ConnectionRow,
  groups: readonly RowGroup<Input>[],
  rows: number,
): Promise<GroupAnswer[]> {
  const units = [...new Set(groups.flatMap((group) => group.rows.map(({ anlage }) => anlage)))];
  const fieldIds = [...new Set(groups.flatMap((group) => group.rows.map(({ defId }) => defId)))].filter(isUuid);
  // Each statement sees what was committed before it began, so the locks come first.
  await lockForValues(session, counterpartId, units);
  await session.run(keepConnection(id));
  const crossing = new Map(
    (await session.rows(sharedFieldRow, sharedFieldsAmong(id, units, fieldIds))).map((row) => [placeOf(row), row]),
  );
  const shared = groups.filter(({ name }) => crossing.get(name)?.direction === 'SHARE');
  if (rows > 0 && shared.reduce((count, group) => count + group.rows.length, 0) === rows) {
    throw new Problem('FIELD_NOT_WRITABLE', 'Every row names a field that is shared, which its owner alone writes');
  }
  const fields = new Map(
    (await session.rows(customFieldRow, customFieldsAmong(fieldIds))).map((field) => [field.id, field]),
  );
  const read = groups.map((group) => {
    const row = crossing.get(group.name);
    const field = row === undefined ? undefined : fields.get(row.fieldId);
    return row === undefined || field === undefined || !isAsked(row, organisationId)
      ? notAsked(group, row)
      : readGroup(group, row, field);
  });
  const changes = read.flatMap(({ change }) => change ?? []);
  const effects = (await writeValues(session, counterpartId, changes)).values();
  return read.map(({ change, faults }): GroupAnswer => {
    if (change === undefined) return { faults };
    const { value: status } = effects.next();
    if (status === undefined) throw new Error('A change of values has no effect');
    return { status, faults };
  });
}

const placeOf = ({ mastrNumber, fieldId }: SharedFieldRow): string => `${mastrNumber}:${fieldId}`;

/** The counterpart asks the organisation; in rows of its own fields the organisation is the one who asks. */
const isAsked = ({ direction, writerId }: SharedFieldRow, organisationId: string): boolean =>
  direction === 'REQUEST' && writerId === organisationId;

/** The change that a group is, unless it failed, and what is wrong with each of its rows. */
interface ReadGroup {
  readonly change?: FieldValues;
  readonly faults: readonly (RowFault | null)[];
}

function notAsked({ rows }: RowGroup<Input>, row: SharedFieldRow | undefined): ReadGroup {
  const message =
    row === undefined
      ? 'The counterpart does not ask for this field on this unit over this connection now'
      : row.direction === 'SHARE'
        ? 'This field is shared: its owner alone writes it'
        : 'This field is your own: the counterpart answers it';
  return { faults: rows.map(() => ({ code: 'INSUFFICIENT_SCOPE', message })) };
}

const unprocessable = (message: string | null): RowFault | null =>
  message === null ? null : { code: 'UNPROCESSABLE', message };

/** Rows of a field that takes one value are answered one by one: the first is written, and every other one fails. */
function readGroup(
  { rows }: RowGroup<Input>,
  { mastrNumber, fieldId, writerId }: SharedFieldRow,
  field: CustomFieldRow,
): ReadGroup {
  const read = readValues(field, field.multiple ? rows : rows.slice(0, 1));
  const faults = rows.map((_, index) => {
    if (!field.multiple && index > 0)
      return unprocessable('anlage and defId came in a row before; the field takes one value');
    return 'faults' in read ? unprocessable(read.faults[index] ?? null) : null;
  });
  return 'values' in read ? { change: { fieldId, mastrNumber, writerId, values: read.values }, faults } : { faults };
}
