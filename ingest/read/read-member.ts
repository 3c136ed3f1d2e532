import { fieldsOf } from '../../sql/register/fields.ts';
import { type Archive, readMember } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { locationOf, type Member } from '../archive/member.ts';
import { codeUnits } from '../scan/decode.ts';
import { DocumentError } from '../scan/document-error.ts';
import { Scanner } from '../scan/scanner.ts';
import type { DayBounds } from '../stage/columns.ts';
import type { Finding } from '../stage/findings.ts';
import type { Catalogues } from '../stage/labels.ts';
import { planFor, slotsOf } from '../stage/plan.ts';
import type { StagedFiles } from '../stage/staged-files.ts';
import { Counting, Staging } from '../stage/staging.ts';

/** The number of records of one member: read = staged + refused, before duplicates are found. */
export interface MemberResult {
  readonly member: number;
  /** Staged table, or null when no table takes the records. */
  readonly table: string | null;
  readonly bytes: number;
  readonly read: number;
  readonly staged: number;
  readonly refused: number;
  readonly findings: readonly Finding[];
}

export interface ReadingContext {
  readonly archive: Pick<Archive, 'path' | 'form'>;
  /** Folder of the staged files. */
  readonly stage: string;
  /** Number of slices in which units are staged. */
  readonly slices: number;
  readonly catalogues: Catalogues;
  readonly bounds: DayBounds;
}

/**
 * Reads a member from its packed bytes into the staged files of a thread, which the caller closes after the last member. Memory is
 * bounded by the pieces, not by the member.
 * @param progress called with the number of unpacked bytes of every piece
 * @throws ArchiveError when the member is damaged
 */
export async function readOneMember(
  context: ReadingContext,
  files: StagedFiles,
  member: Member,
  progress: (bytes: number) => void,
): Promise<MemberResult> {
  const kind = member.kind ?? '';
  const plan = planFor(kind, context.catalogues);
  const handler = plan === null ? new Counting() : new Staging(plan, member, files, context.slices, context.bounds);
  try {
    const scanner = new Scanner(plan?.slots ?? slotsOf(kind), handler, { kind: isKnown(kind) ? kind : null });
    const bytes = await scanMember(context.archive, member, scanner, progress);
    if (handler instanceof Staging) handler.close();
    return {
      member: member.index,
      table: plan?.table ?? null,
      bytes,
      read: handler.read,
      staged: handler instanceof Staging ? handler.staged : 0,
      refused: handler.refused,
      findings: handler.findings.list(),
    };
  } catch (error) {
    if (handler instanceof Staging) handler.release();
    throw error;
  }
}

/** The field table knows root and elements of the kinds that some release of the export has. */
const isKnown = (kind: string): boolean => fieldsOf(kind).length > 0;

/**
 * Scans a member and returns the number of its unpacked bytes.
 * @param progress called with the number of unpacked bytes of every piece
 * @throws ArchiveError when it is damaged, or not what its name says
 */
export async function scanMember(
  archive: Pick<Archive, 'path' | 'form'>,
  member: Member,
  scanner: Scanner,
  progress: (bytes: number) => void,
): Promise<number> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of readMember(archive, member)) {
      bytes += piece.length;
      progress(piece.length);
      yield piece;
    }
  }
  try {
    for await (const units of codeUnits(counted())) scanner.push(units);
    scanner.end();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new ArchiveError(`${locationOf(archive.path, member)} is no file of an export: ${error.message}`);
  }
  return bytes;
}
