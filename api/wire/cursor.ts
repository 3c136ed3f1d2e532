import { z } from 'zod';
import { tokenSigner } from './signed-token.ts';

/** Where a walk through a list stands. Callers see it sealed, as an opaque cursor. */
export interface Position {
  /** Values of the sort keys in the last row delivered. */
  readonly key: readonly (string | number | null)[];
  /** Rows delivered so far. */
  readonly delivered: number;
  /** Digest of filter and sort: a cursor belongs to one question. */
  readonly question: string;
  /** What the list wants to know again on the next page. */
  readonly memo?: Memo | undefined;
}

export type Memo = Readonly<Record<string, string | number>>;

const positionShape = z.object({
  key: z.array(z.union([z.string(), z.number(), z.null()])),
  delivered: z.number().int(),
  question: z.string(),
  memo: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export interface CursorSigner {
  sign(position: Position): string;
  /** The position, or null when this service has not sealed exactly this text. */
  verify(cursor: string): Position | null;
}

export function cursorSigner(key: string): CursorSigner {
  const { sign, verify } = tokenSigner('cursor', key);
  return {
    sign,
    verify(cursor) {
      const content = verify(cursor);
      return content === undefined ? null : positionShape.parse(content);
    },
  };
}
