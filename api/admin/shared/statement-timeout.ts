import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';

/** What an operator asks for may take its time: the limit for statements does not hold in this transaction. */
export const withoutStatementTimeout = (session: Session): Promise<number> =>
  session.run(sql`SET LOCAL statement_timeout = 0`);
