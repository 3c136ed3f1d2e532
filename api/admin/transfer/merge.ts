import { isDeepStrictEqual } from 'node:util';

/** Members as they are in a document, where optional ones may be absent. */
export type DocumentMembers = Readonly<Record<string, unknown>>;

/** The effect of a document on one item. */
export type Effect = 'created' | 'updated' | 'unchanged';

/** Properties that a document sets on new items only; existing items keep theirs. */
const CREATION_MEMBERS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** A new item: the document's members over the defaults. */
export const createItem = <Item>(members: DocumentMembers, defaults: object): Item =>
  ({ ...defaults, ...members }) as Item;

/** A present item with the document's members over its own. */
export const updateItem = <Item extends object>(present: Item, members: DocumentMembers): Item => ({
  ...present,
  ...Object.fromEntries(Object.entries(members).filter(([name]) => !CREATION_MEMBERS.has(name))),
});

/** Compares an item with its update. @param now RFC 3339 */
export function compareItem<Item extends object>(
  present: Item,
  updated: Item,
  now: string,
): { item: Item; effect: Effect } {
  if (isDeepStrictEqual(present, updated)) return { item: present, effect: 'unchanged' };
  return { item: 'updatedAt' in present ? { ...updated, updatedAt: now } : updated, effect: 'updated' };
}
