import { z } from 'zod';
import { isUuid } from '../../sql/org/organisations.ts';
import { type ThreadDetailRow, threadDetailRow, threadSeenBy } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';

/** The id in examples of operations that name a thread. */
export const EXAMPLE_THREAD = '019a0f6e-7c1b-7d52-9f0e-00000000d001';

/** The path parameter of the operations on one thread. */
export const threadId = z.strictObject({ id: z.string().describe('Id of the thread, from GET /v1/threads') });

/**
 * Finds a thread that the organisation is a side of, also when its connection has ended.
 * @throws Problem NOT_FOUND for an unknown id, and alike for a thread of others
 */
export async function findThread(session: Session, organisationId: string, id: string): Promise<ThreadDetailRow> {
  const found = isUuid(id) ? await session.row(threadDetailRow, threadSeenBy(organisationId, id)) : null;
  if (found !== null) return found;
  throw new Problem('NOT_FOUND', 'There is no thread with this id among those of the organisation');
}
