import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type CustomFieldRow,
  customFieldRow,
  customFieldsOf,
  MAX_FIELDS,
  VALUE_TYPES,
} from '../../sql/org/records/custom-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { mustBeFree, rowOfId } from '../problem/own-rows.ts';
import { Problem, violated } from '../problem/problem.ts';
import {
  changeableMembers,
  definitionShape,
  EXAMPLE_FIELD,
  fieldPath,
  fixedMembers,
  shownDefinition,
} from './definition.ts';
import { changeFaults, type DefinitionFault, definitionFaults, lockFields, writeFields } from './rules.ts';

/** An organisation makes and changes the fields that it adds to units. */

const defining = {
  access: 'api',
  scope: 'custom_fields:define',
  module: 'workspace',
  cost: 'mutation',
  replayable: true,
  source: 'service',
} as const;

const answer = z.strictObject({
  data: definitionShape,
  meta: z.strictObject({ inBenutzung: z.boolean().describe('false: the field is retired, and its values are kept') }),
});

const body = (row: CustomFieldRow) => ({
  body: { data: shownDefinition(row), meta: { inBenutzung: row.retiredAt === null } },
});

export const createCustomField = operation({
  ...defining,
  id: 'custom-fields.create',
  method: 'POST',
  path: '/v1/custom-fields',
  summary: 'A new field of units',
  description: `An organisation has at most ${MAX_FIELDS} fields, retired ones included. Type and who fills a field never change.`,
  body: z.strictObject({
    name: changeableMembers.name,
    typ: fixedMembers.typ,
    auswahlwerte: changeableMembers.auswahlwerte.optional(),
    mehrfachwerte: changeableMembers.mehrfachwerte.optional(),
    mitGegenseiteGeteilt: changeableMembers.mitGegenseiteGeteilt.optional(),
    vonGegenseiteBefuellt: fixedMembers.vonGegenseiteBefuellt.optional(),
  }),
  answer,
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: { body: { name: 'Betriebsstand', typ: 'DROPDOWN', auswahlwerte: ['gut', 'mittel', 'schlecht'] } },
  async handle({ body: sent, caller, records }) {
    const now = new Date().toISOString();
    const field: CustomFieldRow = {
      id: randomUUIDv7(),
      name: sent.name,
      type: sent.typ,
      multiple: sent.mehrfachwerte ?? false,
      choices: [...(sent.auswahlwerte ?? [])],
      filledByPartner: sent.vonGegenseiteBefuellt ?? false,
      shared: sent.mitGegenseiteGeteilt ?? false,
      retiredAt: null,
      createdAt: now,
      updatedAt: now,
    };
    refuse(definitionFaults(field));
    await records(async (session) => {
      const present = await lockedFields(session, caller.organisation.id);
      mustBeFree(present, field.name, named);
      if (present.length >= MAX_FIELDS) {
        const detail = `The organisation has ${MAX_FIELDS} fields, retired ones included, which is the most`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      await writeFields(session, caller.organisation.id, [field]);
    });
    return body(field);
  },
});

export const changeCustomField = operation({
  ...defining,
  id: 'custom-fields.change',
  method: 'PATCH',
  path: '/v1/custom-fields/{id}',
  summary: 'Change a field, retire it, or take it into use again',
  description: 'Members that are left out stay as they are.',
  pathParameters: fieldPath,
  body: z.strictObject({
    name: changeableMembers.name.optional(),
    auswahlwerte: changeableMembers.auswahlwerte.optional(),
    mehrfachwerte: changeableMembers.mehrfachwerte.optional(),
    mitGegenseiteGeteilt: changeableMembers.mitGegenseiteGeteilt.optional(),
    inBenutzung: z
      .boolean('must be true or false')
      .optional()
      .describe('false retires the field: it leaves all connections, and its values are kept; true brings both back'),
  }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_FIELD }, body: { name: 'Vertragsnummer' } },
  async handle({ path, body: sent, caller, records }) {
    const organisationId = caller.organisation.id;
    const row = await records(async (session) => {
      const present = await lockedFields(session, organisationId);
      const before = fieldIn(present, path.id);
      const now = new Date().toISOString();
      const after: CustomFieldRow = {
        ...before,
        name: sent.name ?? before.name,
        multiple: sent.mehrfachwerte ?? before.multiple,
        choices: [...(sent.auswahlwerte ?? before.choices)],
        shared: sent.mitGegenseiteGeteilt ?? before.shared,
        retiredAt: retirement(before, sent.inBenutzung, now),
      };
      mustBeFree(present, after.name, named, after.id);
      refuse(definitionFaults(after));
      refuse(await changeFaults(session, organisationId, before, after));
      if (isDeepStrictEqual(before, after)) return before;
      const changed = { ...after, updatedAt: now };
      await writeFields(session, organisationId, [changed]);
      return changed;
    });
    return body(row);
  },
});

const retirement = ({ retiredAt }: CustomFieldRow, inUse: boolean | undefined, now: string): string | null => {
  if (inUse === undefined) return retiredAt;
  return inUse ? null : (retiredAt ?? now);
};

/** Reads all fields of an organisation; nobody else changes them, or values in them, until the transaction ends. */
async function lockedFields(session: Session, organisationId: string): Promise<CustomFieldRow[]> {
  await lockFields(session, organisationId);
  return session.rows(customFieldRow, customFieldsOf(organisationId));
}

/** Finds a field that has values: the interface does not know those of files and contacts. @throws Problem NOT_FOUND */
const fieldIn = (present: readonly CustomFieldRow[], id: string): CustomFieldRow =>
  rowOfId(
    present.filter(({ type }) => VALUE_TYPES.some((known) => known === type)),
    id,
    'field',
    'GET /v1/custom-fields',
  );

/** A retired field keeps its name. */
const named = ({ id, retiredAt }: CustomFieldRow): string =>
  retiredAt === null ? `field ${id}` : `field ${id}, which is retired,`;

/** The members of definitions on the wire, where faults may lie. */
const MEMBERS: Partial<Record<keyof CustomFieldRow, string>> = {
  type: 'typ',
  choices: 'auswahlwerte',
  multiple: 'mehrfachwerte',
  shared: 'mitGegenseiteGeteilt',
  filledByPartner: 'vonGegenseiteBefuellt',
};

/** @throws Problem UNPROCESSABLE listing the faults, if there are any */
function refuse(faults: readonly DefinitionFault[]): void {
  if (faults.length === 0) return;
  throw violated(
    faults.map(({ member, message }) => {
      const name = MEMBERS[member] ?? member;
      return { pointer: `#/${name}`, code: 'UNPROCESSABLE', detail: `${name} ${message}` };
    }),
  );
}
