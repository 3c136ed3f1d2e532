import { z } from 'zod';
import { isAlive, touchConnection } from '../../sql/org/records/connections.ts';
import { activateField, activeFieldRow, activeFieldsOf, deactivateField } from '../../sql/org/records/releases.ts';
import { DIRECTIONS } from '../../sql/org/records/shared-fields.ts';
import type { Session } from '../../sql/org/store.ts';
import { EXAMPLE_FIELD } from '../custom-fields/definition.ts';
import { lockFields } from '../custom-fields/rules.ts';
import { operation } from '../operation/operation.ts';
import { connectionPath, EXAMPLE_CONNECTION } from './connection.ts';
import { ownField, requireDirection } from './direction.ts';
import { findConnection } from './find-connection.ts';
import { lockedSide, managing } from './locked-connection.ts';

/** Which fields are active on a connection; each side decides about its own. */

const field = z
  .strictObject({
    defId: z.uuid(),
    name: z.string(),
    besitzer: z.enum(['eigen', 'gegenseite']).describe('Whose field it is'),
    richtung: z
      .enum(DIRECTIONS)
      .describe('SHARE: the owner shows its values. REQUEST: it asks the other side for them'),
    freigegeben: z.boolean().describe('Released for this connection, on every unit in its scope'),
    freigegebeneAnlagen: z.int().describe('Units in scope on which it is released for every connection'),
    aktiviertAm: z.iso.datetime(),
  })
  .meta({ id: 'ConnectionField' });

/** Reads the active fields of both sides, as far as the session may know them. */
async function readFields(session: Session, connectionId: string, organisationId: string) {
  const rows = await session.rows(activeFieldRow, activeFieldsOf(connectionId));
  return rows.map(
    (row): z.infer<typeof field> => ({
      defId: row.fieldId,
      name: row.name,
      besitzer: row.ownerId === organisationId ? 'eigen' : 'gegenseite',
      richtung: row.direction,
      freigegeben: row.released,
      freigegebeneAnlagen: row.standing,
      aktiviertAm: row.activatedAt,
    }),
  );
}

export const listConnectionFields = operation({
  id: 'connections.fields',
  method: 'GET',
  path: '/v1/connections/{id}/fields',
  summary: 'Fields that are active on a connection, and whether they are released there',
  description:
    'Own ones, and those of the counterpart that cross for some unit. A connection that has ended lists none.',
  access: 'api',
  scope: 'connections:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  pathParameters: connectionPath,
  answer: z.strictObject({ data: z.array(field), meta: z.strictObject({ count: z.int() }) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_CONNECTION } },
  async handle({ path, caller, records }) {
    const data = await records(async (session) => {
      const { id, status } = await findConnection(session, caller.organisation.id, path.id);
      return isAlive(status) ? readFields(session, id, caller.organisation.id) : [];
    });
    return { body: { data, meta: { count: data.length } } };
  },
});

export const changeConnectionField = operation({
  ...managing,
  id: 'connections.change-field',
  method: 'PATCH',
  path: '/v1/connections/{id}/fields/{defId}',
  summary: 'Make an own field active on a connection, or end that',
  description:
    'A field crosses a connection that is accepted, on units in its scope, once it is active on it and released ' +
    '(POST /v1/releases). One that the counterpart fills is asked for, one that is shared is shown. When the activity ends, its ' +
    'rows disappear from both sides at once; answers stay with the owner of the field, and releases stay.',
  pathParameters: connectionPath.safeExtend({
    defId: z.string().describe('Id of a field of the organisation, from GET /v1/custom-fields'),
  }),
  body: z.strictObject({ aktiv: z.boolean('must be true or false').describe('Whether it is active from now on') }),
  answer: z.strictObject({
    data: z.strictObject({
      defId: z.uuid(),
      name: z.string(),
      richtung: z.enum(DIRECTIONS).nullable().describe('null: it is not active'),
      freigegeben: z.boolean().describe('Active and released, for this connection or on a unit in its scope'),
    }),
    meta: z.strictObject({ geaendert: z.boolean().describe('false: it was so before') }),
  }),
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_CONNECTION, defId: EXAMPLE_FIELD }, body: { aktiv: true } },
  async handle({ path, body: { aktiv }, caller, records }) {
    const { id: ownerId } = caller.organisation;
    const { field, richtung, changed, fields } = await records(async (session) => {
      // A field that is retired meanwhile leaves every connection.
      await lockFields(session, ownerId);
      const { id } = await lockedSide(session, ownerId, path.id);
      const field = await ownField(session, ownerId, path.defId);
      const richtung = aktiv ? requireDirection(field) : null;
      const statement =
        richtung === null
          ? deactivateField(id, field.id)
          : activateField(id, { id: field.id, ownerId }, richtung, new Date().toISOString());
      const changed = (await session.run(statement)) > 0;
      if (changed) await session.run(touchConnection(id));
      return { field, richtung, changed, fields: await readFields(session, id, ownerId) };
    });
    const active = fields.find(({ defId }) => defId === field.id);
    const freigegeben = active !== undefined && (active.freigegeben || active.freigegebeneAnlagen > 0);
    const data = { defId: field.id, name: field.name, richtung, freigegeben };
    return { body: { data, meta: { geaendert: changed } } };
  },
});
