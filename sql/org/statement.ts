/** SQL as it is written, with its values beside it: `sql` turns every `${value}` into a bound parameter. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/** What can be bound. Objects go as text: `${JSON.stringify(value)}::text::jsonb`. Timestamps are RFC 3339 texts. */
export type Value = string | number | boolean | null | readonly string[] | readonly number[];

const STATEMENT = Symbol('statement');

/** A statement, or a piece of one: statements nest, and their parameters are numbered through. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Value | Statement)[]): Statement {
  let text = texts[0] ?? '';
  const values: Value[] = [];
  for (const [index, part] of parts.entries()) {
    if (isStatement(part)) {
      text += part.text.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + values.length}`);
      values.push(...part.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += texts[index + 1];
  }
  return Object.assign({ text, values }, { [STATEMENT]: true });
}

/** Conditions joined by AND; none at all holds always. */
export const all = (conditions: readonly Statement[]): Statement =>
  conditions.length === 0 ? sql`true` : conditions.reduce((left, right) => sql`${left} AND ${right}`);

const isStatement = (part: Value | Statement): part is Statement =>
  typeof part === 'object' && part !== null && STATEMENT in part;
