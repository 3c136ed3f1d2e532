import { type Archive, type Member, readMember } from '../archive/archive.ts';
import { codeUnits } from '../scan/decode.ts';
import { Scanner } from '../scan/scanner.ts';
import type { DayBounds } from '../stage/columns.ts';
import type { Finding } from '../stage/findings.ts';
import type { Catalogues } from '../stage/labels.ts';
import { Counting, Staging } from '../stage/staging.ts';
import { planFor, slotsOf } from '../stage/tables.ts';

/** What became of one member: gelesen = staged + refused, before duplicates are found. */
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
 * Reads a member from its packed bytes to a staged file. Memory is bounded by the pieces, not by the member.
 * @param progress told of the unpacked bytes of every piece
 * @throws ArchiveError when the member is damaged
 */
export async function readOneMember(
  context: ReadingContext,
  member: Member,
  progress: (bytes: number) => void,
): Promise<MemberResult> {
  const kind = member.kind ?? '';
  const plan = planFor(kind, context.catalogues);
  const handler =
    plan === null ? new Counting() : new Staging(plan, member, context.stage, context.slices, context.bounds);
  try {
    const bytes = await scan(context, member, new Scanner(plan?.slots ?? slotsOf(kind), handler), progress);
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
    if (handler instanceof Staging) handler.abandon();
    throw error;
  }
}

async function scan(
  context: ReadingContext,
  member: Member,
  scanner: Scanner,
  progress: (bytes: number) => void,
): Promise<number> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of readMember(context.archive, member)) {
      bytes += piece.length;
      progress(piece.length);
      yield piece;
    }
  }
  for await (const units of codeUnits(counted())) scanner.push(units);
  if (bytes > 0) scanner.end();
  return bytes;
}
