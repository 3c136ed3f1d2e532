import { isNameOfRegister, type MemberName, parseMemberName } from '../../sql/register/fields.ts';
import { formOf } from '../scan/form.ts';

/** A file of an archive as its directory lists it. */
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  readonly offset: number | null;
  /** False for a symbolic link and whatever else is no regular file. */
  readonly plain: boolean;
  /** Local day on which the file was written, YYYY-MM-DD. */
  readonly day: string;
}

/** A file of an export. */
export interface Member {
  /** Number in the archive, from 0, in the order of kind and part. */
  readonly index: number;
  /** For messages and reports: without folders, and replaced by a description where the register could not have given it. */
  readonly name: string;
  /** The name in the archive, by which its bytes are found. */
  readonly entry: string;
  /** Kind of file under its present name; null for a file that no export could have. */
  readonly kind: string | null;
  readonly part: number | null;
  /** Bytes, unpacked. */
  readonly bytes: number;
  /** Position of the member in the zip; null in a folder. */
  readonly offset: number | null;
}

/** Kind and part that the name of a file states; null for a name that the register could not have given. */
export function nameOfMember(name: string): MemberName | null {
  const member = parseMemberName(name);
  return member !== null && isNameOfRegister(member.kind) ? member : null;
}

/** The name of a file without its folders; a name that the register could not have given is described instead. */
export function shownName(name: string): string {
  const file = name.replace(/^.*[\\/]/s, '');
  return nameOfMember(file) === null ? `a file with a name of ${formOf(file)}` : file;
}

/** Messages locate a member by this text. */
export const locationOf = (archivePath: string, { name, offset }: Pick<Member, 'name' | 'offset'>): string =>
  offset === null ? `${name} of ${archivePath}` : `${name} at offset ${offset} of ${archivePath}`;
