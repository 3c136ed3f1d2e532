import { z } from 'zod';
import type { Code } from '../problem/codes.ts';

/** The answer of every write: interface.md, WriteResponse. */

/** Codes that a row can fail with. */
const ROW_CODES = ['NOT_FOUND', 'UNPROCESSABLE', 'INSUFFICIENT_SCOPE'] as const satisfies readonly Code[];

export type RowCode = (typeof ROW_CODES)[number];

const rowShape = z.strictObject({
  id: z.string().nullable(),
  externalId: z.string().nullable().describe('What the caller named the row by'),
  status: z.enum(['created', 'updated', 'unchanged', 'failed']),
  error: z
    .strictObject({ code: z.enum(ROW_CODES), message: z.string() })
    .optional()
    .describe('Only of failed rows'),
});

export type WriteRow = z.infer<typeof rowShape>;

export const writeResponse = z
  .strictObject({
    data: z.array(rowShape).describe('One row per row of the request, in its order'),
    meta: z.strictObject({
      total: z.int(),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      failed: z.int(),
      dryRun: z.boolean(),
    }),
  })
  .meta({ id: 'WriteResponse' });

/** Status 207 of a write. */
export const PARTLY_FAILED = { 207: 'At least one row failed; the others were written' } as const;

export const failed = (code: RowCode, message: string, externalId: string | null): WriteRow => ({
  id: null,
  externalId,
  status: 'failed',
  error: { code, message },
});

/** The rows with their counts; 207 as soon as one failed. */
export function writeAnswer(rows: readonly WriteRow[], dryRun: boolean) {
  const count = (status: WriteRow['status']) => rows.filter((row) => row.status === status).length;
  const meta = {
    total: rows.length,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    dryRun,
  };
  return { status: meta.failed > 0 ? 207 : 200, body: { data: [...rows], meta } };
}
