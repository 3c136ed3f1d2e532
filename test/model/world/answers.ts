import type { Answer } from './answer.ts';
import type { Reality } from './reality.ts';
import { Time } from './times.ts';
import {
  byName,
  type Connection,
  type Contact,
  counterpart,
  type Entry,
  type Handle,
  hasWords,
  isAlive,
  isShown,
  responsible,
  seesThread,
  sharedOn,
  type Thread,
  type User,
  type World,
} from './world.ts';

/** The answers that each side has to get, from the model alone; the reality only lends its ids. */

type Json = Readonly<Record<string, unknown>>;

/** Everything that every organisation can ask for without a choice. */
export function everyAnswer(world: World, reality: Reality, units: readonly string[]): Answer[] {
  return world.organisations.flatMap(({ handle }) => [
    customFields(world, reality, handle),
    ...units.map((unit) => values(world, reality, handle, unit)),
    contacts(world, reality, handle),
    connections(world, reality, handle),
    ...world
      .connectionsOf(handle)
      .flatMap((connection) => [
        connectionDetail(reality, world, handle, connection),
        assets(reality, handle, connection),
        sharedFields(world, reality, handle, connection),
      ]),
    threads(world, reality, handle),
    ...world
      .threadsOf(handle)
      .flatMap((thread) => [threadDetail(world, reality, handle, thread), messages(world, reality, handle, thread)]),
  ]);
}

const listed = (rows: readonly unknown[]): Json => ({ count: rows.length, hasMore: false });

function customFields(world: World, reality: Reality, organisation: Handle): Answer {
  const data = world.fields
    .filter((field) => field.owner === organisation && isShown(field))
    .sort(byName)
    .map((field) => ({
      id: reality.id(field.handle),
      name: field.name,
      typ: field.type,
      mehrfachwerte: field.multiple,
      auswahlwerte: field.choices,
      vonGegenseiteBefuellt: field.filledByPartner,
      mitGegenseiteGeteilt: field.shared,
      angelegtAm: new Time(`${field.handle} made`, field.madeAt),
      geaendertAm: new Time(`${field.handle} changed`, field.changedAt),
    }));
  return { organisation, path: '/v1/custom-fields', data, meta: { count: data.length, complete: true } };
}

/** Own values before those of partners, within a field. */
function values(world: World, reality: Reality, organisation: Handle, unit: string): Answer {
  const foreign = ({ writer }: Entry): number => Number(writer !== organisation);
  const data = world.entries
    .filter((entry) => entry.unit === unit)
    .map((entry) => ({ entry, field: world.field(entry.field) }))
    .filter(({ field }) => field.owner === organisation && isShown(field))
    .sort(
      (a, b) =>
        byName(a.field, b.field) ||
        foreign(a.entry) - foreign(b.entry) ||
        (reality.id(a.entry.writer) < reality.id(b.entry.writer) ? -1 : 1),
    )
    .flatMap(({ entry, field }) =>
      entry.slots.map((slot, reihenfolge) => ({
        defId: reality.id(field.handle),
        ...slot,
        schreiber: entry.writer === organisation ? 'eigen' : 'gegenseite',
        reihenfolge,
        geaendertAm: timeOf(entry),
      })),
    );
  return { organisation, path: `/v1/units/${unit}/custom-fields`, data, meta: { count: data.length, complete: true } };
}

/** All places of a field are written together. */
const timeOf = ({ field, unit, writer, at }: Entry): Time => new Time(`${field} ${unit} ${writer}`, at);

/** @param question kind and words of the search */
export function contacts(
  world: World,
  reality: Reality,
  organisation: Handle,
  question: { readonly kind?: Contact['kind']; readonly suche?: string } = {},
): Answer {
  const { kind, suche } = question;
  const data = world.contacts
    .filter((contact) => contact.owner === organisation)
    .filter((contact) => kind === undefined || contact.kind === kind)
    .filter(({ name, company }) => suche === undefined || hasWords([name, company], suche))
    .sort((a, b) => byName(a, b) || reality.byId(a, b))
    .map((contact) => ({
      id: reality.id(contact.handle),
      art: contact.kind,
      name: contact.name,
      vorname: null,
      nachname: null,
      anrede: null,
      titel: null,
      email: contact.email,
      telefon: contact.telephone,
      firma: contact.company,
      position: null,
      herkunft: 'MANUELL',
      status: contact.status,
      angelegtAm: new Time(`${contact.handle} made`, contact.madeAt),
      geaendertAm: new Time(`${contact.handle} changed`, contact.changedAt),
    }));
  return { organisation, path: `/v1/contacts${queryOf(question)}`, data, meta: listed(data) };
}

const queryOf = (question: object): string => {
  const search = new URLSearchParams(Object.entries(question).filter(([, value]) => value !== undefined));
  return search.size === 0 ? '' : `?${search}`;
};

/** Newest first; ended ones only with their status. */
export function connections(world: World, reality: Reality, organisation: Handle, status?: string): Answer {
  const data = world
    .connectionsOf(organisation)
    .filter((connection) => (status === undefined ? isAlive(connection) : connection.status === status))
    .sort((a, b) => b.madeAt - a.madeAt)
    .map((connection) => shownConnection(reality, world, organisation, connection));
  return { organisation, path: `/v1/connections${queryOf({ status })}`, data, meta: listed(data) };
}

const shownConnection = (reality: Reality, world: World, organisation: Handle, connection: Connection): Json => ({
  id: reality.id(connection.handle),
  status: connection.status,
  rolle: connection.initiator === organisation ? 'initiator' : 'eingeladen',
  gegenseite: { name: world.organisation(counterpart(connection, organisation)).name },
  anlagenAnzahl: isAlive(connection) ? connection.assets.size : 0,
  angelegtAm: new Time(`${connection.handle} made`, connection.madeAt),
  beantwortetAm:
    connection.answeredAt === null ? null : new Time(`${connection.handle} answered`, connection.answeredAt),
  geaendertAm: new Time(`${connection.handle} changed`, connection.changedAt),
});

const connectionDetail = (reality: Reality, world: World, organisation: Handle, connection: Connection): Answer => ({
  organisation,
  path: `/v1/connections/${reality.id(connection.handle)}`,
  data: { ...shownConnection(reality, world, organisation, connection), aktivierteFelder: connection.active.size },
  meta: {},
});

function assets(reality: Reality, organisation: Handle, connection: Connection): Answer {
  const data = [...(isAlive(connection) ? connection.assets : [])]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([mastrNummer, { role, at }]) => ({
      mastrNummer,
      beziehung: role,
      hinzugefuegtAm: new Time(`${connection.handle} ${mastrNummer}`, at),
      geaendertAm: new Time(`${connection.handle} ${mastrNummer}`, at),
    }));
  const path = `/v1/connections/${reality.id(connection.handle)}/assets`;
  return { organisation, path, data, meta: { ...listed(data), aktiv: connection.status === 'ACCEPTED' } };
}

export function sharedFields(
  world: World,
  reality: Reality,
  organisation: Handle,
  connection: Connection,
  question: { readonly anlage?: string; readonly richtung?: string } = {},
): Answer {
  const { anlage, richtung } = question;
  const data = sharedOn(world, connection)
    .filter(({ unit, direction }) => (anlage ?? unit) === unit && (richtung ?? direction) === direction)
    .sort(
      (a, b) =>
        (a.unit < b.unit ? -1 : Number(a.unit > b.unit)) || byName(a.field, b.field) || reality.byId(a.field, b.field),
    )
    .map(({ unit, field, direction, origin, writer }) => {
      const entry = world.entry(field.handle, unit, writer);
      return {
        anlage: unit,
        richtung: direction,
        herkunft: origin,
        besitzer: field.owner === organisation ? 'eigen' : 'gegenseite',
        def: {
          id: reality.id(field.handle),
          name: field.name,
          fieldType: field.type,
          allowMultiple: field.multiple,
          options: field.type === 'DROPDOWN' ? field.choices : null,
        },
        werte: (entry?.slots ?? []).map((slot) => ({ ...slot, geaendertAm: entry && timeOf(entry) })),
      };
    });
  const path = `/v1/connections/${reality.id(connection.handle)}/shared-fields${queryOf(question)}`;
  return { organisation, path, data, meta: { ...listed(data), cursor: null } };
}

interface ThreadQuestion {
  readonly connection?: Connection;
  readonly category?: string;
  readonly anlage?: string;
  readonly user?: User;
}

/** Threads of accepted connections, or of the one asked for; last activity first. */
export function threads(world: World, reality: Reality, organisation: Handle, question: ThreadQuestion = {}): Answer {
  const { connection, category, anlage, user } = question;
  const data = world
    .threadsOf(organisation)
    .filter((thread) =>
      connection === undefined
        ? world.connection(thread.connection).status === 'ACCEPTED'
        : thread.connection === connection.handle,
    )
    .filter((thread) => category === undefined || thread.category === category)
    .filter((thread) => anlage === undefined || thread.assets.includes(anlage))
    .filter((thread) => user === undefined || seesThread(world, user, thread))
    .sort((a, b) => lastActivity(b).at - lastActivity(a).at)
    .map((thread) => {
      const mailbox = responsible(world, organisation, thread.category);
      const postfach = mailbox === undefined ? null : { id: reality.id(mailbox.handle), name: mailbox.name };
      return { ...shownThread(reality, thread), zustellung: { postfach, allgemein: mailbox?.general ?? true } };
    });
  const asked = {
    connectionId: connection && reality.id(connection.handle),
    category,
    anlage,
    actingUserId: user && reality.id(user.handle),
  };
  return { organisation, path: `/v1/threads${queryOf(asked)}`, data, meta: listed(data) };
}

const lastActivity = ({ messages }: Thread) => messages.at(-1)!;

const shownThread = (reality: Reality, thread: Thread): Json => ({
  id: reality.id(thread.handle),
  connectionId: reality.id(thread.connection),
  betreff: thread.subject,
  kategorie: thread.category,
  anlagen: thread.assets,
  nachrichtenAnzahl: thread.messages.length,
  letzteAktivitaetAm: new Time(lastActivity(thread).handle, lastActivity(thread).at),
  angelegtAm: new Time(`${thread.handle} made`, thread.madeAt),
  geaendertAm: new Time(`${thread.handle} changed`, thread.changedAt),
});

const threadDetail = (world: World, reality: Reality, organisation: Handle, thread: Thread): Answer => ({
  organisation,
  path: `/v1/threads/${reality.id(thread.handle)}`,
  data: {
    ...shownThread(reality, thread),
    gegenseite: { name: world.organisation(counterpart(world.connection(thread.connection), organisation)).name },
  },
  meta: {},
});

function messages(world: World, reality: Reality, organisation: Handle, thread: Thread): Answer {
  const data = shownMessages(world, reality, organisation, thread);
  return { organisation, path: `/v1/threads/${reality.id(thread.handle)}/messages`, data, meta: listed(data) };
}

const shownMessages = (world: World, reality: Reality, organisation: Handle, { messages }: Thread): Json[] =>
  messages.map((message) => ({
    id: reality.id(message.handle),
    text: message.text,
    geloescht: message.text === null,
    bearbeitet: message.edited,
    absender: {
      organisation: world.organisation(message.sender).name,
      eigeneSeite: message.sender === organisation,
      person: message.person,
      viaApi: message.sender === organisation,
    },
    anhaenge: [],
    geschriebenAm: new Time(message.handle, message.at),
  }));
