import { type Outcome, rule } from '../world/rule.ts';
import {
  type Connection,
  type Handle,
  isSide,
  type Mailbox,
  type Message,
  type Thread,
  type User,
  type World,
} from '../world/world.ts';

/** Mailboxes, threads and messages. */

const CATEGORIES = ['TECHNIK', 'VERTRAG'];

type Routing = Pick<Mailbox, 'name' | 'general' | 'categories'>;

const ROUTINGS: readonly Routing[] = [
  { name: 'Alles', general: true, categories: [] },
  { name: 'Technik', general: false, categories: ['TECHNIK'] },
  { name: 'Verträge', general: false, categories: CATEGORIES },
  { name: 'Ablage', general: false, categories: [] },
];

/** Makes one the general mailbox, and none other. */
function route(world: World, mailbox: Mailbox): 'done' {
  const others = world.mailboxes.filter(({ owner, handle }) => owner === mailbox.owner && handle !== mailbox.handle);
  if (others.length === 0) mailbox.general = true;
  else if (mailbox.general) for (const other of others) other.general = false;
  return 'done';
}

const createMailbox = rule<Routing & { readonly owner: Handle; readonly users: readonly Handle[] }>({
  name: 'create a mailbox',
  weight: 3,
  *deeds({ organisations }) {
    for (const { handle: owner, users } of organisations)
      for (const routing of ROUTINGS)
        for (const some of [users.slice(0, 1), users.slice(1)])
          yield { owner, users: some.map(({ handle }) => handle), ...routing };
  },
  fits: (world, { owner, name, categories }) =>
    !world.mailboxes.some(
      (each) =>
        each.owner === owner &&
        (each.name === name || categories.some((category) => each.categories.includes(category))),
    ),
  change(world, draft) {
    const mailbox = { handle: world.next('B'), ...draft };
    world.mailboxes.push(mailbox);
    return route(world, mailbox);
  },
  async perform(reality, { owner, name, users, general, categories }, world) {
    const words = ['mailboxes', 'create', reality.externalId(owner), name];
    if (general) words.push('--general');
    if (categories.length > 0) words.push('--categories', categories.join(','));
    if (users.length > 0) words.push('--users', users.join(','));
    const made = await reality.command(words);
    if (made === null) return 'refused';
    reality.bind(world.mailboxes.at(-1)!.handle, made.data.id);
    return 'done';
  },
  tell: ({ owner, name }) => `${owner} makes the mailbox ${name}`,
});

interface MailboxDeed {
  readonly mailbox: Mailbox;
}

const someMailbox = function* ({ mailboxes }: World): Generator<MailboxDeed> {
  for (const mailbox of mailboxes) yield { mailbox };
};

const deleteMailbox = rule<MailboxDeed>({
  name: 'delete a mailbox',
  deeds: someMailbox,
  // The general one only as the last.
  fits: ({ mailboxes }, { mailbox: { owner, general } }) =>
    !general || mailboxes.filter((each) => each.owner === owner).length === 1,
  change(world, { mailbox }) {
    world.mailboxes.splice(world.mailboxes.indexOf(mailbox), 1);
    return 'done';
  },
  perform: (reality, { mailbox }) =>
    reality.order(['mailboxes', 'delete', reality.externalId(mailbox.owner), mailbox.name]),
  tell: ({ mailbox }) => `${mailbox.owner} deletes ${mailbox.handle}`,
});

const changeMailbox = rule<MailboxDeed & { readonly users: readonly Handle[] }>({
  name: 'change a mailbox',
  *deeds({ organisations, mailboxes }) {
    for (const mailbox of mailboxes) {
      const { users = [] } = organisations.find(({ handle }) => handle === mailbox.owner) ?? {};
      for (const { handle } of users) yield { mailbox, users: [handle] };
    }
  },
  fits: () => true,
  change(world, { mailbox, users }) {
    Object.assign(mailbox, { users, general: true, categories: ['TECHNIK'] });
    for (const other of world.mailboxes)
      if (other.owner === mailbox.owner && other !== mailbox)
        other.categories = other.categories.filter((category) => category !== 'TECHNIK');
    return route(world, mailbox);
  },
  perform: (reality, { mailbox, users }) =>
    reality.order([
      ...['mailboxes', 'change', reality.externalId(mailbox.owner), mailbox.name, '--users', users.join(',')],
      ...['--general', '--categories', 'TECHNIK', '--take'],
    ]),
  tell: ({ mailbox, users }) => `${mailbox.owner} makes ${mailbox.handle} general and technical, for ${users.join()}`,
});

interface Opening {
  readonly organisation: Handle;
  readonly connection: Connection;
  readonly category: string | null;
  readonly asset: string | null;
  /** Null = the integration writes. */
  readonly sender: User | null;
  readonly addressed: User | null;
}

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' };
const UNPROCESSABLE = { status: 422, code: 'UNPROCESSABLE' };

/** The fault that keeps a thread from being opened; of several faults any may be told. */
function faultsOf({ organisation, connection, asset, sender, addressed }: Opening): Outcome[] {
  if (connection.invited === null || !isSide(connection, organisation)) return [NOT_FOUND];
  const faults: Outcome[] = [];
  if (sender !== null && sender.organisation !== organisation) faults.push(NOT_FOUND);
  if (connection.status !== 'ACCEPTED') faults.push(UNPROCESSABLE);
  if (asset !== null && !connection.assets.has(asset)) faults.push({ status: 400, code: 'INVALID_PARAMETER' });
  if (addressed !== null && (addressed === sender || !isSide(connection, addressed.organisation)))
    faults.push(UNPROCESSABLE);
  return faults;
}

/** Every message says something else. */
const words = (world: World): string => `Nachricht ${world.now}`;

function write(world: World, thread: Thread, sender: Handle, person: User | null): void {
  thread.messages.push({
    ...{ handle: world.next('M'), sender, person: person?.name ?? null, text: words(world) },
    ...{ edited: false, at: world.now },
  });
  if (person !== null) thread.participants.add(person.handle);
  thread.changedAt = world.now;
}

function* openings(world: World): Generator<Opening> {
  for (const { handle: organisation } of world.organisations)
    for (const connection of world.connections)
      for (const category of [null, ...CATEGORIES])
        for (const asset of [null, ...connection.assets.keys(), 'SEE900000000009'])
          for (const [index, sender] of [null, ...world.users].entries())
            yield {
              ...{ organisation, connection, category, asset, sender },
              // Each sender addresses somebody else, so that there are not too many of these.
              addressed: world.users[index + 1] ?? null,
            };
}

const openThread = rule<Opening>({
  name: 'open a thread',
  weight: 7,
  *deeds(world) {
    for (const deed of openings(world)) if (faultsOf(deed).length <= 1) yield deed;
  },
  fits: (_, deed) => faultsOf(deed).length === 0,
  change(world, { organisation, connection, category, asset, sender, addressed }) {
    const thread: Thread = {
      ...{ handle: world.next('T'), connection: connection.handle, subject: null, category },
      ...{ assets: asset === null ? [] : [asset], participants: new Set<Handle>(), messages: [] },
      ...{ madeAt: world.now, changedAt: world.now },
    };
    if (addressed !== null) thread.participants.add(addressed.handle);
    world.threads.push(thread);
    write(world, thread, organisation, sender);
    return { status: 200, rows: [{ status: 'created' }] };
  },
  refusal: (_, deed) => faultsOf(deed)[0] ?? 'done',
  async perform(reality, { organisation, connection, category, asset, sender, addressed }, world) {
    const answer = await reality.ask(organisation, '/v1/threads', {
      ...{ connectionId: reality.id(connection.handle), body: words(world), category },
      assets: asset === null ? [] : [asset],
      addressUserIds: addressed === null ? [] : [reality.id(addressed.handle)],
      actingUserId: sender === null ? null : reality.id(sender.handle),
    });
    if (answer.status === 200) {
      const thread = world.threads.at(-1)!;
      reality.bind(thread.handle, answer.json.data[0].id);
      reality.bind(thread.messages.at(-1)!.handle, answer.json.data[0].externalId);
    }
    return told(answer);
  },
  tell: ({ organisation, connection, category, asset, sender, addressed }) =>
    `${organisation} opens a thread on ${connection.handle}: ${category}, ${asset}, from ${sender?.handle ?? 'the integration'} to ${addressed?.handle ?? 'nobody'}`,
});

/** Status and rows, or the code of a refusal. */
function told({ status, json }: { readonly status: number; readonly json: unknown }): Outcome {
  const { data, code } = json as { data?: readonly { status: string }[]; code?: string };
  return data === undefined ? { status, code } : { status, rows: data.map((row) => ({ status: row.status })) };
}

interface Writing {
  readonly organisation: Handle;
  readonly thread: Thread;
  readonly sender: User | null;
}

function faultsOfWriting(world: World, { organisation, thread, sender }: Writing): Outcome[] {
  const connection = world.connection(thread.connection);
  if (!isSide(connection, organisation)) return [NOT_FOUND];
  const faults: Outcome[] = [];
  if (sender !== null && sender.organisation !== organisation) faults.push(NOT_FOUND);
  if (connection.status !== 'ACCEPTED') faults.push(UNPROCESSABLE);
  return faults;
}

const writeMessage = rule<Writing>({
  name: 'write a message',
  weight: 7,
  *deeds(world) {
    for (const { handle: organisation } of world.organisations)
      for (const thread of world.threads)
        for (const sender of [null, ...world.users]) {
          const deed = { organisation, thread, sender };
          if (faultsOfWriting(world, deed).length <= 1) yield deed;
        }
  },
  fits: (world, deed) => faultsOfWriting(world, deed).length === 0,
  change(world, { thread, organisation, sender }) {
    write(world, thread, organisation, sender);
    return { status: 200, rows: [{ status: 'created' }] };
  },
  refusal: (world, deed) => faultsOfWriting(world, deed)[0] ?? 'done',
  async perform(reality, { organisation, thread, sender }, world) {
    const answer = await reality.ask(organisation, `/v1/threads/${reality.id(thread.handle)}/messages`, {
      body: words(world),
      actingUserId: sender === null ? null : reality.id(sender.handle),
    });
    if (answer.status === 200) reality.bind(thread.messages.at(-1)!.handle, answer.json.data[0].id);
    return told(answer);
  },
  tell: ({ organisation, thread, sender }) =>
    `${organisation} writes in ${thread.handle} as ${sender?.handle ?? 'the integration'}`,
});

interface MessageDeed {
  readonly organisation: Handle;
  readonly thread: Thread;
  readonly message: Message;
}

const someMessage = function* ({ organisations, threads }: World): Generator<MessageDeed> {
  for (const { handle: organisation } of organisations)
    for (const thread of threads) for (const message of thread.messages) yield { organisation, thread, message };
};

/** Only the side that wrote a message changes it, and nobody changes a deleted one. */
const isOwnLiving = (_: World, { organisation, message }: MessageDeed): boolean =>
  message.sender === organisation && message.text !== null;

const editMessage = rule<MessageDeed>({
  name: 'edit a message',
  weight: 2,
  deeds: someMessage,
  // Nothing is written on a connection that has ended; a message can still be deleted there.
  fits: (world, deed) => isOwnLiving(world, deed) && world.connection(deed.thread.connection).status === 'ACCEPTED',
  change(world, { thread, message }) {
    Object.assign(message, { text: words(world), edited: true });
    thread.changedAt = world.now;
    return 'done';
  },
  perform: (reality, { organisation, message }, world) =>
    reality.order(
      ['messages', 'edit', reality.externalId(organisation), reality.id(message.handle), '-'],
      words(world),
    ),
  tell: ({ organisation, message }) => `${organisation} edits ${message.handle}`,
});

const deleteMessage = rule<MessageDeed>({
  name: 'delete a message',
  weight: 2,
  deeds: someMessage,
  fits: isOwnLiving,
  change(world, { thread, message }) {
    message.text = null;
    thread.changedAt = world.now;
    return 'done';
  },
  // Deleting a message once more changes nothing, and is no mistake.
  refusal: (_, { organisation, message }) => (message.sender === organisation ? 'done' : 'refused'),
  perform: (reality, { organisation, message }) =>
    reality.order(['messages', 'delete', reality.externalId(organisation), reality.id(message.handle)]),
  tell: ({ organisation, message }) => `${organisation} deletes ${message.handle}`,
});

export const CHANNEL_RULES = [
  createMailbox,
  changeMailbox,
  deleteMailbox,
  openThread,
  writeMessage,
  editMessage,
  deleteMessage,
];
