import { rule } from '../world/rule.ts';
import {
  type Connection,
  type Handle,
  isAlive,
  isSide,
  type Organisation,
  type User,
  type World,
} from '../world/world.ts';
import { UNITS } from './fields.ts';

/** Invitations, answers to them, and the units in the scope of a connection. */

const between = (world: World, a: Handle, b: Handle): boolean =>
  world.connections.some((connection) => isAlive(connection) && isSide(connection, a) && isSide(connection, b));

function add(world: World, connection: Pick<Connection, 'initiator' | 'invited' | 'address'>): 'done' {
  world.connections.push({
    ...{ handle: world.next('K'), ...connection, status: 'PENDING', madeAt: world.now, answeredAt: null },
    ...{ changedAt: world.now, assets: new Map(), active: new Set(), released: new Set() },
  });
  return 'done';
}

const invite = rule<{ readonly from: Handle; readonly to: Handle }>({
  name: 'invite an organisation',
  weight: 5,
  *deeds({ organisations }) {
    for (const { handle: from } of organisations) for (const { handle: to } of organisations) yield { from, to };
  },
  fits: (world, { from, to }) => from !== to && !between(world, from, to),
  change: (world, { from, to }) => add(world, { initiator: from, invited: to, address: null }),
  async perform(reality, { from, to }, world) {
    const words = ['connections', 'invite', reality.externalId(from), reality.externalId(to)];
    const made = await reality.command(words);
    if (made === null) return 'refused';
    reality.bind(world.connections.at(-1)!.handle, made.data.id);
    return 'done';
  },
  tell: ({ from, to }) => `${from} invites ${to}`,
});

const inviteAddress = rule<{ readonly from: Handle; readonly user: User }>({
  name: 'invite an address',
  *deeds(world) {
    for (const { handle: from } of world.organisations) for (const user of world.users) yield { from, user };
  },
  fits: (world, { from, user }) =>
    user.organisation !== from &&
    !world.connections.some((each) => each.initiator === from && each.address === user.handle && isAlive(each)) &&
    !between(world, from, user.organisation),
  change: (world, { from, user }) => add(world, { initiator: from, invited: null, address: user.handle }),
  async perform(reality, { from, user }, world) {
    const words = ['connections', 'invite', reality.externalId(from), '--email', reality.address(user.handle)];
    const made = await reality.command(words);
    if (made === null) return 'refused';
    reality.bind(world.connections.at(-1)!.handle, made.data.id);
    return 'done';
  },
  tell: ({ from, user }) => `${from} invites the address of ${user.handle}`,
});

interface SideDeed {
  readonly organisation: Handle;
  readonly connection: Connection;
}

const someSide = function* ({ organisations, connections }: World): Generator<SideDeed> {
  for (const { handle: organisation } of organisations)
    for (const connection of connections) yield { organisation, connection };
};

/** The invited organisation, or one with a user of the invited address. */
const isInvited = (world: World, { organisation, connection: { initiator, invited, address } }: SideDeed): boolean =>
  invited === organisation ||
  (invited === null &&
    initiator !== organisation &&
    world.users.some((user) => user.handle === address && user.organisation === organisation));

const answerWith = (status: 'ACCEPTED' | 'DECLINED', verb: string) =>
  rule<SideDeed>({
    name: `${verb} an invitation`,
    weight: status === 'ACCEPTED' ? 8 : 1,
    deeds: someSide,
    fits: (world, deed) =>
      deed.connection.status === 'PENDING' &&
      isInvited(world, deed) &&
      (status === 'DECLINED' ||
        deed.connection.invited !== null ||
        !between(world, deed.connection.initiator, deed.organisation)),
    change(world, { organisation, connection }) {
      Object.assign(connection, { status, invited: organisation, answeredAt: world.now, changedAt: world.now });
      return 'done';
    },
    perform: (reality, { organisation, connection }) =>
      reality.order(['connections', verb, reality.externalId(organisation), reality.id(connection.handle)]),
    tell: ({ organisation, connection }) => `${organisation} ${verb}s ${connection.handle}`,
  });

const revoke = rule<SideDeed>({
  name: 'revoke a connection',
  deeds: someSide,
  fits: (_, { organisation, connection }) =>
    connection.status === 'ACCEPTED'
      ? isSide(connection, organisation)
      : connection.status === 'PENDING' && connection.initiator === organisation,
  change(world, { connection }) {
    Object.assign(connection, { status: 'REVOKED', changedAt: world.now });
    return 'done';
  },
  perform: (reality, { organisation, connection }) =>
    reality.order(['connections', 'revoke', reality.externalId(organisation), reality.id(connection.handle)]),
  tell: ({ organisation, connection }) => `${organisation} revokes ${connection.handle}`,
});

interface AssetDeed extends SideDeed {
  readonly unit: string;
}

/** Units that the connection has, or has not. */
const someAsset = (has: boolean) =>
  function* (world: World): Generator<AssetDeed> {
    for (const deed of someSide(world))
      for (const unit of UNITS) if (deed.connection.assets.has(unit) === has) yield { ...deed, unit };
  };

const addAsset = rule<AssetDeed>({
  name: 'add an asset',
  weight: 6,
  deeds: someAsset(false),
  fits: (world, { organisation, connection, unit }) =>
    isAlive(connection) &&
    isSide(connection, organisation) &&
    world.organisation(connection.initiator).portfolio.has(unit),
  change(world, { connection, unit }) {
    const role = world.organisation(connection.initiator).portfolio.get(unit) ?? '';
    connection.assets.set(unit, { role, at: world.now });
    connection.changedAt = world.now;
    return 'done';
  },
  perform: (reality, { organisation, connection, unit }) =>
    reality.order([
      'connections',
      'assets',
      'add',
      reality.externalId(organisation),
      reality.id(connection.handle),
      unit,
    ]),
  tell: ({ organisation, connection, unit }) => `${organisation} adds ${unit} to ${connection.handle}`,
});

const removeAsset = rule<AssetDeed>({
  name: 'remove an asset',
  deeds: someAsset(true),
  fits: (_, { organisation, connection }) => isAlive(connection) && isSide(connection, organisation),
  change(world, { connection, unit }) {
    connection.assets.delete(unit);
    connection.changedAt = world.now;
    return 'done';
  },
  perform: (reality, { organisation, connection, unit }) =>
    reality.order([
      ...['connections', 'assets', 'remove', reality.externalId(organisation), reality.id(connection.handle), unit],
    ]),
  tell: ({ organisation, connection, unit }) => `${organisation} removes ${unit} from ${connection.handle}`,
});

const rename = rule<{ readonly organisation: Organisation; readonly name: string }>({
  name: 'rename an organisation',
  *deeds({ organisations }) {
    for (const organisation of organisations) for (const name of ['Neu GmbH', 'Älter AG']) yield { organisation, name };
  },
  fits: () => true,
  change(_, { organisation, name }) {
    organisation.name = name;
    return 'done';
  },
  perform: (reality, { organisation, name }) =>
    reality.order(['organisations', 'rename', reality.externalId(organisation.handle), name]),
  tell: ({ organisation, name }) => `${organisation.handle} is called ${name} from now on`,
});

const changeRole = rule<{ readonly organisation: Organisation; readonly unit: string; readonly role: string | null }>({
  name: 'change a portfolio',
  *deeds({ organisations }) {
    for (const organisation of organisations)
      for (const unit of UNITS) for (const role of ['OWNER', 'LESSOR', null]) yield { organisation, unit, role };
  },
  fits: (_, { organisation, unit, role }) => organisation.portfolio.get(unit) !== (role ?? undefined),
  change(_, { organisation, unit, role }) {
    if (role === null) organisation.portfolio.delete(unit);
    else organisation.portfolio.set(unit, role);
    return { status: 200 };
  },
  // A role that the unit has already is no mistake.
  refusal: () => ({ status: 200 }),
  async perform(reality, { organisation, unit, role }) {
    const { handle } = organisation;
    const answer =
      role === null
        ? await reality.ask(handle, '/v1/portfolio', { mastrNummern: [unit] }, 'DELETE')
        : await reality.ask(handle, '/v1/portfolio', { entries: [{ mastrNummer: unit, relationType: role }] });
    return { status: answer.status };
  },
  tell: ({ organisation, unit, role }) => `${organisation.handle} has ${unit} as ${role ?? 'nothing'}`,
});

export const CONNECTION_RULES = [
  invite,
  inviteAddress,
  answerWith('ACCEPTED', 'accept'),
  answerWith('DECLINED', 'decline'),
  revoke,
  addAsset,
  removeAsset,
  rename,
  changeRole,
];
