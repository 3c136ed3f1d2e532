import { z } from 'zod';
import type { Code } from '../problem/codes.ts';
import { failed, type WriteRow } from './write-response.ts';

/** Batches: a fault of the body as a whole is the call's, a fault inside a row is the row's. */

/**
 * The rows of a batch write. They pass unchecked, because each is checked for itself (`checkedRows`); the documentation
 * shows their shape all the same.
 */
export const batchOf = (row: z.ZodType, most: number) =>
  z
    .array(z.unknown(), 'must be an array')
    .refine((rows) => rows.length <= most, {
      error: `has more than ${most} rows; split it over several calls`,
      params: { code: 'TOO_MANY_VALUES' satisfies Code },
    })
    .meta({ items: jsonSchema(row), maxItems: most });

function jsonSchema(row: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(row, { io: 'input' });
  return schema;
}

interface Checked<Row> {
  /** The answer of every row that failed, at its place; the others are filled in by whoever writes them. */
  readonly answers: WriteRow[];
  /** Rows that can be written, with their place in the batch. */
  readonly rows: readonly { readonly index: number; readonly row: Row }[];
}

/**
 * Checks each row for itself.
 * @param key member by which a row is named; no two rows of a batch may share it. Null = the row is its own name, and a
 * repetition is no fault
 */
export function checkedRows<Row>(rows: readonly unknown[], shape: z.ZodType<Row>, key: keyof Row | null): Checked<Row> {
  const answers: WriteRow[] = [];
  const good: { index: number; row: Row }[] = [];
  const seen = new Set<unknown>();
  for (const [index, raw] of rows.entries()) {
    const name = key === null ? raw : (raw as Row | null)?.[key];
    const externalId = typeof name === 'string' ? name : null;
    const { data, error } = shape.safeParse(raw);
    if (key !== null && externalId !== null && seen.has(name)) {
      answers[index] = failed('UNPROCESSABLE', `${String(key)} ${name} came in a row before`, externalId);
    } else if (error !== undefined) {
      answers[index] = failed('UNPROCESSABLE', error.issues.map(sentence).join('; '), externalId);
    } else {
      good.push({ index, row: data as Row });
    }
    if (key !== null) seen.add(name);
  }
  return { answers, rows: good };
}

/** An issue of zod as part of a message; our own messages complete "relationType …". */
function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.map((name) => JSON.stringify(name)).join(', ')} is unknown`;
  if (issue.code === 'invalid_type' && issue.path.length === 0) return `the row must be ${issue.expected}`;
  return place === '' ? issue.message : `${place} ${issue.message}`;
}
