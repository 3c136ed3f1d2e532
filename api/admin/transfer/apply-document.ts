import {
  type OrganisationRow,
  organisationOf,
  organisationRow,
  organisationToChange,
  putOrganisation,
} from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import type { Given, TransferDocument } from './document.ts';
import { refuseFaults } from './faults.ts';
import { type Fate, fresh, over, settle } from './merge.ts';
import { organisationDefaults } from './organisation.ts';
import type { Entry, Fault, Pair, Section } from './section.ts';

/** What a document changed. */
export interface AppliedDocument {
  /** External id. */
  readonly organisation: string;
  readonly id: string;
  /** By section; the organisation itself is one of them, of one item. */
  readonly counts: Readonly<Record<string, Counts>>;
}

type Counts = Readonly<Record<Fate, number>>;

/** Items of a section that one statement writes. */
const AT_ONCE = 5_000;

/** Makes an organisation match a document, as far as the document goes. @throws CommandFailed with every fault of a section */
export async function applyDocument(
  session: Session,
  { organisation, lists }: TransferDocument,
): Promise<AppliedDocument> {
  const now = new Date().toISOString();
  const { item, fate } = await applyOrganisation(session, organisation, now);
  const counts: Record<string, Counts> = { organisation: countsOf([fate]) };
  for (const { section, items } of lists) {
    counts[section.name] = await applySection(session, item.id, section, items, now);
  }
  return { organisation: item.externalId, id: item.id, counts };
}

function countsOf(fates: readonly Fate[]): Counts {
  const count = (wanted: Fate) => fates.filter((fate) => fate === wanted).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}

async function applyOrganisation(
  session: Session,
  given: Given,
  now: string,
): Promise<{ item: OrganisationRow; fate: Fate }> {
  const present = await session.row(organisationRow, organisationToChange(String(given.externalId)));
  const taken =
    present === null
      ? { item: fresh<OrganisationRow>(given, organisationDefaults(now)), fate: 'created' as const }
      : settle(present, over(present, given), now);
  if (taken.fate === 'created') {
    const other = await session.row(organisationRow, organisationOf(taken.item.id));
    if (other !== null) refuseFaults([takenId(['organisation', 'id'], other.externalId)]);
  }
  if (taken.fate !== 'unchanged') await session.run(putOrganisation(taken.item));
  return taken;
}

async function applySection(
  session: Session,
  organisationId: string,
  section: Section,
  items: readonly Given[],
  now: string,
): Promise<Counts> {
  const keyOf = (item: object): unknown => (item as Given)[section.key];
  const stored = new Map((await section.read(session, organisationId)).map((item) => [keyOf(item), item]));
  const pairs = items.map((given, index): Pair<Entry> => {
    const present = stored.get(keyOf(given)) ?? null;
    if (present === null) return { index, present, wanted: fresh<Entry>(given, section.defaults(now)) };
    const wanted = over(present, given);
    return { index, present, wanted: section.merge?.(present, wanted) ?? wanted };
  });
  const faults = [
    ...twice(section, pairs),
    ...(await takenIds(session, section, pairs)),
    ...((await section.faults?.(session, organisationId, pairs)) ?? []),
  ];
  if (faults.length > 0) refuseFaults(faults);
  const settled = pairs.map(({ present, wanted }) =>
    present === null ? { item: wanted, fate: 'created' as const } : settle(present, wanted, now),
  );
  const toWrite = settled.filter(({ fate }) => fate !== 'unchanged').map(({ item }) => item);
  for (let from = 0; from < toWrite.length; from += AT_ONCE) {
    await section.write(session, organisationId, toWrite.slice(from, from + AT_ONCE));
  }
  return countsOf(settled.map(({ fate }) => fate));
}

/** Items that the document has more than once, by key or by id. */
function twice({ name, key }: Section, pairs: readonly Pair<Entry>[]): Fault[] {
  return [key, 'id'].flatMap((member) => {
    const first = new Map<unknown, number>();
    return pairs.flatMap(({ index, wanted }): Fault[] => {
      const value = (wanted as unknown as Given)[member];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      return before === undefined
        ? []
        : [{ path: [name, index, member], message: `is that of #/${name}/${before}, too` }];
    });
  });
}

async function takenIds(session: Session, section: Section, pairs: readonly Pair<Entry>[]): Promise<Fault[]> {
  const newcomers = pairs.filter(({ present }) => present === null);
  const ids = newcomers.map(({ wanted }) => wanted.id);
  const taken = new Set(await section.taken(session, ids));
  return newcomers
    .filter(({ wanted }) => taken.has(wanted.id))
    .map(({ index }) => takenId([section.name, index, 'id'], 'something else'));
}

const takenId = (path: readonly PropertyKey[], owner: string): Fault => ({
  path,
  message: `is the id of ${owner} in this store; without ids in the document, new ones are given`,
});
