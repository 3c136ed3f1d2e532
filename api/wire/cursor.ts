import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

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

const SEAL_BYTES = 16;

export interface CursorSeal {
  seal(position: Position): string;
  /** The position, or null when this service has not sealed exactly this text. */
  open(cursor: string): Position | null;
}

/** Seals cursors with HMAC-SHA-256, cut to 16 bytes: base64url of seal and JSON. */
export function cursorSeal(key: string): CursorSeal {
  const sealOf = (content: Buffer): Buffer =>
    createHmac('sha256', key).update('cursor\0').update(content).digest().subarray(0, SEAL_BYTES);
  return {
    seal(position) {
      const content = Buffer.from(JSON.stringify(position));
      return Buffer.concat([sealOf(content), content]).toString('base64url');
    },
    open(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding forgives spare bits and foreign characters; only the one true spelling counts.
      if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) return null;
      const content = bytes.subarray(SEAL_BYTES);
      if (!timingSafeEqual(sealOf(content), bytes.subarray(0, SEAL_BYTES))) return null;
      return positionShape.parse(JSON.parse(content.toString()));
    },
  };
}
