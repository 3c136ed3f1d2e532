import { randomUUIDv7 } from 'node:crypto';
import {
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
  putOrganisation,
} from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import type { AdminContext } from '../common/admin-command.ts';
import { refuseFaults } from '../common/document-faults.ts';
import type { TransferDocument } from './document.ts';
import { compareItem, createItem, type DocumentMembers, type Effect, updateItem } from './merge.ts';
import { organisationDefaults } from './organisation.ts';
import type { Fault, Pair, Section } from './section.ts';

/** The effect of a document, by section. */
export interface AppliedDocument {
  /** External id. */
  readonly organisation: string;
  readonly id: string;
  /** The organisation itself counts as a section of one item. */
  readonly counts: Readonly<Record<string, Counts>>;
}

type Counts = Readonly<Record<Effect, number>>;

/** Items that one statement writes. */
const BATCH_SIZE = 5_000;

/** Applies a document to the store. @throws CommandFailed listing every fault of a section */
export async function applyDocument(
  session: Session,
  { organisation, lists }: TransferDocument,
  context: AdminContext,
): Promise<AppliedDocument> {
  const now = new Date().toISOString();
  const { item, effect } = await applyOrganisation(session, organisation, now);
  const counts: Record<string, Counts> = { organisation: countsOf([effect]) };
  for (const { section, items } of lists) {
    counts[section.name] = await applySection(session, item.id, section, items, now, context);
  }
  return { organisation: item.externalId, id: item.id, counts };
}

function countsOf(effects: readonly Effect[]): Counts {
  const count = (counted: Effect) => effects.filter((effect) => effect === counted).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}

async function applyOrganisation(
  session: Session,
  members: DocumentMembers,
  now: string,
): Promise<{ item: OrganisationRow; effect: Effect }> {
  const present = await session.row(organisationRow, organisationToChange(String(members.externalId)));
  const applied =
    present === null
      ? {
          item: createItem<OrganisationRow>(members, { id: randomUUIDv7(), ...organisationDefaults(now) }),
          effect: 'created' as const,
        }
      : compareItem(present, updateItem(present, members), now);
  if (applied.effect === 'created') {
    const other = await session.row(organisationRow, organisationOf(applied.item.id));
    if (other !== null) refuseFaults([usedId(['organisation', 'id'], other.externalId)]);
  }
  if (applied.effect !== 'unchanged') await session.run(putOrganisation(applied.item));
  return applied;
}

async function applySection(
  session: Session,
  organisationId: string,
  section: Section,
  items: readonly DocumentMembers[],
  began: string,
  context: AdminContext,
): Promise<Counts> {
  const now = (await section.timeOfChange?.(session, organisationId)) ?? began;
  const present = await section.read(session, organisationId, context);
  const stored = new Map(present.map((item) => [keyOf(section, item), item]));
  const completed = items.map((members) => section.complete?.(members) ?? members);
  const identified = section.identify?.(completed, present) ?? completed;
  const pairs = identified.map((members, index): Pair<object> => {
    const created = createItem<object>(members, { ...newId(section), ...section.defaults(now) });
    const present = stored.get(keyOf(section, created)) ?? null;
    if (present === null) return { index, present, updated: created };
    const updated = updateItem(present, members);
    return { index, present, updated: section.merge?.(present, updated) ?? updated };
  });
  const faults = [
    ...duplicates(section, pairs),
    ...(await usedIds(session, section, pairs, identified)),
    ...((await section.faults?.(session, organisationId, pairs)) ?? []),
  ];
  if (faults.length > 0) refuseFaults(faults);
  // A reader may have gone on from the last change, so a new item counts as a change of now, however old it is elsewhere.
  const changeOfNow = section.timeOfChange === undefined || stored.size === 0 ? {} : { updatedAt: now };
  const compared = pairs.map(({ present, updated }) =>
    present === null
      ? { item: { ...updated, ...changeOfNow }, effect: 'created' as const }
      : compareItem(present, updated, now),
  );
  const toWrite = compared.filter(({ effect }) => effect !== 'unchanged').map(({ item }) => item);
  for (let from = 0; from < toWrite.length; from += BATCH_SIZE) {
    await section.write(session, organisationId, toWrite.slice(from, from + BATCH_SIZE), context);
  }
  return countsOf(compared.map(({ effect }) => effect));
}

const memberOf = (item: object, name: string): unknown => (item as DocumentMembers)[name];

const keyOf = ({ key }: Section, item: object): unknown =>
  typeof key === 'string' ? memberOf(item, key) : JSON.stringify(key.map((name) => memberOf(item, name)));

const hasIds = ({ shape }: Section): boolean => 'id' in shape.shape;

const newId = (section: Section): { id?: string } => (hasIds(section) ? { id: randomUUIDv7() } : {});

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

/** Finds ids of new items that the store has already; those that were given here are new. */
async function usedIds(
  session: Session,
  section: Section,
  pairs: readonly Pair<object>[],
  items: readonly DocumentMembers[],
): Promise<Fault[]> {
  const brought = pairs.filter(({ index, present }) => present === null && items[index]?.id !== undefined);
  if (brought.length === 0) return [];
  const ids = brought.map(({ updated }) => idOf(updated));
  const existing = new Set((await section.existingIds?.(session, ids)) ?? []);
  return brought
    .filter(({ updated }) => existing.has(idOf(updated)))
    .map(({ index }) => usedId([section.name, index, 'id'], 'something else'));
}

const usedId = (path: readonly PropertyKey[], owner: string): Fault => ({
  path,
  message: `is the id of ${owner} in this store; without ids in the document, new ones are given`,
});
