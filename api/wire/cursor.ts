import { z } from 'zod';
import { type TokenSigner, tokenSealer, tokenSigner } from './signed-token.ts';

/** A position in a list. Callers get it as a signed token, the opaque cursor. */
export interface Position {
  /** Values of the sort keys in the last row delivered. */
  readonly key: readonly (string | number | null)[];
  /** Rows delivered so far. */
  readonly delivered: number;
  /** Digest of filter and sort: a cursor is valid for one question only. */
  readonly question: string;
  /** Values that the list carries from page to page. */
  readonly memo?: Memo | undefined;
}

export type Memo = Readonly<Record<string, string | number>>;

/** The versions that the pages of a list were read from, in the memo of a list of the register. */
export const readMemo = (versions: readonly string[]): Memo => ({ versions: versions.join(' ') });

/** Ids of the versions that the pages up to this position were read from; none where the list does not carry them. */
export const versionsRead = ({ memo }: Pick<Position, 'memo'>): string[] =>
  memo?.versions === undefined ? [] : String(memo.versions).split(' ');

const positionShape = z.object({
  key: z.array(z.union([z.string(), z.number(), z.null()])),
  delivered: z.number().int(),
  question: z.string(),
  memo: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export interface CursorSigner {
  sign(position: Position): string;
  /** Returns the position, or null when this service has not signed exactly this text. */
  verify(cursor: string): Position | null;
}

export const cursorSigner = (key: string): CursorSigner => signerOver(tokenSigner('cursor', key));

/** Makes cursors that callers cannot read. */
export const sealingCursorSigner = (key: string): CursorSigner => signerOver(tokenSealer('cursor', key));

const signerOver = ({ sign, verify }: TokenSigner): CursorSigner => ({
  sign,
  verify(cursor) {
    const content = verify(cursor);
    return content === undefined ? null : positionShape.parse(content);
  },
});
