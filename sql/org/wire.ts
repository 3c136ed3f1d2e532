import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Statement, Value } from './statement.ts';
import type { Session } from './store.ts';

/** One connection to Postgres, as both doors offer it. */
export interface Wire {
  query(text: string, values: readonly Value[]): Promise<{ rows: unknown[]; changed: number }>;
  /** Several statements at once, without values. */
  exec(text: string): Promise<void>;
}

/** What every session says first: timestamps are read and written in UTC. */
export const SESSION_DEFAULTS = { TimeZone: 'UTC', DateStyle: 'ISO' } as const;

/** How texts of Postgres become values, by type: int8, date, timestamptz. Both doors read alike. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1082: (text) => text,
  1184: (text) => new Date(text).toISOString(),
};

/** Who a transaction works for: one organisation, or `*` for all. */
export type Scope = string;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The beginning of a transaction. The scope goes into the text, because SET takes no parameters: so it is checked. */
export function begin(scope: Scope): string {
  if (scope !== '*' && !UUID.test(scope)) throw new Error(`${JSON.stringify(scope)} is no organisation id`);
  return `BEGIN; SET LOCAL app.organisation = '${scope}'`;
}

/** @throws Error when a row does not have the shape: then statement and shape disagree, which is a fault of ours */
export function session(wire: Wire): Session {
  return {
    async rows(shape, { text, values }) {
      const { rows } = await wire.query(text, values);
      return rows.map((row) => checked(shape, row, text));
    },
    async row(shape, { text, values }) {
      const { rows } = await wire.query(text, values);
      return rows.length === 0 ? null : checked(shape, rows[0], text);
    },
    async run({ text, values }) {
      return (await wire.query(text, values)).changed;
    },
  };
}

export function checkedRows<Row>(shape: z.ZodType<Row>, rows: readonly unknown[], { text }: Statement): Row[] {
  return rows.map((row) => checked(shape, row, text));
}

function checked<Row>(shape: z.ZodType<Row>, row: unknown, text: string): Row {
  const { data, error } = shape.safeParse(row);
  if (error === undefined) return data as Row;
  throw new Error(`A row of the organisation store is not what was expected: ${error.message}\n${text}`);
}

const names = new Map<string, string>();

/** A name for a prepared statement; equal texts have equal names. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}

/** Runs work again that lost against another transaction (serialisation failure, deadlock). */
export async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === 4 || (code !== '40001' && code !== '40P01')) throw error;
    }
  }
}
