/** SQL of the organisation store with its values: `sql` turns every `${value}` into a bound parameter. */
export interface StoreStatement {
  readonly text: string;
  readonly values: readonly StoreValue[];
  /** The text before the first value, between values, and after the last. */
  readonly [PIECES]: readonly string[];
}

/** A value that can be bound. Objects are passed as text: `${JSON.stringify(value)}::text::jsonb`. Timestamps are RFC 3339 texts. */
export type StoreValue = string | number | boolean | null | readonly string[] | readonly number[];

const PIECES = Symbol('pieces');

/** Makes a statement or a part of one: statements nest, and their parameters are numbered consecutively. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (StoreValue | StoreStatement)[]): StoreStatement {
  const pieces = [''];
  const values: StoreValue[] = [];
  const write = (text = '') => {
    pieces[pieces.length - 1] += text;
  };
  write(texts[0]);
  for (const [index, part] of parts.entries()) {
    if (isStatement(part)) {
      const [first, ...others] = part[PIECES];
      write(first);
      pieces.push(...others);
      values.push(...part.values);
    } else {
      pieces.push('');
      values.push(part);
    }
    write(texts[index + 1]);
  }
  return { text: pieces.reduce((text, piece, index) => `${text}$${index}${piece}`), values, [PIECES]: pieces };
}

/** Joins conditions by AND; no condition at all is true. */
export const all = (conditions: readonly StoreStatement[]): StoreStatement =>
  conditions.reduce((left, right) => sql`${left} AND (${right})`, sql`true`);

const isStatement = (part: StoreValue | StoreStatement): part is StoreStatement =>
  typeof part === 'object' && part !== null && PIECES in part;
