import { z } from 'zod';
import { allOrganisations, organisationRow } from '../../../sql/org/organisations.ts';
import { type AssetRow, assetRow, MAX_ASSETS } from '../../../sql/org/records/connection-assets.ts';
import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  connectionRecord,
  connectionsOfSide,
  isAlive,
} from '../../../sql/org/records/connections.ts';
import { type CustomFieldRow, customFieldRow, customFieldsOf } from '../../../sql/org/records/custom-fields.ts';
import { readConnections, type WholeConnection, writeConnections } from '../../../sql/org/records/whole-connections.ts';
import { sql } from '../../../sql/org/statement.ts';
import { directionOf } from '../../connections/direction.ts';
import { email } from '../../wire/email.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { mastrNumber } from '../../wire/parameters.ts';
import type { Asked } from '../common/organisation-command.ts';
import { timestampOption, uuid } from '../common/schemas.ts';
import { type Complaint, documented, type Pair, type Rules, section } from './section.ts';

/**
 * Connections as one side has them: with the units in scope, which are those of both sides, and with its own fields
 * that are active on it or released for it. The other side need not be in the store; when its document is imported,
 * too, its half is added to the same connection.
 */

const now = () => new Date().toISOString();
const since = () => timestampOption().default(now);

const distinct = <Item>(keyOf: (item: Item) => string) =>
  [
    (items: readonly Item[]) => new Set(items.map(keyOf)).size === items.length,
    'has something more than once',
  ] as const;

type OwnField = { readonly field: string };
const nameOf = ({ field }: OwnField): string => field;

const shape = z.strictObject({
  id: uuid(),
  role: z.enum(['initiator', 'invited'], 'must be initiator or invited'),
  status: z.enum(CONNECTION_STATUSES, `must be one of ${CONNECTION_STATUSES.join(', ')}`),
  /** Null while the invitation is addressed to an e-mail address. */
  counterpart: z.strictObject({ id: uuid(), name: line(NAME_LENGTH) }).nullable(),
  email: email().nullable(),
  assets: z
    .array(documented(assetRow, { mastrNumber: mastrNumber(), addedAt: since(), updatedAt: since() }))
    .max(MAX_ASSETS, `must have at most ${MAX_ASSETS}`)
    .refine(...distinct(({ mastrNumber: number }: AssetRow) => number))
    .transform(byNumber),
  activeFields: z
    .array(z.strictObject({ field: line(NAME_LENGTH), activatedAt: since() }))
    .refine(...distinct(nameOf))
    .transform(byName),
  releases: z
    .array(z.strictObject({ field: line(NAME_LENGTH), releasedAt: since() }))
    .refine(...distinct(nameOf))
    .transform(byName),
  createdAt: timestampOption(),
  answeredAt: timestampOption().nullable(),
  /** Last change of status, assets or active fields: both sides see it, so an import does not move it as that of other items. */
  changedAt: timestampOption(),
});

type ConnectionItem = Readonly<z.infer<typeof shape>>;

export const connections = section<ConnectionItem>({
  ...{ name: 'connections', table: sql`connections`, key: 'id', idRequired: true, shape },
  defaults: (at) => ({
    ...{ counterpart: null, email: null, assets: [], activeFields: [], releases: [] },
    ...{ createdAt: at, answeredAt: null, changedAt: at },
  }),
  read: async ({ session, organisation: { id } }) =>
    (await readConnections(session, id)).map((whole) => itemOf(whole, id)),
  write: async (place, items) => writeConnections(place.session, place.organisation.id, await wholeOf(place, items)),
  merge,
  rules,
});

/** Lists are sorted by bytes, so that a document and what was stored of it compare equal. */
const before = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function byNumber(rows: readonly AssetRow[]): readonly AssetRow[] {
  return rows.toSorted((one, other) => before(one.mastrNumber, other.mastrNumber));
}

function byName<Item extends OwnField>(fields: readonly Item[]): Item[] {
  return fields.toSorted((one, other) => before(one.field, other.field));
}

function itemOf({ connection, ...parts }: WholeConnection, organisationId: string): ConnectionItem {
  const initiated = connection.initiatorId === organisationId;
  const id = initiated ? connection.invitedId : connection.initiatorId;
  const name = initiated ? connection.invitedName : connection.initiatorName;
  return {
    id: connection.id,
    role: initiated ? 'initiator' : 'invited',
    status: connection.status,
    counterpart: id === null || name === null ? null : { id, name },
    email: connection.invitedEmail,
    assets: parts.assets,
    activeFields: byName(parts.activeFields.map(({ field, at }) => ({ field, activatedAt: at }))),
    releases: byName(parts.releases.map(({ field, at }) => ({ field, releasedAt: at }))),
    createdAt: connection.createdAt,
    answeredAt: connection.answeredAt,
    changedAt: connection.updatedAt,
  };
}

/** Names of organisations that are in this store are those they have now. */
async function wholeOf(
  { session, organisation: own }: Asked,
  items: readonly ConnectionItem[],
): Promise<WholeConnection[]> {
  const names = new Map((await session.rows(organisationRow, allOrganisations())).map(({ id, name }) => [id, name]));
  return items.map(
    ({ id, role, status, counterpart, email: invitedEmail, createdAt, answeredAt, changedAt, ...parts }) => {
      const other =
        counterpart === null ? null : { ...counterpart, name: names.get(counterpart.id) ?? counterpart.name };
      const [initiator, invited] = role === 'initiator' || other === null ? [own, other] : [other, own];
      return {
        connection: {
          ...{ id, initiatorId: initiator.id, initiatorName: initiator.name },
          ...{ invitedId: invited?.id ?? null, invitedName: invited?.name ?? null, invitedEmail },
          ...{ status, createdAt, answeredAt, updatedAt: changedAt, assetCount: parts.assets.length },
        },
        assets: parts.assets,
        activeFields: parts.activeFields.map(({ field, activatedAt }) => ({ field, at: activatedAt })),
        releases: parts.releases.map(({ field, releasedAt }) => ({ field, at: releasedAt })),
      };
    },
  );
}

/** Statuses in the order in which a connection goes through them: an import leads it on, and never back. */
const PROGRESS: Readonly<Record<ConnectionStatus, number>> = { PENDING: 0, ACCEPTED: 1, DECLINED: 2, REVOKED: 2 };

/**
 * The connection of the store with what the document adds. Nothing is removed from its lists. A new unit is a change of
 * now; a field that became active before the last change was part of it, as when the documents of both sides are
 * imported.
 */
function merge(present: ConnectionItem, given: ConnectionItem): ConnectionItem {
  const further = PROGRESS[given.status] > PROGRESS[present.status];
  const { status, answeredAt } = further ? given : present;
  const answered = present.counterpart === null && given.counterpart !== null;
  const other = present.counterpart?.id === given.counterpart?.id || given.counterpart === null;
  const scope = new Set(present.assets.map(({ mastrNumber: number }) => number));
  const added = given.assets.filter(({ mastrNumber: number }) => !scope.has(number));
  const activated = missing(present.activeFields, given.activeFields);
  const moments = [
    present.changedAt,
    ...activated.map(({ activatedAt }) => activatedAt),
    ...(further ? [given.changedAt > present.changedAt ? given.changedAt : now()] : []),
    ...(added.length > 0 ? [now()] : []),
  ];
  return {
    ...present,
    role: given.role,
    status,
    answeredAt,
    counterpart: other ? present.counterpart : given.counterpart,
    email: answered ? null : present.email,
    assets: byNumber([...present.assets, ...added]),
    activeFields: byName([...present.activeFields, ...activated]),
    releases: byName([...present.releases, ...missing(present.releases, given.releases)]),
    changedAt: moments.toSorted().at(-1) ?? present.changedAt,
  };
}

function missing<Item extends OwnField>(present: readonly Item[], given: readonly Item[]): Item[] {
  const names = new Set(present.map(nameOf));
  return given.filter(({ field }) => !names.has(field));
}

async function rules(
  { session, organisation: { id: own } }: Asked,
  pairs: readonly Pair<ConnectionItem>[],
): Promise<Rules<ConnectionItem>> {
  const fields = await session.rows(customFieldRow, customFieldsOf(own));
  const known = new Map(fields.map((field) => [field.name, field]));
  const living = new Map<string, string>();
  for (const { id, status, initiatorId, invitedId } of await session.rows(connectionRecord, connectionsOfSide(own))) {
    const counterpart = initiatorId === own ? invitedId : initiatorId;
    if (isAlive(status) && counterpart !== null) living.set(counterpart, id);
  }
  // A connection that the document ends makes room for one that it begins.
  for (const { updated, present } of pairs) {
    if (present?.counterpart != null && !isAlive(updated.status)) living.delete(present.counterpart.id);
  }
  return (item, present) => {
    const found = [...sideComplaints(item, present, own), ...fieldComplaints(item, known)];
    const { counterpart, status, id } = item;
    if (counterpart === null || !isAlive(status)) return found;
    const other = living.get(counterpart.id) ?? id;
    living.set(counterpart.id, other);
    const message = `is a second connection with ${counterpart.name} that has not ended, beside ${other}`;
    return [...found, other !== id && [message, 'status']];
  };
}

function sideComplaints(item: ConnectionItem, present: ConnectionItem | null, own: string): Complaint[] {
  const { role, status, counterpart, email: address, answeredAt, assets: scope } = item;
  const isAnswer = status === 'ACCEPTED' || status === 'DECLINED';
  const former = present?.counterpart ?? null;
  return [
    (counterpart === null) === (address === null) && ['must have either a counterpart or an email'],
    address !== null && role === 'invited' && ['belongs to an invitation of its own', 'email'],
    counterpart?.id === own && ['is the organisation itself', 'counterpart', 'id'],
    address !== null && status === 'ACCEPTED' && ['is accepted by nobody', 'status'],
    status === 'PENDING' && answeredAt !== null && ['must be null while it is PENDING', 'answeredAt'],
    isAnswer && answeredAt === null && [`is required where the status is ${status}`, 'answeredAt'],
    scope.length > MAX_ASSETS && [`become more than ${MAX_ASSETS} with those of the store`, 'assets'],
    present !== null && present.role !== role && [`is ${present.role} in this store`, 'role'],
    former !== null && former.id !== counterpart?.id && [`is ${former.id} in this store`, 'counterpart', 'id'],
  ];
}

/** Fields can cross that are shared or filled by the counterpart, in use, and of a type with values. */
const fieldComplaints = (
  { activeFields, releases }: ConnectionItem,
  known: ReadonlyMap<string, CustomFieldRow>,
): Complaint[] =>
  Object.entries({ activeFields, releases }).flatMap(([list, fields]) =>
    fields.map(({ field: name }): Complaint => {
      const field = known.get(name);
      const fault =
        field === undefined ? 'no custom field of the organisation' : 'neither shared nor filled by the counterpart';
      const crosses = field !== undefined && 'direction' in directionOf(field);
      return !crosses && [`has ${JSON.stringify(name)}, which is ${fault}`, list];
    }),
  );
