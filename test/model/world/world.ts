import { fold } from '../../../sql/query/fold.ts';

/**
 * A plain model of what organisations have of their own and share: lists in memory, no ids, no SQL. It is written from
 * interface.md and docs/decisions/0005-organisations.md alone, so that the service and the model are two readings of one
 * text.
 */

/** Names things in the model and in what a failing history prints: `F2` is the second field that was made. */
export type Handle = string;

export interface User {
  readonly handle: Handle;
  readonly organisation: Handle;
  readonly name: string;
}

export interface Organisation {
  readonly handle: Handle;
  name: string;
  readonly users: readonly User[];
  /** Role by unit. */
  readonly portfolio: Map<string, string>;
}

export type FieldType = 'TEXT' | 'LONG_TEXT' | 'DROPDOWN' | 'URL' | 'NUMBER' | 'DATE' | 'FILE';

export interface Field {
  readonly handle: Handle;
  readonly owner: Handle;
  name: string;
  readonly type: FieldType;
  readonly multiple: boolean;
  readonly choices: string[];
  readonly filledByPartner: boolean;
  shared: boolean;
  retired: boolean;
  readonly madeAt: number;
  changedAt: number;
}

/** One value of a field. */
export interface Slot {
  readonly text: string | null;
  readonly zahl: number | null;
  readonly datum: string | null;
  readonly datumsgenauigkeit: 'DAY' | 'MONTH';
}

/** All values of one writer in a field of a unit, in order. */
export interface Entry {
  readonly field: Handle;
  readonly unit: string;
  readonly writer: Handle;
  slots: readonly Slot[];
  at: number;
}

export interface Contact {
  readonly handle: Handle;
  readonly owner: Handle;
  readonly kind: 'PERSON' | 'FUNCTION';
  name: string;
  email: string | null;
  telephone: string | null;
  company: string | null;
  status: 'CONFIRMED' | 'SUGGESTED';
  readonly madeAt: number;
  changedAt: number;
}

type ConnectionStatus = 'PENDING' | 'ACCEPTED' | 'DECLINED' | 'REVOKED';

export interface Connection {
  readonly handle: Handle;
  readonly initiator: Handle;
  /** Null while the invitation is addressed to an e-mail address. */
  invited: Handle | null;
  /** The user whose address was invited. */
  readonly address: Handle | null;
  status: ConnectionStatus;
  readonly madeAt: number;
  answeredAt: number | null;
  changedAt: number;
  /** The initiator's role and the time of adding, by unit. */
  readonly assets: Map<string, { readonly role: string; readonly at: number }>;
  readonly active: Set<Handle>;
  readonly released: Set<Handle>;
}

export interface Mailbox {
  readonly handle: Handle;
  readonly owner: Handle;
  name: string;
  general: boolean;
  categories: readonly string[];
  users: readonly Handle[];
}

export interface Message {
  readonly handle: Handle;
  readonly sender: Handle;
  readonly person: string | null;
  text: string | null;
  edited: boolean;
  readonly at: number;
}

export interface Thread {
  readonly handle: Handle;
  readonly connection: Handle;
  readonly subject: string | null;
  readonly category: string | null;
  readonly assets: readonly string[];
  readonly participants: Set<Handle>;
  readonly messages: Message[];
  readonly madeAt: number;
  changedAt: number;
}

const collator = new Intl.Collator('de');

/** The order of names in German. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  collator.compare(a.name, b.name);

export class World {
  /** Counts the steps; it is the only clock of the model. */
  now = 0;
  readonly organisations: Organisation[] = [];
  readonly fields: Field[] = [];
  readonly entries: Entry[] = [];
  readonly contacts: Contact[] = [];
  readonly connections: Connection[] = [];
  /** Standing releases as `<field> <unit>`. */
  readonly standing = new Set<string>();
  readonly mailboxes: Mailbox[] = [];
  readonly threads: Thread[] = [];
  /** Messages that a reader has had so far, by `<organisation> <thread>`. */
  readonly read = new Map<string, number>();
  readonly #made = new Map<string, number>();

  /** A handle that was never given before. */
  next(letter: string): Handle {
    const number = (this.#made.get(letter) ?? 0) + 1;
    this.#made.set(letter, number);
    return `${letter}${number}`;
  }

  organisation(handle: Handle): Organisation {
    return found(this.organisations, handle);
  }

  field(handle: Handle): Field {
    return found(this.fields, handle);
  }

  connection(handle: Handle): Connection {
    return found(this.connections, handle);
  }

  get users(): User[] {
    return this.organisations.flatMap(({ users }) => users);
  }

  /** Connections that an organisation is a side of, without invitations to an e-mail address. */
  connectionsOf(organisation: Handle): Connection[] {
    return this.connections.filter(
      ({ initiator, invited }) => invited !== null && (initiator === organisation || invited === organisation),
    );
  }

  threadsOf(organisation: Handle): Thread[] {
    const own = new Set(this.connectionsOf(organisation).map(({ handle }) => handle));
    return this.threads.filter(({ connection }) => own.has(connection));
  }

  entry(field: Handle, unit: string, writer: Handle): Entry | undefined {
    return this.entries.find((each) => each.field === field && each.unit === unit && each.writer === writer);
  }

  /** Replaces what a writer has in a field. @returns the status of the rows */
  write(field: Handle, unit: string, writer: Handle, slots: readonly Slot[]): 'created' | 'updated' | 'unchanged' {
    const present = this.entry(field, unit, writer);
    if (present === undefined) {
      if (slots.length === 0) return 'unchanged';
      this.entries.push({ field, unit, writer, slots, at: this.now });
      return 'created';
    }
    if (JSON.stringify(present.slots) === JSON.stringify(slots)) return 'unchanged';
    if (slots.length === 0) this.entries.splice(this.entries.indexOf(present), 1);
    Object.assign(present, { slots, at: this.now });
    return 'updated';
  }
}

function found<Thing extends { readonly handle: Handle }>(things: readonly Thing[], handle: Handle): Thing {
  const thing = things.find((each) => each.handle === handle);
  if (thing === undefined) throw new Error(`The model has no ${handle}`);
  return thing;
}

export const isAlive = ({ status }: Connection): boolean => status === 'PENDING' || status === 'ACCEPTED';

export const isSide = ({ initiator, invited }: Connection, organisation: Handle): boolean =>
  initiator === organisation || invited === organisation;

/** The other side of a connection whose sides are known. */
export const counterpart = ({ initiator, invited }: Connection, organisation: Handle): Handle =>
  initiator === organisation ? invited! : initiator;

/** Types that the interface shows, and that have values. */
export const isShown = ({ type, retired }: Field): boolean => type !== 'FILE' && !retired;

/** A field that crosses a connection on one unit. */
export interface Shared {
  readonly unit: string;
  readonly field: Field;
  readonly direction: 'SHARE' | 'REQUEST';
  readonly origin: 'explizit' | 'broadcast';
  /** The organisation whose values are shown. */
  readonly writer: Handle;
}

/** Accepted, in scope, active, released: only where all four hold. */
export function sharedOn(world: World, connection: Connection): Shared[] {
  if (connection.status !== 'ACCEPTED') return [];
  return [...connection.assets.keys()].flatMap((unit) =>
    [...connection.active].flatMap((handle): Shared[] => {
      const field = world.field(handle);
      const forConnection = connection.released.has(handle);
      if (!forConnection && !world.standing.has(`${handle} ${unit}`)) return [];
      const direction = field.filledByPartner ? 'REQUEST' : 'SHARE';
      const writer = direction === 'SHARE' ? field.owner : counterpart(connection, field.owner);
      return [{ unit, field, direction, origin: forConnection ? 'explizit' : 'broadcast', writer }];
    }),
  );
}

/** The mailbox of an organisation in which a thread of this category lies. */
export function responsible(world: World, organisation: Handle, category: string | null): Mailbox | undefined {
  const own = world.mailboxes.filter(({ owner }) => owner === organisation);
  return (
    own.find(({ categories }) => category !== null && categories.includes(category)) ?? own.find((each) => each.general)
  );
}

/** True when a user of the application sees the thread: by routing, or by taking part. */
export function seesThread(world: World, user: User, thread: Thread): boolean {
  const mailbox = responsible(world, user.organisation, thread.category);
  return thread.participants.has(user.handle) || mailbox?.users.includes(user.handle) === true;
}

/** Every word of a search is part of one of the texts. */
export const hasWords = (texts: readonly (string | null)[], words: string): boolean =>
  words.split(' ').every((word) => texts.some((text) => text !== null && fold(text).includes(fold(word))));
