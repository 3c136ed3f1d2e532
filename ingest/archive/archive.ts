import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { GENERATOR } from '../../runtime/invented.ts';
import { ArchiveError, ExportMissing } from './archive-error.ts';
import { describeBeginning } from './beginning.ts';
import { dayInGermany, isCalendarDay } from './day.ts';
import { listFolder, readFolderMember } from './folder.ts';
import { type ArchiveEntry, locationOf, type Member, nameOfMember, shownName } from './member.ts';
import { commentOfZip, listZip, readZipMember } from './zip.ts';

/** An export as the register publishes it: one zip, or the folder into which it was extracted. */
export interface Archive {
  readonly path: string;
  readonly form: 'zip' | 'folder';
  readonly members: readonly Member[];
  /** Day of the export, YYYY-MM-DD. */
  readonly day: string;
  readonly daySource: 'option' | 'name' | 'time stamp';
  /** Release level from the file name, e.g. 26.1. */
  readonly level: string | null;
}

/**
 * Opens an export: a zip or a folder.
 * @param day the day of the export, in place of the one that the archive states
 * @throws ArchiveError when the path is neither, or the directory of the zip is damaged
 */
export async function openArchive(path: string, day: string | null): Promise<Archive> {
  const form = zipOrFolder(path);
  const entries = form === 'folder' ? listFolder(path) : await listZip(path);
  const named = entries.map((entry) => ({ entry, member: nameOfMember(entry.name) }));
  if (!named.some(({ member }) => member !== null)) throw new ArchiveError(`${path} holds no XML file of an export`);
  if (entries.length > MAX_MEMBERS) {
    throw new ArchiveError(
      `${path} holds ${entries.length} files; an export has some 400, more than ${MAX_MEMBERS} are not read`,
    );
  }
  for (const { entry, member } of named) if (member !== null) refuseUnusable(path, entry, member.part);
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

/** Says whether the generator made this export: its comment names it. Folders and true exports have no such comment. */
export async function isGenerated({ form, path }: Pick<Archive, 'form' | 'path'>): Promise<boolean> {
  return form === 'zip' && (await commentOfZip(path)).includes(`"generator":"${GENERATOR}"`);
}

/** A release of 2026 has 434. */
const MAX_MEMBERS = 10_000;

/** Part numbers are kept as 32-bit numbers. */
const LAST_PART = 0x7fff_ffff;

function refuseUnusable(archivePath: string, entry: ArchiveEntry, part: number | null): void {
  const location = locationOf(archivePath, { name: shownName(entry.name), offset: entry.offset });
  if (!entry.plain)
    throw new ArchiveError(`${location} is a symbolic link, or no file at all: it has to be there itself`);
  if (entry.bytes === 0) throw new ArchiveError(`${location} is empty: 0 bytes`);
  if (part !== null && part > LAST_PART)
    throw new ArchiveError(`${location} is no part of an export: its number is too large`);
}

/**
 * The unpacked bytes of a member; those of a zip are compared with its checksum at their end. A piece is overwritten
 * when the next one is asked for.
 */
export function readMember(archive: Pick<Archive, 'path' | 'form'>, member: Member): AsyncIterable<Buffer> {
  return archive.form === 'folder' ? readFolderMember(archive.path, member) : readZipMember(archive.path, member);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Looks into the file, since a failed download is an HTML page under the name of the zip. */
function zipOrFolder(path: string): 'zip' | 'folder' {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new ExportMissing(`There is no file or folder ${path}`);
  if (stat.isDirectory()) return 'folder';
  const head = Buffer.alloc(64);
  const file = openSync(path, 'r');
  const length = readSync(file, head);
  closeSync(file);
  if (head.toString('latin1', 0, 2) === 'PK') return 'zip';
  if (length === 0) throw new ArchiveError(`${path} is empty: nothing of the export was written into it`);
  throw new ArchiveError(`${path} is no zip: it begins with ${describeBeginning(head.subarray(0, length))}`);
}

/** The register began in January 2019. Zips written without a time state 1980. */
const FIRST_DAY = '2019-01-31';

/**
 * The day of an export. A day that is too late would do lasting harm: every later export would count as older.
 * @throws ArchiveError when the name states a day that no calendar has, or the time stamps one that no export can have
 */
function dayOf(path: string, day: string | null, entries: readonly ArchiveEntry[]): Pick<Archive, 'day' | 'daySource'> {
  if (day !== null) return { day, daySource: 'option' };
  const inName = /(?:^|[^0-9])(20[0-9]{2})([01][0-9])([0-3][0-9])(?:[^0-9]|$)/.exec(basename(path));
  if (inName !== null) {
    const named = `${inName[1]}-${inName[2]}-${inName[3]}`;
    if (isCalendarDay(named)) return { day: named, daySource: 'name' };
    throw new ArchiveError(
      `${path} names the day ${named}, which no calendar has. --day YYYY-MM-DD says the right one`,
    );
  }
  const latest = entries.reduce((last, entry) => (entry.day > last ? entry.day : last), '');
  if (isCalendarDay(latest) && latest >= FIRST_DAY && latest <= dayInGermany(new Date())) {
    return { day: latest, daySource: 'time stamp' };
  }
  throw new ArchiveError(
    `The name of ${path} has no day, and its latest time stamp says ${latest}, of which no export can be. ` +
      '--day YYYY-MM-DD says the right one',
  );
}

const levelOf = (path: string): string | null => /_([0-9]{2}\.[0-9])(?:_|\.zip$|$)/.exec(basename(path))?.[1] ?? null;
