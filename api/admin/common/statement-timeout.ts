import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';

/** Lifts the limit of time for statements in this transaction: commands of the operator may take long. */
export const withoutStatementTimeout = (session: Session): Promise<number> =>
  session.run(sql`SET LOCAL statement_timeout = 0`);
