import pg from 'pg';
import type { Row, Sql } from '../question.ts';

/** One connection to PostgreSQL that answers statements. */
export interface PostgresConnection {
  query(statement: Sql): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Counts and sums come as numbers, days as the texts that they are: nothing is spent on making objects of them. */
const PARSED: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.DATE]: String,
  [pg.types.builtins.TIMESTAMP]: String,
};

export async function connect(url: string): Promise<PostgresConnection> {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => PARSED[Number(oid)] ?? pg.types.getTypeParser(Number(oid), format as 'text'),
  };
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  return {
    async query({ text, values }) {
      const { rows } = await client.query<Row>(text, [...values]);
      return rows;
    },
    close: () => client.end(),
  };
}
