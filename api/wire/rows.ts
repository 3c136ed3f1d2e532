import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { inputSchema } from './input-schema.ts';
import { fault, requirement } from './parameters.ts';
import { plainWords } from './plain-words.ts';
import { cut, quoted } from './quoted.ts';
import { messageOf } from './violations.ts';
import { failed, type RowCode, type WriteRow } from './write-response.ts';

/** Batches: a fault of the body as a whole fails the call, a fault inside a row fails the row. */

/**
 * The rows of a batch write. They pass unchecked, because each is checked for itself (`answerRows`); the documentation
 * shows their shape all the same.
 */
export const batchOf = (row: z.ZodType, most: number) =>
  z
    .unknown()
    .transform((rows, context): readonly unknown[] => {
      if (Array.isArray(rows) && rows.length <= most) return rows;
      context.issues.push(
        Array.isArray(rows)
          ? fault('TOO_MANY_VALUES', `has ${rows.length} rows, more than ${most}; split it over several calls`)
          : fault('INVALID_BODY', requirement('must be an array')({ input: rows })),
      );
      return z.NEVER;
    })
    .meta({ type: 'array', items: inputSchema(row), maxItems: most });

interface Rules<Row> {
  /** The rows as they were sent. */
  readonly rows: readonly unknown[];
  readonly shape: z.ZodType<Row>;
  /**
   * The member that names a row; a row with the name of an earlier one fails, whatever became of that one. Null: the
   * row is its own name, and may come again.
   */
  readonly key: keyof Row | null;
  /** Writes the valid rows. @returns their answers, in the same order */
  write(rows: readonly Row[]): Promise<readonly WriteRow[]>;
}

/** Answers each row, in the order of the batch. @throws Error when `write` does not answer every row it was given */
export async function answerRows<Row>({ rows, shape, key, write }: Rules<Row>): Promise<WriteRow[]> {
  const seen = new Set<string>();
  const checked = rows.map((row): { good: Row } | { bad: WriteRow } => {
    const name = nameOf(row, key);
    const read = readRow(row, shape);
    if (key !== null && name !== null) {
      if (seen.has(name)) return { bad: failed('UNPROCESSABLE', `${String(key)} came in a row before`, name) };
      seen.add(name);
    }
    return 'good' in read ? read : { bad: failed('UNPROCESSABLE', read.fault, name) };
  });
  const written = (await write(checked.flatMap((row) => ('good' in row ? [row.good] : [])))).values();
  return checked.map((row) => {
    if ('bad' in row) return row.bad;
    const { value: answer } = written.next();
    if (answer === undefined) throw new Error('A row of the batch was not answered');
    return answer;
  });
}

function readRow<Row>(row: unknown, shape: z.ZodType<Row>): { good: Row } | { fault: string } {
  const { data, error } = shape.safeParse(row, { error: plainWords });
  return error === undefined ? { good: data as Row } : { fault: firstOf(error.issues, sentence, '; ') };
}

/** Rows of a batch that are one change: all of them are written, or none. */
export interface RowGroup<Row> {
  readonly name: string;
  /** In the order of the batch. */
  readonly rows: readonly Row[];
}

/**
 * The outcome of a group, and the fault of each of its rows. Without a status the group failed, and rows without a
 * fault with it; with one, such rows were written.
 */
export type GroupAnswer =
  | { readonly status: Exclude<WriteRow['status'], 'failed'>; readonly faults?: readonly (RowFault | null)[] }
  | { readonly status?: undefined; readonly faults: readonly (RowFault | null)[] };

export interface RowFault {
  readonly code: RowCode;
  readonly message: string;
}

interface GroupRules<Row> {
  /** The rows as they were sent. */
  readonly rows: readonly unknown[];
  readonly shape: z.ZodType<Row>;
  /** Names the group of a row as it was sent, and the row in its answer; null when it has no name, and fails alone. */
  nameOf(row: unknown): string | null;
  /** Writes the groups without a fault in their rows. @returns their answers, in the same order */
  write(groups: readonly RowGroup<Row>[]): Promise<readonly GroupAnswer[]>;
}

/** Answers each row of a batch whose rows of one name are one change, in the order of the batch. */
export async function answerGroups<Row>({ rows, shape, nameOf, write }: GroupRules<Row>): Promise<WriteRow[]> {
  const sent = rows.map((row, index) => ({ index, name: nameOf(row), read: readRow(row, shape) }));
  const answers = sent.map(({ name, read }) =>
    failed(
      'UNPROCESSABLE',
      'fault' in read ? read.fault : 'not written, because another row about the same field has a fault',
      name,
    ),
  );
  const groups = [...Map.groupBy(sent, ({ name }) => name)].flatMap(([name, members]) => {
    const good = members.flatMap(({ read }) => ('good' in read ? [read.good] : []));
    return name === null || good.length < members.length
      ? []
      : [{ name, rows: good, indexes: members.map(({ index }) => index) }];
  });
  const written = await write(groups);
  for (const [place, { name, indexes }] of groups.entries()) {
    const answer = itemAt(written, place);
    for (const [row, index] of indexes.entries()) {
      const fault = answer.faults?.[row] ?? null;
      if (fault !== null) answers[index] = failed(fault.code, fault.message, name);
      else if (answer.status !== undefined) answers[index] = { id: null, externalId: name, status: answer.status };
    }
  }
  return answers;
}

/** Gives the name of a row; null when that is no text. */
function nameOf<Row>(row: unknown, key: keyof Row | null): string | null {
  const name = key === null ? row : (row as Row | null)?.[key];
  return typeof name === 'string' ? name : null;
}

/** Writes an issue as part of a message; the messages of the shapes complete "relationType …". */
function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `${firstOf(issue.keys, quoted, ', ')} is not a member of a row`;
  }
  if (issue.code === 'invalid_key') {
    return `a name in ${place(issue.path.slice(0, -1))} ${issue.issues.map(({ message }) => message).join('; ')}`;
  }
  return `${place(issue.path) || 'the row'} ${messageOf(issue)}`;
}

const place = (path: readonly PropertyKey[]): string => path.map((part) => cut(String(part))).join('.');

/**
 * Faults reported for one row: a batch has hundreds of rows, each of which may have as many faults as a body can hold.
 */
const MAX_REPORTED = 5;

/** Lists the first faults, and the number of the others. */
function firstOf<Fault>(faults: readonly Fault[], describe: (fault: Fault) => string, separator: string): string {
  const first = faults.slice(0, MAX_REPORTED).map(describe).join(separator);
  const more = faults.length - MAX_REPORTED;
  return more > 0 ? `${first} and ${more} more` : first;
}
