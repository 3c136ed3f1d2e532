import { rule } from '../world/rule.ts';
import {
  type Connection,
  type Field,
  type Handle,
  isAlive,
  isShown,
  isSide,
  sharedOn,
  type World,
} from '../world/world.ts';
import { type Attempt, attemptsFor, failed, UNITS, written } from './fields.ts';

/** Releases, active fields, and answers to what a partner asks. */

interface FieldOfConnection {
  readonly organisation: Handle;
  readonly connection: Connection;
  readonly field: Field;
}

const someField = function* ({ connections, fields }: World): Generator<FieldOfConnection> {
  for (const connection of connections)
    for (const field of fields)
      if (isSide(connection, field.owner)) yield { organisation: field.owner, connection, field };
};

/** Not of a retired field, nor of one that is neither shared nor filled by the counterpart. */
const canCross = (field: Field): boolean => isShown(field) && (field.shared || field.filledByPartner);

/** An independent switch of a field on a connection, which its owner turns. */
const turn = (name: string, words: readonly string[], set: 'active' | 'released', on: boolean) =>
  rule<FieldOfConnection>({
    name,
    weight: on ? 8 : 1,
    *deeds(world) {
      for (const deed of someField(world)) if (deed.connection[set].has(deed.field.handle) !== on) yield deed;
    },
    fits: (_, { connection, field }) => isAlive(connection) && canCross(field),
    change(world, { connection, field }) {
      if (on) connection[set].add(field.handle);
      else connection[set].delete(field.handle);
      if (set === 'active') connection.changedAt = world.now;
      return 'done';
    },
    perform: (reality, { organisation, connection, field }) =>
      reality.order(
        set === 'active'
          ? [...words, reality.externalId(organisation), reality.id(connection.handle), field.name]
          : [...words, reality.externalId(organisation), field.name, '--connection', reality.id(connection.handle)],
      ),
    tell: ({ organisation, connection, field }) => `${organisation}: ${name} ${field.handle} on ${connection.handle}`,
  });

interface Standing {
  readonly field: Field;
  readonly unit: string;
}

const turnStanding = (name: string, verb: string, on: boolean) =>
  rule<Standing>({
    name,
    weight: on ? 2 : 1,
    *deeds({ fields, standing }) {
      for (const field of fields)
        for (const unit of UNITS) if (standing.has(`${field.handle} ${unit}`) !== on) yield { field, unit };
    },
    fits: (_, { field }) => canCross(field),
    change(world, { field, unit }) {
      if (on) world.standing.add(`${field.handle} ${unit}`);
      else world.standing.delete(`${field.handle} ${unit}`);
      return 'done';
    },
    perform: (reality, { field, unit }) =>
      reality.order(['releases', verb, reality.externalId(field.owner), field.name, '--asset', unit]),
    tell: ({ field, unit }) => `${field.owner}: ${name} ${field.handle} on ${unit}`,
  });

interface Question {
  readonly organisation: Handle;
  readonly connection: Connection;
  readonly field: Field;
  readonly unit: string;
  readonly attempt: Attempt;
}

/**
 * `open`, or the code of the rows; null = the whole call is refused, since it writes only what is shared, not asked.
 */
function fateOf(world: World, { organisation, connection, field, unit, attempt }: Question): string | null {
  if (attempt.malformed) return 'UNPROCESSABLE';
  const row = sharedOn(world, connection).find((each) => each.unit === unit && each.field === field);
  if (row?.direction === 'SHARE') return null;
  if (row === undefined || row.writer !== organisation) return 'INSUFFICIENT_SCOPE';
  return attempt.kept === null ? 'UNPROCESSABLE' : 'open';
}

const answer = rule<Question>({
  name: 'answer',
  weight: 8,
  *deeds(world) {
    for (const connection of world.connections)
      for (const { handle: organisation } of world.organisations) {
        if (!isSide(connection, organisation)) continue;
        for (const field of world.fields)
          for (const unit of UNITS)
            for (const attempt of attemptsFor(field)) yield { organisation, connection, field, unit, attempt };
      }
  },
  fits: (world, deed) => fateOf(world, deed) === 'open',
  change(world, { organisation, field, unit, attempt }) {
    const status = world.write(field.handle, unit, organisation, attempt.kept ?? []);
    return { status: 200, rows: attempt.inputs.map(() => ({ status })) };
  },
  refusal(world, deed) {
    if (deed.connection.invited === null) return { status: 404, code: 'NOT_FOUND' };
    const fate = fateOf(world, deed);
    return fate === null ? { status: 403, code: 'FIELD_NOT_WRITABLE' } : failed(deed.attempt, fate);
  },
  async perform(reality, { organisation, connection, field, unit, attempt }) {
    const antworten = attempt.inputs.map((input) => ({ anlage: unit, defId: reality.id(field.handle), ...input }));
    const path = `/v1/connections/${reality.id(connection.handle)}/shared-fields`;
    return written(await reality.ask(organisation, path, { antworten }));
  },
  tell: ({ organisation, connection, field, unit, attempt }) =>
    `${organisation} answers ${JSON.stringify(attempt.inputs)} to ${field.handle} of ${unit} on ${connection.handle}`,
});

export const SHARING_RULES = [
  turn('activate', ['connections', 'fields', 'activate'], 'active', true),
  turn('deactivate', ['connections', 'fields', 'deactivate'], 'active', false),
  turn('release', ['releases', 'add'], 'released', true),
  turn('withdraw', ['releases', 'withdraw'], 'released', false),
  turnStanding('release for all', 'add', true),
  turnStanding('withdraw for all', 'withdraw', false),
  answer,
];
