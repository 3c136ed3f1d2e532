import {
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
  putOrganisation,
} from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import type { DocumentMembers, TransferDocument } from './document.ts';
import { refuseFaults } from './faults.ts';
import { compareItem, createItem, type Effect, updateItem } from './merge.ts';
import { organisationDefaults } from './organisation.ts';
import type { Fault, Pair, Section, SectionItem } from './section.ts';

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
): Promise<AppliedDocument> {
  const now = new Date().toISOString();
  const { item, effect } = await applyOrganisation(session, organisation, now);
  const counts: Record<string, Counts> = { organisation: countsOf([effect]) };
  for (const { section, items } of lists) {
    counts[section.name] = await applySection(session, item.id, section, items, now);
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
      ? { item: createItem<OrganisationRow>(members, organisationDefaults(now)), effect: 'created' as const }
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
  now: string,
): Promise<Counts> {
  const keyOf = (item: object): unknown => (item as DocumentMembers)[section.key];
  const stored = new Map((await section.read(session, organisationId)).map((item) => [keyOf(item), item]));
  const pairs = items.map((members, index): Pair<SectionItem> => {
    const present = stored.get(keyOf(members)) ?? null;
    if (present === null) return { index, present, updated: createItem<SectionItem>(members, section.defaults(now)) };
    const updated = updateItem(present, members);
    return { index, present, updated: section.merge?.(present, updated) ?? updated };
  });
  const faults = [
    ...duplicates(section, pairs),
    ...(await usedIds(session, section, pairs)),
    ...((await section.faults?.(session, organisationId, pairs)) ?? []),
  ];
  if (faults.length > 0) refuseFaults(faults);
  const compared = pairs.map(({ present, updated }) =>
    present === null ? { item: updated, effect: 'created' as const } : compareItem(present, updated, now),
  );
  const toWrite = compared.filter(({ effect }) => effect !== 'unchanged').map(({ item }) => item);
  for (let from = 0; from < toWrite.length; from += BATCH_SIZE) {
    await section.write(session, organisationId, toWrite.slice(from, from + BATCH_SIZE));
  }
  return countsOf(compared.map(({ effect }) => effect));
}

/** Finds items that the document has more than once, by key or by id. */
function duplicates({ name, key }: Section, pairs: readonly Pair<SectionItem>[]): Fault[] {
  return [key, 'id'].flatMap((member) => {
    const first = new Map<unknown, number>();
    return pairs.flatMap(({ index, updated }): Fault[] => {
      const value = (updated as unknown as DocumentMembers)[member];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      return before === undefined
        ? []
        : [{ path: [name, index, member], message: `is that of #/${name}/${before}, too` }];
    });
  });
}

async function usedIds(session: Session, section: Section, pairs: readonly Pair<SectionItem>[]): Promise<Fault[]> {
  const newItems = pairs.filter(({ present }) => present === null);
  const ids = newItems.map(({ updated }) => updated.id);
  const existing = new Set(await section.existingIds(session, ids));
  return newItems
    .filter(({ updated }) => existing.has(updated.id))
    .map(({ index }) => usedId([section.name, index, 'id'], 'something else'));
}

const usedId = (path: readonly PropertyKey[], owner: string): Fault => ({
  path,
  message: `is the id of ${owner} in this store; without ids in the document, new ones are given`,
});
