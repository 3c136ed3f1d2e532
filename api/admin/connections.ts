import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument, choice, option } from '../../runtime/command-line/parameter.ts';
import { isUuid, type OrganisationRow } from '../../sql/org/organisations.ts';
import { assetPage, assetRow, MAX_ASSETS } from '../../sql/org/records/connection-assets.ts';
import {
  activeFieldCount,
  CONNECTION_STATUSES,
  type ConnectionRecord,
  connectionOf,
  connectionRecord,
  connectionsOf,
  fieldCountRow,
  isAlive,
} from '../../sql/org/records/connections.ts';
import { activeFieldRow, activeFieldsOf, releaseRow, releasesOf } from '../../sql/org/records/releases.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import { sql } from '../../sql/org/statement.ts';
import type { Session } from '../../sql/org/store.ts';
import { changeConnection } from '../connections/change.ts';
import { changeConnectionField } from '../connections/fields.ts';
import { inviteToConnection } from '../connections/invitations.ts';
import { addConnectionAssets, removeConnectionAssets } from '../connections/scope.ts';
import { addRelease, withdrawRelease } from '../releases/operations.ts';
import type { AdminCommand } from './common/admin-command.ts';
import { findOrganisation } from './common/find-organisation.ts';
import { operationCommand } from './common/operation-command.ts';
import { type Asked, organisationCommand } from './common/organisation-command.ts';
import { type Columns, described, listing } from './common/text-table.ts';
import { findField } from './fields.ts';

/**
 * Connections of an organisation, what is active and what is released on them. Commands that change something are operations of
 * the interface; lists show the operator more: external ids, what has ended, fields of both sides.
 */

const ID = '019a0f6e-7c1b-7d52-9f0e-00000000c001';

/** The second argument of commands about one connection. */
const connection = argument(
  'its id, which `connections list` shows',
  z.string().refine(isUuid, 'must be the id of a connection, a UUID'),
);

/** @throws CommandFailed when the organisation has no such connection */
async function findConnection({ session, organisation }: Asked, id: string): Promise<ConnectionRecord> {
  const found = await session.row(connectionRecord, connectionOf(organisation.id, id));
  if (found !== null) return found;
  const { externalId } = organisation;
  throw refused(`${externalId} has no connection ${id}\nThose it has: npm run admin -- connections list ${externalId}`);
}

const nameRow = z.strictObject({ id: z.uuid(), externalId: z.string() });

/** Shows connections from the side of an organisation. */
async function shownTo(session: Session, { id: own }: OrganisationRow, connections: readonly ConnectionRecord[]) {
  const ids = connections.flatMap(({ initiatorId, invitedId }) => [
    initiatorId,
    ...(invitedId === null ? [] : [invitedId]),
  ]);
  const names = await session.rows(
    nameRow,
    sql`SELECT id, external_id AS "externalId" FROM organisations WHERE id = ANY (${ids}::uuid[])`,
  );
  const externalIds = new Map(names.map(({ id, externalId }) => [id, externalId]));
  return connections.map((row) => {
    const initiated = row.initiatorId === own;
    const id = initiated ? row.invitedId : row.initiatorId;
    const name = initiated ? row.invitedName : row.initiatorName;
    return {
      id: row.id,
      status: row.status,
      role: initiated ? ('initiator' as const) : ('invited' as const),
      /** Null while the invitation is addressed to an e-mail address; `externalId` is null for one that is not in this store. */
      counterpart: id === null || name === null ? null : { id, externalId: externalIds.get(id) ?? null, name },
      /** The address of an invitation that no organisation has answered. */
      email: row.invitedEmail,
      assets: isAlive(row.status) ? row.assetCount : 0,
      createdAt: row.createdAt,
      answeredAt: row.answeredAt,
      updatedAt: row.updatedAt,
    };
  });
}

type Shown = Awaited<ReturnType<typeof shownTo>>[number];

const counterpart = ({ counterpart: other, email }: Shown): string =>
  other === null ? `whoever has ${email}` : `${other.name} (${other.externalId ?? 'not in this store'})`;

const times: Columns<Shown> = { made: 'createdAt', answered: 'answeredAt', changed: 'updatedAt' };

const listed = organisationCommand({
  name: 'connections list',
  summary: 'the connections of an organisation, with invitations and what has ended, newest first',
  examples: ['stadtwerk', 'stadtwerk --status PENDING'],
  parameters: {
    status: choice(
      option('<status>', 'connections in this status only', z.enum(CONNECTION_STATUSES).optional()),
      CONNECTION_STATUSES,
    ),
  },
  async run({ session, organisation }, { status }) {
    const rows = await session.rows(connectionRecord, connectionsOf(organisation.id));
    const wanted = rows.filter((row) => status === undefined || row.status === status);
    return shownTo(session, organisation, wanted);
  },
  format: listing<Shown>('No connections', {
    ...{ connection: 'id', status: 'status', role: 'role', with: counterpart, assets: 'assets' },
    ...times,
  }),
});

const shown = organisationCommand({
  name: 'connections show',
  summary: 'one connection of an organisation',
  examples: [`stadtwerk ${ID}`],
  parameters: { connection },
  async run(asked, { connection: id }) {
    const found = await findConnection(asked, id);
    const [one] = await shownTo(asked.session, asked.organisation, [found]);
    const { count } = await singleRow(asked.session, fieldCountRow, activeFieldCount(found.id));
    if (one === undefined) throw new Error('Of each connection there is one view');
    return { ...one, activeFields: count };
  },
  format: described<Shown & { readonly activeFields: number }>({
    ...{ id: 'id', status: 'status', with: counterpart },
    role: ({ role }) => (role === 'initiator' ? 'has invited' : 'was invited'),
    ...{ assets: 'assets', 'active fields': 'activeFields', ...times },
  }),
});

const unitsListed = organisationCommand({
  name: 'connections assets list',
  summary: 'the units in the scope of a connection, by number',
  description: 'A connection that has ended has none.',
  examples: [`stadtwerk ${ID}`],
  parameters: { connection },
  async run(asked, input) {
    const { id, status } = await findConnection(asked, input.connection);
    return isAlive(status) ? asked.session.rows(assetRow, assetPage(id, null, MAX_ASSETS)) : [];
  },
  format: listing<z.infer<typeof assetRow>>('No units', {
    ...{ unit: 'mastrNumber', role: 'relationType', added: 'addedAt' },
  }),
});

type ActiveField = Omit<z.infer<typeof activeFieldRow>, 'ownerId'> & { readonly own: boolean };

const fieldsListed = organisationCommand({
  name: 'connections fields list',
  summary: 'the fields of both sides that are active on a connection, and whether they are released there',
  examples: [`stadtwerk ${ID}`],
  parameters: { connection },
  async run(asked, input) {
    const { id } = await findConnection(asked, input.connection);
    const rows = await asked.session.rows(activeFieldRow, activeFieldsOf(id));
    return rows.map(({ ownerId, ...row }): ActiveField => ({ ...row, own: ownerId === asked.organisation.id }));
  },
  format: listing<ActiveField>('No fields', {
    field: 'name',
    owner: ({ own }) => (own ? 'own' : 'counterpart'),
    direction: 'direction',
    released: ({ released }) => (released ? 'yes' : 'no'),
    ...{ 'on units': 'standing', 'active since': 'activatedAt' },
  }),
});

type Release = Omit<z.infer<typeof releaseRow>, 'fieldId'>;

const releasesListed = organisationCommand({
  name: 'releases list',
  summary: 'where fields of an organisation are released',
  examples: ['stadtwerk'],
  async run({ session, organisation }) {
    const releases = await session.rows(releaseRow, releasesOf(organisation.id));
    return releases.map(({ fieldId: _, ...release }): Release => release);
  },
  format: listing<Release>('No releases', {
    field: 'field',
    unit: ({ asset }) => asset ?? 'all in scope',
    connection: (row) => row.connection ?? 'all',
    ...{ counterpart: 'counterpart', released: 'releasedAt' },
  }),
});

const paths = { id: 'connection', defId: 'field' };

const field = {
  across: true,
  paths,
  references: { defId: findField },
  examples: [`stadtwerk ${ID} Pachtvertrag`],
} as const;

const units = {
  across: true,
  paths,
  numbers: 'mastrNummern',
  examples: [`stadtwerk ${ID} SEE900000000001 SEE900000000002`, `stadtwerk ${ID} --file units.txt`],
} as const;

const release = {
  across: true,
  references: field.references,
  arguments: ['defId'],
  options: { defId: 'field', connectionId: 'connection', mastrNummern: 'asset' },
  examples: [
    `stadtwerk Pachtvertrag --connection ${ID}`,
    'stadtwerk Pachtvertrag --asset SEE900000000001,SEE900000000002',
  ],
} as const;

/** The commands about connections, what is active and what is released on them, in the order of the help. */
export const connectionCommands: readonly AdminCommand[] = [
  operationCommand(inviteToConnection, {
    name: 'connections invite',
    across: true,
    arguments: ['organisationId'],
    options: { organisationId: 'partner', email: 'email' },
    references: { organisationId: (session, _, reference) => findOrganisation(session, reference) },
    description:
      'Two organisations have at most one connection that has not ended. An invitation to an e-mail address can be accepted by any ' +
      'organisation with a user of that address.',
    examples: ['stadtwerk windpark', 'stadtwerk --email anna@windpark.example'],
  }),
  listed,
  shown,
  ...(
    [
      ['accept', 'accept an invitation', 'ACCEPTED'],
      ['decline', 'decline an invitation, for good', 'DECLINED'],
      ['revoke', 'end a connection, or take an invitation back, for good', 'REVOKED'],
    ] as const
  ).map(([verb, summary, status]) =>
    operationCommand(changeConnection, {
      ...{ name: `connections ${verb}`, summary, across: true, paths, sends: { status }, examples: [`windpark ${ID}`] },
    }),
  ),
  operationCommand(addConnectionAssets, {
    ...units,
    name: 'connections assets add',
    description:
      'Either side can, while the invitation is unanswered or accepted. Each unit is kept with the role that the side which invited ' +
      'has to it in its portfolio now; a unit without one is refused. All of them are added or none.',
  }),
  operationCommand(removeConnectionAssets, { ...units, name: 'connections assets remove' }),
  unitsListed,
  operationCommand(changeConnectionField, {
    ...field,
    name: 'connections fields activate',
    summary: 'make a field of the organisation active on a connection',
    sends: { aktiv: true },
  }),
  operationCommand(changeConnectionField, {
    ...field,
    name: 'connections fields deactivate',
    summary: 'end the activity of a field of the organisation on a connection',
    sends: { aktiv: false },
  }),
  fieldsListed,
  operationCommand(addRelease, { ...release, name: 'releases add' }),
  operationCommand(withdrawRelease, { ...release, name: 'releases withdraw' }),
  releasesListed,
];
