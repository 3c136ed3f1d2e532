import { z } from 'zod';
import type { StoreStatement } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';

const idRow = z.strictObject({ id: z.uuid() });

/** The ids that a statement selects. */
export const idsOf = async (session: Session, statement: StoreStatement): Promise<string[]> =>
  (await session.rows(idRow, statement)).map(({ id }) => id);
