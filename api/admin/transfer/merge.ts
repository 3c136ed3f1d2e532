import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Given } from './document.ts';

/** What becomes of something that a document describes. */
export type Fate = 'created' | 'updated' | 'unchanged';

/** Members that only something new takes from a document: what is there keeps its id and its times. */
const BORN_WITH: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** Something new: the document's members over the defaults. */
export const fresh = <Item>(given: Given, defaults: object): Item =>
  ({ id: randomUUIDv7(), ...defaults, ...given }) as Item;

/** Something that is there, with the document's members over it; what the document leaves out stays. */
export const over = <Item extends object>(present: Item, given: Given): Item => ({
  ...present,
  ...Object.fromEntries(Object.entries(given).filter(([name]) => !BORN_WITH.has(name))),
});

/** What is to be written, and whether that is a change. @param now RFC 3339 */
export function settle<Item extends object>(present: Item, wanted: Item, now: string): { item: Item; fate: Fate } {
  if (isDeepStrictEqual(present, wanted)) return { item: present, fate: 'unchanged' };
  return { item: 'updatedAt' in present ? { ...wanted, updatedAt: now } : wanted, fate: 'updated' };
}
