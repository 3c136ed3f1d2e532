import { fieldsOf } from '../../sql/register/fields.ts';
import type { Archive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import type { Member } from '../archive/member.ts';
import type { MemberAccount } from '../run/build-report.ts';

/**
 * The register writes a kind of file as one file without a number, or as parts 1 to n. To readers of the result a missing
 * part looks like a hundred thousand deleted records.
 */

/** Faults beyond this number are only counted. */
const MAX_REPORTED = 5;

/**
 * Refuses an export with a hole: a missing number, or a kind and part that two members claim. Kinds that no release has
 * are not checked, since their numbering is unknown.
 * @throws ArchiveError naming kind and part; nothing overrides it, since no intact export is like that
 */
export function requireEveryPart({ path, members }: Pick<Archive, 'path' | 'members'>): void {
  const faults = [...byKnownKind(members)].flatMap(([kind, parts]) => partFaults(kind, parts));
  if (faults.length === 0) return;
  const more = faults.length > MAX_REPORTED ? `; and ${faults.length - MAX_REPORTED} more` : '';
  const shown = `${faults.slice(0, MAX_REPORTED).join('; ')}${more}`;
  throw new ArchiveError(`${path} is not whole: ${shown}. Nothing of it was built; download it again.`);
}

/** @param members of one kind, in the order of their parts */
function partFaults(kind: string, members: readonly Member[]): string[] {
  const faults: string[] = [];
  let last: Member | null = null;
  for (const member of members) {
    const expected: number = last === null ? 1 : (last.part ?? 1) + 1;
    const part = member.part ?? 1;
    if (last !== null && (part < expected || last.part === null))
      faults.push(`both ${last.name} and ${member.name} are there`);
    else if (part < expected) faults.push(`${member.name} has a number that no part has: they begin with 1`);
    else if (part > expected) faults.push(missing(kind, expected, part, member));
    last = member;
  }
  return faults;
}

function missing(kind: string, from: number, to: number, before: Member): string {
  const names = to - from === 1 ? `${kind}_${from}.xml is` : `${kind}_${from}.xml to ${kind}_${to - 1}.xml are`;
  return `${names} missing before ${before.name}`;
}

function byKnownKind(members: readonly Member[]): Map<string, Member[]> {
  const known = members.filter(({ kind }) => kind !== null && fieldsOf(kind).length > 0);
  return Map.groupBy(known, ({ kind }) => kind ?? '');
}

/**
 * Kinds that lost more parts since the previous version than the band allows: parts missing at the end leave no gap.
 * Kinds that are missing altogether are reported by missingKinds where the service needs them.
 * @param shrink share of the parts, e.g. 0.05: of fewer than twenty none may go
 */
export function lostParts(
  before: readonly MemberAccount[],
  archive: Pick<Archive, 'members'>,
  shrink: number,
): string[] {
  const used = before.filter(({ verwendung }) => verwendung === 'tabelle' || verwendung === 'katalog');
  const now = byKnownKind(archive.members);
  return [...Map.groupBy(used, ({ art }) => art)].flatMap(([kind, parts]) => {
    const was = parts.length;
    const is = now.get(kind)?.length ?? 0;
    return is > 0 && (was - is) / was > shrink ? [`${kind}: ${is} parts after ${was}`] : [];
  });
}
