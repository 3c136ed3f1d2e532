import type { z } from 'zod';
import type { Session } from '../../../sql/org/store.ts';

/**
 * One kind of thing that belongs to an organisation, as a document carries it: a list of items. Another resource of the
 * service is another section in sections.ts; what is the same for all of them stands in take-in.ts.
 */
export interface Section<Item extends Entry = Entry> {
  /** Member of the document. */
  readonly name: string;
  /** A whole item. In a document `id` and the members of `defaults` may be left out. */
  readonly shape: z.ZodObject;
  /** The member by which an item is recognised, in the document and in the store. */
  readonly key: string;
  /** What something new has where the document does not say it. @param now RFC 3339 */
  defaults(now: string): Partial<Item>;
  /** All items of an organisation. */
  read(session: Session, organisationId: string): Promise<Item[]>;
  /** Writes items as they are to be, over those that are there. */
  write(session: Session, organisationId: string, items: readonly Item[]): Promise<void>;
  /** Which of these ids the store has, whosever they are. */
  taken(session: Session, ids: readonly string[]): Promise<string[]>;
  /** What an item that is there becomes, where that is not just `wanted`: the present one with the document's over it. */
  merge?(present: Item, wanted: Item): Item;
  /** What speaks against items beside their shape. */
  faults?(session: Session, organisationId: string, pairs: readonly Pair<Item>[]): Promise<Fault[]>;
}

/** What every item has. */
export interface Entry {
  readonly id: string;
}

/** An item of the document, whole, beside the one of the store with the same key. */
export interface Pair<Item> {
  /** Place in the document's list. */
  readonly index: number;
  readonly wanted: Item;
  /** Null = it is new. */
  readonly present: Item | null;
}

/** Why a document cannot be taken in; the path begins at the document. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  /** Completes the place: "must be …". */
  readonly message: string;
}

/** Declares a section; its items type what it reads and writes. */
export const section = <Item extends Entry>(value: Section<Item> & { readonly key: keyof Item }): Section<Item> =>
  value;
