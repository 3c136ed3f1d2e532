import { randomUUIDv7 } from 'node:crypto';
import type { OrgStore } from '../../sql/org/store.ts';
import { makeAlert } from '../support/alerts.ts';
import { makeUser, putMailbox } from '../support/channel.ts';
import { makeContacts } from '../support/contacts.ts';
import { makeField } from '../support/custom-fields.ts';
import { makeKey } from '../support/organisation.ts';
import { entry, unit } from '../support/portfolio.ts';
import { type callOperation, withKey } from '../support/requests.ts';
import type { OwnSubject } from '../support/service.ts';
import { ALLOWED_HOST, TEST_SECRET } from '../support/webhooks.ts';
import { type Member, secretFilterOf } from './isolation-members.ts';

/** Lists the ways in which one organisation could ask for the records of another, operation by operation. */

/** The organisation b asks about what a has. */
interface World {
  readonly store: OrgStore;
  readonly service: OwnSubject;
  readonly a: Member;
  readonly b: Member;
}

export type Request = Parameters<typeof callOperation>[2] & object;

/** The same question about a record of the other organisation, and about an unknown one. */
export interface Pair {
  readonly what: string;
  readonly foreign: Request;
  readonly unknown: Request;
}

async function savedFilterOf(service: OwnSubject, { key }: Member): Promise<{ id: string }> {
  return (await service.get('/v1/saved-filters', withKey(key))).json.data[0];
}

/** Gets the cursor after the first entry of a list, for the caller with this key. */
async function cursorOf(service: OwnSubject, list: string, key: string): Promise<string> {
  const { meta } = (await service.get(`/v1/${list}?limit=1`, withKey(key))).json;
  return (meta.page ?? meta).cursor;
}

/** A question about a record of the other organisation, and about one that does not exist. */
const about = (what: string, id: string, more: object = {}): Pair => ({
  what,
  foreign: { path: { id }, ...more },
  unknown: { path: { id: randomUUIDv7() }, ...more },
});

const aboutConnection = ({ a }: World, more?: object): Pair =>
  about('a connection of two others', a.connections[0]!, more);

const aboutReleases = ({ a, b }: World): Pair[] => [
  {
    what: 'a field of the other',
    foreign: { body: { defId: a.fieldId, mastrNummern: [unit(1)] } },
    unknown: { body: { defId: randomUUIDv7(), mastrNummern: [unit(1)] } },
  },
  {
    what: 'a connection of two others',
    foreign: { body: { defId: b.fieldId, connectionId: a.connections[0] } },
    unknown: { body: { defId: b.fieldId, connectionId: randomUUIDv7() } },
  },
];

const aboutThread = ({ a }: World): Pair => about('a thread of two others', a.thread);

const aboutEndpoint = ({ a }: World, more?: object): Pair => about('a webhook endpoint of the other', a.endpoint, more);

const aboutAlert = async ({ store, a }: World, more?: object): Promise<Pair> =>
  about('an alert of the other', (await makeAlert(store, a)).id, more);

const aboutContact = async ({ store, a }: World, more?: object): Promise<Pair> =>
  about('a contact of the other', (await makeContacts(store, a.id, [{ name: 'Abendroth 3' }]))[0]!.id, more);

const aboutMailbox = async ({ store, a }: World, more?: object): Promise<Pair> =>
  about('a mailbox of the other', (await putMailbox(store, a)).id, more);

/** The external id of an admin of an organisation. */
const userOf = async (store: OrgStore, side: Member): Promise<string> =>
  (await makeUser(store, side, { role: 'admin' })).externalId;

const aboutFilter = async ({ service, a }: World, more?: object): Promise<Pair> =>
  about('a saved filter of the other', (await savedFilterOf(service, a)).id, more);

/** A new endpoint with this path at the host that tests may name. */
const endpointAt = (path: string) => ({ body: { url: `https://${ALLOWED_HOST}/${path}`, secret: TEST_SECRET } });

/** A text on the own connection, with something more. */
const onOwn = ({ b }: World, more: object) => ({
  body: { connectionId: b.connections[0], body: 'Guten Tag', ...more },
});

/** Requests about another organisation's records, for each operation that answers from records of an organisation. */
export const PAIRS: Readonly<Record<string, (world: World) => Promise<readonly Pair[]>>> = {
  'units.search': async ({ service, a }) => [
    {
      what: 'a saved filter of the other',
      foreign: { body: { savedFilterId: (await savedFilterOf(service, a)).id } },
      unknown: { body: { savedFilterId: randomUUIDv7() } },
    },
    {
      what: 'an event of the other',
      foreign: { body: { eventId: a.event } },
      unknown: { body: { eventId: randomUUIDv7() } },
    },
  ],
  'portfolio.list': async ({ service, a, b }) => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'portfolio', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'portfolio.put': async () => [
    {
      what: 'a unit that the other has',
      foreign: { body: { entries: [entry(1)] } },
      unknown: { body: { entries: [entry(11)] } },
    },
    {
      what: 'a unit that the other has removed',
      foreign: { body: { entries: [entry(2)] } },
      unknown: { body: { entries: [entry(12)] } },
    },
    {
      what: 'the same in a dry run',
      foreign: { query: 'dryRun=true', body: { entries: [entry(3)] } },
      unknown: { query: 'dryRun=true', body: { entries: [entry(13)] } },
    },
    {
      what: 'an idempotency key that the other has used, for something else',
      foreign: { body: { entries: [entry(4)] }, headers: { 'Idempotency-Key': 'taken' } },
      unknown: { body: { entries: [entry(14)] }, headers: { 'Idempotency-Key': 'never' } },
    },
  ],
  'portfolio.remove': async () => [
    {
      what: 'a unit that the other has',
      foreign: { body: { mastrNummern: [unit(3)] } },
      unknown: { body: { mastrNummern: [unit(15)] } },
    },
    {
      what: 'an idempotency key that the other has used, for the same',
      foreign: { body: { mastrNummern: [unit(2)] }, headers: { 'Idempotency-Key': 'taken for a removal' } },
      unknown: { body: { mastrNummern: [unit(16)] }, headers: { 'Idempotency-Key': 'used by nobody so far' } },
    },
  ],
  'contacts.list': async ({ store, service, a, b }) => {
    await makeContacts(store, b.id, [{ name: 'Bellevue 1' }, { name: 'Bellevue 2' }]);
    return [
      {
        what: 'a name that the other has',
        foreign: { query: 'suche=abendroth' },
        unknown: { query: 'suche=niemand' },
      },
      {
        what: 'a cursor: of the other, and of another question',
        foreign: { query: `kind=PERSON&cursor=${await cursorOf(service, 'contacts', a.key)}` },
        unknown: { query: `kind=PERSON&cursor=${await cursorOf(service, 'contacts', b.key)}` },
      },
    ];
  },
  'contacts.create': async () => [],
  'contacts.change': async (world) => [await aboutContact(world, { body: { name: 'Neu' } })],
  'contacts.delete': async (world) => [await aboutContact(world)],
  'mailboxes.list': async () => [],
  'mailboxes.create': async ({ store, a }) => {
    const { name, users } = await putMailbox(store, a, { users: [await userOf(store, a)] });
    return [
      {
        what: 'a name that the other has',
        foreign: { query: 'dryRun=true', body: { name } },
        unknown: { query: 'dryRun=true', body: { name: `Postfach ${randomUUIDv7()}` } },
      },
      {
        what: 'a user of the other',
        foreign: { body: { name: 'Mit Nutzer', nutzer: users } },
        unknown: { body: { name: 'Mit Nutzer', nutzer: [`user-${randomUUIDv7()}`] } },
      },
    ];
  },
  'mailboxes.change': async (world) => [await aboutMailbox(world, { body: { name: 'Neu' } })],
  'mailboxes.delete': async (world) => [await aboutMailbox(world)],
  'keys.list': async () => [],
  'keys.create': async ({ store, a }) => [
    {
      what: 'a user of the other',
      foreign: { body: { name: 'Neu', scopes: ['units:read'], createdBy: await userOf(store, a) } },
      unknown: { body: { name: 'Neu', scopes: ['units:read'], createdBy: `user-${randomUUIDv7()}` } },
    },
  ],
  'keys.delete': async ({ store, a }) => [
    {
      what: 'a key of the other',
      foreign: { path: { prefix: (await makeKey(store, a)).row.prefix } },
      unknown: { path: { prefix: 'Zz00zz00' } },
    },
  ],
  'custom-fields.list': async () => [],
  'custom-fields.create': async ({ store, a }) => {
    const { name } = await makeField(store, a);
    return [
      {
        what: 'a name that the other has',
        foreign: { body: { name, typ: 'TEXT' } },
        unknown: { body: { name: `Feld ${randomUUIDv7()}`, typ: 'TEXT' } },
      },
    ];
  },
  'custom-fields.change': async ({ a }) => [
    {
      what: 'a field of the other',
      foreign: { path: { id: a.fieldId }, body: { inBenutzung: false } },
      unknown: { path: { id: randomUUIDv7() }, body: { inBenutzung: false } },
    },
  ],
  'custom-fields.values': async () => [
    {
      what: 'a unit with values of the other',
      foreign: { path: { id: unit(1) } },
      unknown: { path: { id: unit(11) } },
    },
  ],
  'custom-fields.put': async ({ a }) => [
    {
      what: 'a field of the other',
      foreign: { body: { values: [{ defId: a.fieldId, text: 'x' }] } },
      unknown: { body: { values: [{ defId: randomUUIDv7(), text: 'x' }] } },
    },
    {
      what: 'the same in a dry run',
      foreign: { query: 'dryRun=true', body: { values: [{ defId: a.fieldId, text: null }] } },
      unknown: { query: 'dryRun=true', body: { values: [{ defId: randomUUIDv7(), text: null }] } },
    },
  ],
  'custom-fields.values-of-units': async () => [
    {
      what: 'values of the other',
      foreign: { query: 'mastrNummern=SEE900000000001' },
      unknown: { query: 'mastrNummern=SEE900000000002' },
    },
  ],
  'custom-fields.put-of-units': async ({ a }) => {
    const value = (defId: string) => ({ mastrNummer: 'SEE900000000001', defId, text: 'x' });
    return [
      {
        what: 'a field of the other',
        foreign: { body: { values: [value(a.fieldId)] } },
        unknown: { body: { values: [value(randomUUIDv7())] } },
      },
    ];
  },
  'alerts.list': async () => [],
  'alerts.create': async ({ store, service, a }) => {
    const { name } = await makeAlert(store, a);
    const template = 'NEW_UNIT';
    return [
      {
        what: 'a name that the other has',
        foreign: { body: { name, template } },
        unknown: { body: { name: `Alarm ${randomUUIDv7()}`, template } },
      },
      {
        what: 'a saved filter of the other',
        foreign: { body: { name: 'Gefiltert', template, savedFilterId: (await savedFilterOf(service, a)).id } },
        unknown: { body: { name: 'Gefiltert', template, savedFilterId: randomUUIDv7() } },
      },
    ];
  },
  'alerts.change': async (world) => [await aboutAlert(world, { body: { enabled: false } })],
  'alerts.delete': async (world) => [await aboutAlert(world)],
  'alerts.runs': async (world) => [await aboutAlert(world)],
  'alerts.test': async (world) => [await aboutAlert(world, { body: { via: 'ANSWER' } })],
  'shares.list': async () => [],
  'shares.create': async () => [],
  'shares.delete': async ({ service, a }) => {
    const { json } = await service.get('/v1/shares', withKey(a.key));
    return [about('a public link', json.data[0].id)];
  },
  'saved-filters.list': async () => [],
  'saved-filters.create': async ({ a }) => [
    {
      what: 'a name that the other has',
      foreign: { body: { name: secretFilterOf(a.id), criteria: {} } },
      unknown: { body: { name: secretFilterOf(randomUUIDv7()), criteria: {} } },
    },
  ],
  'saved-filters.change': async (world) => [await aboutFilter(world, { body: { criteria: {} } })],
  'saved-filters.delete': async (world) => [await aboutFilter(world)],
  'connections.list': async ({ service, a, b }) => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'connections', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'connections.show': async (world) => [aboutConnection(world)],
  // Whoever knows the id of an organisation may invite it: the other gives it away itself. Addresses tell nothing.
  'connections.invite': async ({ store, a }) => {
    const name = randomUUIDv7().slice(-12);
    await makeUser(store, a, { email: `a-${name}@abendroth.example` });
    return [
      {
        what: 'an address that a user of the other has',
        foreign: { body: { email: `a-${name}@abendroth.example` } },
        unknown: { body: { email: `b-${name}@abendroth.example` } },
      },
    ];
  },
  'connections.invitations': async ({ service, a, b }) => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'connections', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'connections.change': async (world) => [
    aboutConnection(world, { body: { status: 'REVOKED' } }),
    aboutConnection(world, { body: { status: 'ACCEPTED' } }),
  ],
  'connections.add-assets': async (world) => [aboutConnection(world, { body: { mastrNummern: [unit(1)] } })],
  'connections.remove-assets': async (world) => [aboutConnection(world, { body: { mastrNummern: [unit(1)] } })],
  'connections.fields': async (world) => [aboutConnection(world)],
  'connections.change-field': async ({ a, b }) => [
    {
      what: 'a connection of two others',
      foreign: { path: { id: a.connections[0]!, defId: b.fieldId }, body: { aktiv: true } },
      unknown: { path: { id: randomUUIDv7(), defId: b.fieldId }, body: { aktiv: true } },
    },
    {
      what: 'a field of the other',
      foreign: { path: { id: b.connections[0]!, defId: a.fieldId }, body: { aktiv: true } },
      unknown: { path: { id: b.connections[0]!, defId: randomUUIDv7() }, body: { aktiv: true } },
    },
  ],
  'releases.list': async ({ service, a, b }) => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'connections', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'releases.add': async (world) => aboutReleases(world),
  'releases.withdraw': async (world) => aboutReleases(world),
  'connections.assets': async (world) => {
    const { service, a, b } = world;
    return [
      aboutConnection(world),
      {
        what: 'a cursor within a connection of the other, and within one that is unknown',
        foreign: {
          ...aboutConnection(world).foreign,
          query: `limit=1&cursor=${await cursorOf(service, `connections/${a.connections[0]}/assets`, a.key)}`,
        },
        unknown: {
          ...aboutConnection(world).unknown,
          query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}`,
        },
      },
    ];
  },
  'threads.list': async ({ service, a, b }) => [
    {
      what: 'a connection of two others',
      foreign: { query: `connectionId=${a.connections[0]}` },
      unknown: { query: `connectionId=${randomUUIDv7()}` },
    },
    {
      what: 'what a user of the other sees',
      foreign: { query: `actingUserId=${a.user}` },
      unknown: { query: `actingUserId=${randomUUIDv7()}` },
    },
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'threads', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'threads.create': async (world) => {
    const { a } = world;
    return [
      {
        what: 'on a connection of two others',
        foreign: { body: { connectionId: a.connections[0], body: 'Guten Tag' } },
        unknown: { body: { connectionId: randomUUIDv7(), body: 'Guten Tag' } },
      },
      {
        what: 'as a user of the other',
        foreign: onOwn(world, { actingUserId: a.user }),
        unknown: onOwn(world, { actingUserId: randomUUIDv7() }),
      },
      {
        what: 'to a user of the other',
        foreign: onOwn(world, { addressUserIds: [a.user] }),
        unknown: onOwn(world, { addressUserIds: [randomUUIDv7()] }),
      },
    ];
  },
  'shared-fields.list': async (world) => [aboutConnection(world)],
  'shared-fields.answer': async (world) => {
    const { store, a, b } = world;
    // Asked for by several tests: the names of an organisation's fields differ.
    const field = (await makeField(store, a, { name: `Geheimfeld ${randomUUIDv7()}`, filledByPartner: true })).id;
    const path = { id: b.connections[0]! };
    return [
      aboutConnection(world),
      {
        what: 'a field that the other asks somebody else for',
        foreign: { path, body: { antworten: [{ anlage: unit(1), defId: field, text: 'x' }] } },
        unknown: { path, body: { antworten: [{ anlage: unit(1), defId: randomUUIDv7(), text: 'x' }] } },
      },
    ];
  },
  'threads.show': async (world) => [aboutThread(world)],
  'messages.list': async (world) => {
    const { service, a, b } = world;
    return [
      aboutThread(world),
      {
        what: 'a cursor of the other, and of another question',
        foreign: {
          path: { id: b.thread },
          query: `cursor=${await cursorOf(service, `threads/${a.thread}/messages`, a.key)}`,
        },
        unknown: { path: { id: b.thread }, query: `cursor=${await cursorOf(service, 'units', b.key)}` },
      },
    ];
  },
  'messages.create': async (world) => {
    const { a, b } = world;
    return [
      aboutThread(world),
      {
        what: 'as a user of the other',
        foreign: { path: { id: b.thread }, body: { body: 'Guten Tag', actingUserId: a.user } },
        unknown: { path: { id: b.thread }, body: { body: 'Guten Tag', actingUserId: randomUUIDv7() } },
      },
    ];
  },
  'events.list': async ({ service, a, b }) => [
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'events', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'audit.list': async ({ service, a, b }) => [
    {
      what: 'the calls of a key',
      foreign: { query: `keyPrefix=${a.prefix}` },
      unknown: { query: 'keyPrefix=00000000' },
    },
    {
      what: 'a cursor: of the other, and of another question',
      foreign: { query: `limit=1&cursor=${await cursorOf(service, 'audit-log', a.key)}` },
      unknown: { query: `limit=1&cursor=${await cursorOf(service, 'units', b.key)}` },
    },
  ],
  'me.show': async () => [],
  'usage.show': async () => [],
  'webhooks.list': async () => [],
  'webhooks.create': async ({ a }) => [
    { what: 'a url that the other has', foreign: endpointAt(a.endpoint), unknown: endpointAt(randomUUIDv7()) },
  ],
  'webhooks.show': async (world) => [aboutEndpoint(world)],
  'webhooks.change': async (world) => [aboutEndpoint(world, { body: { disabled: true } })],
  'webhooks.delete': async (world) => [aboutEndpoint(world)],
  'webhooks.secret': async (world) => [aboutEndpoint(world)],
  'webhooks.portal': async () => [],
  'webhooks.rotate': async (world) => [aboutEndpoint(world, { body: {} })],
};
