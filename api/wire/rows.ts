import { z } from 'zod';
import type { Code } from '../problem/codes.ts';
import { failed, type WriteRow } from './write-response.ts';

/** Batches: a fault of the body as a whole is the call's, a fault inside a row is the row's. */

/**
 * The rows of a batch write. They pass unchecked, because each is checked for itself (`answerRows`); the documentation
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

interface Rules<Row> {
  /** The rows as they were sent. */
  readonly rows: readonly unknown[];
  readonly shape: z.ZodType<Row>;
  /**
   * Member by which a row is named; a row that bears the name of one before it fails, whatever became of that one. Null:
   * the row is its own name, and may come again.
   */
  readonly key: keyof Row | null;
  /** Writes the rows that are as they should be; their answers come in the same order. */
  write(rows: readonly Row[]): Promise<readonly WriteRow[]>;
}

/** Answers each row for itself, in the order of the batch. */
export async function answerRows<Row>({ rows, shape, key, write }: Rules<Row>): Promise<WriteRow[]> {
  const seen = new Set<string>();
  const checked = rows.map((row): { good: Row } | { bad: WriteRow } => {
    const name = nameOf(row, key);
    const { data, error } = shape.safeParse(row);
    if (key !== null && name !== null) {
      if (seen.has(name)) return { bad: failed('UNPROCESSABLE', `${String(key)} came in a row before`, name) };
      seen.add(name);
    }
    if (error === undefined) return { good: data as Row };
    return { bad: failed('UNPROCESSABLE', error.issues.map(sentence).join('; '), name) };
  });
  const written = (await write(checked.flatMap((row) => ('good' in row ? [row.good] : [])))).values();
  return checked.map((row) => ('bad' in row ? row.bad : written.next().value!));
}

/** What the caller calls a row by; null when that is no text. */
function nameOf<Row>(row: unknown, key: keyof Row | null): string | null {
  const name = key === null ? row : (row as Row | null)?.[key];
  return typeof name === 'string' ? name : null;
}

/** An issue as part of a message; the messages of the shapes complete "relationType …". */
function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `${issue.keys.map((name) => JSON.stringify(name)).join(', ')} is not a member of a row`;
  }
  if (issue.code === 'invalid_key') {
    return `a name in ${issue.path.slice(0, -1).join('.')} ${issue.issues.map(({ message }) => message).join('; ')}`;
  }
  return `${issue.path.join('.') || 'the row'} ${issue.message}`;
}
