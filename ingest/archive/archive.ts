import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isNameOfRegister, type MemberName, parseMemberName } from '../../sql/register/fields.ts';
import { formOf } from '../scan/form.ts';
import { beginningOf } from './beginning.ts';
import { dayInGermany, isCalendarDay } from './day.ts';
import { listFolder, readFolderMember } from './folder.ts';
import { listZip, readZipMember } from './zip.ts';

/** An export as the register publishes it: one zip, or the folder into which it was extracted. */

export interface Member {
  /** Number in the archive, from 0, in the order of kind and part. */
  readonly index: number;
  /** As everybody is told it: without folders, and described where it is none that the register could give. */
  readonly name: string;
  /** As the archive has it: only to find its bytes. */
  readonly entry: string;
  /** Kind of file under its present name; null for a file that no export could have. */
  readonly kind: string | null;
  readonly part: number | null;
  /** Bytes, unpacked. */
  readonly bytes: number;
  /** Position of the member in the zip; null in a folder. */
  readonly offset: number | null;
}

export interface Archive {
  readonly path: string;
  readonly form: 'zip' | 'folder';
  readonly members: readonly Member[];
  /** Day of the export and where it was found. */
  readonly day: string;
  readonly daySource: 'option' | 'name' | 'time stamp';
  /** Release level from the file name, e.g. 26.1. */
  readonly level: string | null;
}

/** The archive cannot be read: what is wrong with which member, and where. */
export class ArchiveError extends Error {}

export interface Entry {
  readonly name: string;
  readonly bytes: number;
  readonly offset: number | null;
  /** It is the file itself, no symbolic link. */
  readonly plain: boolean;
  /** Local day on which the file was written, YYYY-MM-DD. */
  readonly day: string;
}

/**
 * Opens an export: a zip or a folder.
 * @param day the day of the export, where the caller knows it better than the file
 * @throws ArchiveError when it is neither, or its directory is damaged
 */
export async function openArchive(path: string, day: string | null): Promise<Archive> {
  const form = zipOrFolder(path);
  const entries = form === 'folder' ? listFolder(path) : await listZip(path);
  const named = entries.map((entry) => ({ entry, member: memberNamed(entry.name) }));
  if (!named.some(({ member }) => member !== null)) throw new ArchiveError(`${path} holds no XML file of an export`);
  if (entries.length > MAX_MEMBERS) {
    throw new ArchiveError(
      `${path} holds ${entries.length} files; an export has some 400, more than ${MAX_MEMBERS} are not read`,
    );
  }
  for (const { entry, member } of named) if (member !== null) refuseUnusable({ path }, entry, member.part);
  named.sort(
    (a, b) =>
      compare(a.member?.kind ?? '~', b.member?.kind ?? '~') ||
      (a.member?.part ?? 0) - (b.member?.part ?? 0) ||
      compare(a.entry.name, b.entry.name),
  );
  const members = named.map(({ entry, member }, index) => ({
    index,
    name: shownName(entry.name),
    entry: entry.name,
    kind: member?.kind ?? null,
    part: member?.part ?? null,
    bytes: entry.bytes,
    offset: entry.offset,
  }));
  return { path, form, members, ...dayOf(path, day, entries), level: levelOf(path) };
}

/** A release of 2026 has 434. */
const MAX_MEMBERS = 10_000;

/** Part numbers are kept as 32-bit numbers. */
const LAST_PART = 0x7fff_ffff;

function refuseUnusable(archive: Pick<Archive, 'path'>, entry: Entry, part: number | null): void {
  const place = placeOf(archive, { name: shownName(entry.name), offset: entry.offset });
  if (!entry.plain) throw new ArchiveError(`${place} is a symbolic link, or no file at all: it has to be there itself`);
  if (entry.bytes === 0) throw new ArchiveError(`${place} is empty: 0 bytes`);
  if (part !== null && part > LAST_PART)
    throw new ArchiveError(`${place} is no part of an export: its number is too large`);
}

/** The bytes of a member, checked against the archive's own checksum at its end. */
export function readMember(archive: Pick<Archive, 'path' | 'form'>, member: Member): AsyncIterable<Buffer> {
  return archive.form === 'folder' ? readFolderMember(archive.path, member) : readZipMember(archive.path, member);
}

function memberNamed(name: string): MemberName | null {
  const member = parseMemberName(name);
  return member !== null && isNameOfRegister(member.kind) ? member : null;
}

/** The name of a member without its folders; of one that is no name of the register's, its form. */
export function shownName(name: string): string {
  const file = name.replace(/^.*[\\/]/s, '');
  return memberNamed(file) === null ? `a file with a name of ${formOf(file)}` : file;
}
/** A member and its place, as messages name it. */
export const placeOf = ({ path }: Pick<Archive, 'path'>, { name, offset }: Pick<Member, 'name' | 'offset'>): string =>
  offset === null ? `${name} of ${path}` : `${name} at offset ${offset} of ${path}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By what the file is, not by its name: a failed download is an HTML page under the name of the zip. */
function zipOrFolder(path: string): 'zip' | 'folder' {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new ArchiveError(`There is no file or folder ${path}`);
  if (stat.isDirectory()) return 'folder';
  const head = Buffer.alloc(64);
  const file = openSync(path, 'r');
  const length = readSync(file, head);
  closeSync(file);
  if (head.toString('latin1', 0, 2) === 'PK') return 'zip';
  throw new ArchiveError(`${path} is no zip: it begins with ${beginningOf(head.subarray(0, length))}`);
}

/** Before the register began, in January 2019, there can be no export: zips written without the time say 1980. */
const FIRST_DAY = '2019-01-31';

/**
 * The day of an export. One that is too late would do lasting harm: every later export would count as older than it.
 * @throws ArchiveError where the name says a day that the calendar does not have, or time stamps one that cannot be
 */
function dayOf(path: string, day: string | null, entries: readonly Entry[]): Pick<Archive, 'day' | 'daySource'> {
  if (day !== null) return { day, daySource: 'option' };
  const inName = /(?:^|[^0-9])(20[0-9]{2})([01][0-9])([0-3][0-9])(?:[^0-9]|$)/.exec(basename(path));
  if (inName !== null) {
    const named = `${inName[1]}-${inName[2]}-${inName[3]}`;
    if (isCalendarDay(named)) return { day: named, daySource: 'name' };
    throw new ArchiveError(
      `${path} names the day ${named}, which no calendar has. --day YYYY-MM-DD says the right one`,
    );
  }
  const latest = entries
    .map((entry) => entry.day)
    .sort(compare)
    .at(-1)!;
  if (isCalendarDay(latest) && latest >= FIRST_DAY && latest <= dayInGermany(new Date())) {
    return { day: latest, daySource: 'time stamp' };
  }
  throw new ArchiveError(
    `The name of ${path} has no day, and its latest time stamp says ${latest}, of which no export can be. ` +
      '--day YYYY-MM-DD says the right one',
  );
}

const levelOf = (path: string): string | null => /_([0-9]{2}\.[0-9])(?:_|\.zip$|$)/.exec(basename(path))?.[1] ?? null;
