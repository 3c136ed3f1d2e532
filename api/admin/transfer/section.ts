import type { z } from 'zod';
import type { Session } from '../../../sql/org/store.ts';
import type { AdminContext } from '../common/admin-command.ts';
import type { Fault } from '../common/document-faults.ts';
import type { DocumentMembers } from './merge.ts';

export type { Fault } from '../common/document-faults.ts';

/**
 * A section is one list of a document: the items of one resource that belong to an organisation. A further resource
 * needs a further section in sections.ts; apply-document.ts does what all sections have in common.
 */
export interface Section<Item extends object = object> {
  /** Member of the document. */
  readonly name: string;
  /**
   * The schema of a whole item. In a document `id`, where items have one, and the members of `defaults` may be absent.
   */
  readonly shape: z.ZodObject;
  /** The member that identifies an item in the document and in the store, or the members that do so together. */
  readonly key: string | readonly string[];
  /** True where a new item must bring its id, by which others know it, too. */
  readonly idRequired?: true;
  /** Defaults of a new item. @param now RFC 3339 */
  defaults(now: string): Partial<Item>;
  /** All items of an organisation. */
  read(session: Session, organisationId: string, context: AdminContext): Promise<Item[]>;
  /** Inserts or replaces items. */
  write(session: Session, organisationId: string, items: readonly Item[], context: AdminContext): Promise<void>;
  /**
   * Locks the list and returns the time of the change, RFC 3339, where it has to be later than every change before it.
   * Absent = the time at which the import began.
   */
  timeOfChange?(session: Session, organisationId: string): Promise<string>;
  /** Adds to an item of a document what follows from the members that it has. */
  complete?(members: DocumentMembers): DocumentMembers;
  /** Gives those items of a document that name no id the id of a stored one that is the same. */
  identify?(items: readonly DocumentMembers[], stored: readonly Item[]): readonly DocumentMembers[];
  /** Returns the ids that the store has already, of any organisation. Absent where items have no member `id`. */
  existingIds?(session: Session, ids: readonly string[]): Promise<string[]>;
  /** Overrides the update of a present item, where it is not just the document's members over its own. */
  merge?(present: Item, updated: Item): Item;
  /** Finds faults that the schema cannot find. */
  faults?(session: Session, organisationId: string, pairs: readonly Pair<Item>[]): Promise<Fault[]>;
}

/** A whole item of the document, and the item of the store with the same key. */
export interface Pair<Item> {
  /** Index in the document's list. */
  readonly index: number;
  readonly updated: Item;
  /** Null when the item is new. */
  readonly present: Item | null;
}

/** Declares a section; its items type what it reads and writes. */
export const section = <Item extends object>(
  value: Section<Item> & { readonly key: keyof Item | readonly (keyof Item)[] },
): Section<Item> => value;
