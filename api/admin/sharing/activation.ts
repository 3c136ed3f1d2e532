import { touchConnection } from '../../../sql/org/records/connections.ts';
import { activateField, activeFieldRow, activeFieldsOf, deactivateField } from '../../../sql/org/records/releases.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { moment, table } from '../common/text-table.ts';
import { connectionArgument, findConnection, lockConnection } from '../connections/find-connection.ts';
import { requireLivingSide } from '../connections/states.ts';
import { fieldArgument, findField } from '../custom-fields/find-field.ts';
import { requireDirection } from './direction.ts';

/** The commands about which fields are active on a connection; each side has them for its own fields. */

const parameters = { organisation: organisationArgument, connection: connectionArgument, field: fieldArgument };
const example = 'stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001 Pachtvertrag';

export const activateFieldCommand = adminCommand({
  name: 'connections fields activate',
  summary: 'make a field of the organisation active on a connection',
  description:
    'A field crosses a connection that is accepted, on units in its scope, once it is active on it and released. Only its ' +
    'owner activates it. A field that the counterpart fills is asked for, one that is shared is shown.',
  examples: [example],
  parameters,
  run: (store, { organisation: reference, connection: id, field: named }) =>
    store.asOperator(async (session) => {
      const { organisation, connection } = await lockConnection(session, reference, id);
      requireLivingSide(connection, organisation);
      const field = await findField(session, organisation, named);
      const direction = requireDirection(field, organisation);
      const own = { id: field.id, ownerId: organisation.id };
      const changed = (await session.run(activateField(connection.id, own, direction, new Date().toISOString()))) > 0;
      if (changed) await session.run(touchConnection(connection.id));
      const active = await session.rows(activeFieldRow, activeFieldsOf(connection.id));
      const released = active.some((row) => row.fieldId === field.id && (row.released || row.standing > 0));
      return {
        organisation: organisation.externalId,
        connection: connection.id,
        field: field.id,
        name: field.name,
        direction,
        released,
        changed,
      };
    }),
  format: ({ connection, name, direction, changed }) =>
    `The field ${name} is active on ${connection} (${direction})${changed ? '.' : ' as before.'}`,
  note: ({ organisation, connection, field, released }) =>
    released
      ? ''
      : 'It is not released there yet, so it does not cross. To release it on every unit in scope: ' +
        `npm run admin -- releases add ${organisation} ${field} --connection ${connection}`,
  logFields: ({ organisation, connection, field, changed }) => (changed ? { organisation, connection, field } : null),
});

export const deactivateFieldCommand = adminCommand({
  name: 'connections fields deactivate',
  summary: 'end the activity of a field of the organisation on a connection',
  description:
    'Its rows disappear from both sides at once. Answers stay with the owner of the field, and releases stay.',
  examples: [example],
  parameters,
  run: (store, { organisation: reference, connection: id, field: named }) =>
    store.asOperator(async (session) => {
      const { organisation, connection } = await lockConnection(session, reference, id);
      requireLivingSide(connection, organisation);
      const field = await findField(session, organisation, named);
      const changed = (await session.run(deactivateField(connection.id, field.id))) > 0;
      if (changed) await session.run(touchConnection(connection.id));
      return {
        organisation: organisation.externalId,
        connection: connection.id,
        field: field.id,
        name: field.name,
        changed,
      };
    }),
  format: ({ connection, name, changed }) =>
    changed
      ? `The field ${name} is no longer active on ${connection}.`
      : `The field ${name} was not active on ${connection}.`,
  logFields: ({ organisation, connection, field, changed }) => (changed ? { organisation, connection, field } : null),
});

export const listActiveFields = adminCommand({
  name: 'connections fields list',
  summary: 'the fields of both sides that are active on a connection, and whether they are released there',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-00000000c001'],
  parameters: { organisation: organisationArgument, connection: connectionArgument },
  run: (store, { organisation: reference, connection: id }) =>
    store.asOperator(async (session) => {
      const { organisation, connection } = await findConnection(session, reference, id);
      const rows = await session.rows(activeFieldRow, activeFieldsOf(connection.id));
      return rows.map(({ ownerId, ...row }) => ({ ...row, own: ownerId === organisation.id }));
    }),
  format: (fields) =>
    fields.length === 0
      ? 'No fields'
      : table(
          ['field', 'owner', 'direction', 'released', 'on units', 'active since'],
          fields.map(({ name, own, direction, released, standing, activatedAt }) => [
            name,
            own ? 'own' : 'counterpart',
            direction,
            released ? 'yes' : 'no',
            standing,
            moment(activatedAt),
          ]),
        ),
});
