import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
  putOrganisation,
} from '../../../sql/org/organisations.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import type { AdminContext } from '../common/admin-command.ts';
import { type Fault, refuseFaults } from '../common/document-faults.ts';
import type { Asked } from '../common/organisation-command.ts';
import type { TransferDocument } from './document.ts';
import { organisationDefaults } from './organisation.ts';
import type { DocumentMembers, Pair, Section } from './section.ts';

/** The effect of a document, by section. */
export interface AppliedDocument {
  /** External id. */
  readonly organisation: string;
  readonly id: string;
  /** The organisation itself counts as a section of one item. */
  readonly counts: Readonly<Record<string, Counts>>;
}

type Effect = 'created' | 'updated' | 'unchanged';

type Counts = Readonly<Record<Effect, number>>;

/** Items that one statement writes. */
const BATCH_SIZE = 5_000;

/** Applies a document to the store. @throws CommandFailed listing every fault of a section */
export async function applyDocument(
  session: Session,
  { organisation: members, lists }: TransferDocument,
  { settings }: AdminContext,
): Promise<AppliedDocument> {
  const now = new Date().toISOString();
  const { item: organisation, effect } = await applyOrganisation(session, members, now);
  const counts: Record<string, Counts> = { organisation: countsOf([effect]) };
  for (const { section, items } of lists) {
    counts[section.name] = await applySection({ session, organisation, settings }, section, items, now);
  }
  return { organisation: organisation.externalId, id: organisation.id, counts };
}

function countsOf(effects: readonly Effect[]): Counts {
  const count = (counted: Effect) => effects.filter((effect) => effect === counted).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}

async function applyOrganisation(session: Session, members: DocumentMembers, now: string) {
  const present = await session.row(organisationRow, organisationToChange(String(members.externalId)));
  const created = { id: randomUUIDv7(), ...organisationDefaults(now), ...members } as OrganisationRow;
  const applied = compared(present, present === null ? created : updateItem(present, members), now);
  if (applied.effect === 'created') {
    const other = await session.row(organisationRow, organisationOf(applied.item.id));
    if (other !== null) refuseFaults([usedId(['organisation', 'id'], other.externalId)]);
  }
  if (applied.effect !== 'unchanged') await session.run(putOrganisation(applied.item));
  return applied;
}

async function applySection(
  place: Asked,
  section: Section,
  items: readonly DocumentMembers[],
  began: string,
): Promise<Counts> {
  await section.lock?.(place);
  const now = (await section.timeOfChange?.(place)) ?? began;
  const stored = await section.read(place);
  const byKey = new Map(stored.map((item) => [keyOf(section, item), item]));
  const completed = items.map((members) => section.complete?.(members) ?? members);
  const identified = section.identify?.(completed, stored) ?? completed;
  const pairs = identified.map((members, index): Pair<object> => {
    const created: object = { ...newId(section), ...section.defaults(now), ...members };
    const present = byKey.get(keyOf(section, created)) ?? null;
    if (present === null) return { index, present, updated: created };
    const updated = updateItem(present, members);
    return { index, present, updated: section.merge?.(present, updated) ?? updated };
  });
  const faults = [
    ...duplicates(section, pairs),
    ...(await usedIds(place, section, pairs, identified)),
    ...(await complaints(place, section, pairs, stored)),
  ];
  if (faults.length > 0) refuseFaults(faults);
  // A reader may have gone on from the last change, so a new item counts as a change of now, however old it is elsewhere.
  const changeOfNow = section.timeOfChange === undefined || stored.length === 0 ? {} : { updatedAt: now };
  const results = pairs.map(({ present, updated }) =>
    compared(present, present === null ? { ...updated, ...changeOfNow } : updated, now),
  );
  const toWrite = results.filter(({ effect }) => effect !== 'unchanged').map(({ item }) => item);
  for (let from = 0; from < toWrite.length; from += BATCH_SIZE) {
    await section.write(place, toWrite.slice(from, from + BATCH_SIZE));
  }
  return countsOf(results.map(({ effect }) => effect));
}

/** Properties that a document sets on new items only; existing items keep theirs. */
const CREATION_MEMBERS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

/** A present item with the document's members over its own. */
const updateItem = <Item extends object>(present: Item, members: DocumentMembers): Item => ({
  ...present,
  ...Object.fromEntries(Object.entries(members).filter(([name]) => !CREATION_MEMBERS.has(name))),
});

/** What the store gets in the place of an item. @param now RFC 3339 */
function compared<Item extends object>(
  present: Item | null,
  updated: Item,
  now: string,
): { readonly item: Item; readonly effect: Effect } {
  if (present === null) return { item: updated, effect: 'created' };
  if (isDeepStrictEqual(present, updated)) return { item: present, effect: 'unchanged' };
  return { item: 'updatedAt' in present ? { ...updated, updatedAt: now } : updated, effect: 'updated' };
}

const memberOf = (item: object, name: string): unknown => (item as DocumentMembers)[name];

const keyOf = ({ key }: Section, item: object): unknown =>
  typeof key === 'string' ? memberOf(item, key) : JSON.stringify(key.map((name) => memberOf(item, name)));

const hasIds = ({ shape }: Section): boolean => 'id' in shape.shape;

const newId = (section: Section): { id?: string } => (hasIds(section) ? { id: randomUUIDv7() } : {});

/** Finds what a section says of its list and of each item. */
async function complaints(
  place: Asked,
  section: Section,
  pairs: readonly Pair<object>[],
  stored: readonly object[],
): Promise<Fault[]> {
  const named = new Set(pairs.map(({ updated }) => keyOf(section, updated)));
  const kept = stored.filter((item) => !named.has(keyOf(section, item)));
  const list = [...kept, ...pairs.map(({ updated }) => updated)];
  const created = pairs.filter(({ present }) => present === null).length;
  const ofList = section.complaintOfList?.(list, created, place.organisation) || null;
  const faults: Fault[] = ofList === null ? [] : [{ path: [section.name], message: ofList }];
  const rules = await section.rules?.(place, pairs, kept);
  for (const { index, updated, present } of rules === undefined ? [] : pairs) {
    for (const complaint of (await rules?.(updated, present, index)) ?? []) {
      if (complaint === false) continue;
      const [message, ...inside] = complaint;
      faults.push({ path: [section.name, index, ...inside], message });
    }
  }
  return faults;
}

/** Finds items that the document has more than once, by key or by id. */
function duplicates(section: Section, pairs: readonly Pair<object>[]): Fault[] {
  const { name, key } = section;
  const place = typeof key === 'string' ? [key] : [];
  const byKey = repeated(name, place, pairs, (item) => keyOf(section, item));
  return hasIds(section) && key !== 'id' ? [...byKey, ...repeated(name, ['id'], pairs, idOf)] : byKey;
}

/** Finds items whose identity another one before them has. @param place of it in the item */
function repeated(
  name: string,
  place: readonly string[],
  pairs: readonly Pair<object>[],
  identityOf: (item: object) => unknown,
): Fault[] {
  const first = new Map<unknown, number>();
  return pairs.flatMap(({ index, updated }): Fault[] => {
    const identity = identityOf(updated);
    const before = first.get(identity);
    if (before === undefined) first.set(identity, index);
    const message = `${place.length === 0 ? 'names the same as' : 'is that of'} #/${name}/${before}, too`;
    return before === undefined ? [] : [{ path: [name, index, ...place], message }];
  });
}

const idOf = (item: object): string => String(memberOf(item, 'id'));

const idRow = z.strictObject({ id: z.uuid() });

/** Finds ids of new items that the store has already, of any organisation; those that were given here are new. */
async function usedIds(
  { session }: Asked,
  { name, table }: Section,
  pairs: readonly Pair<object>[],
  items: readonly DocumentMembers[],
): Promise<Fault[]> {
  const brought = pairs.filter(({ index, present }) => present === null && items[index]?.id !== undefined);
  if (table === undefined || brought.length === 0) return [];
  const ids = brought.map(({ updated }) => idOf(updated));
  const found = await session.rows(idRow, sql`SELECT id FROM ${table} WHERE id = ANY (${ids}::uuid[])`);
  const existing = new Set(found.map(({ id }) => id));
  return brought
    .filter(({ updated }) => existing.has(idOf(updated)))
    .map(({ index }) => usedId([name, index, 'id'], 'something else'));
}

const usedId = (path: readonly PropertyKey[], owner: string): Fault => ({
  path,
  message: `is the id of ${owner} in this store; without ids in the document, new ones are given`,
});
