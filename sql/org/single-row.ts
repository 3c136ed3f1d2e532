import type { z } from 'zod';
import type { StoreStatement } from './statement.ts';
import type { Session } from './store.ts';

/** The row of a statement that always returns one, such as a count. */
export async function singleRow<Row>(session: Session, shape: z.ZodType<Row>, statement: StoreStatement): Promise<Row> {
  const row = await session.row(shape, statement);
  if (row === null) throw new Error('A statement that always returns a row returned none');
  return row;
}
