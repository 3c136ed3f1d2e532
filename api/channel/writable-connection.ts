import { isUuid } from '../../sql/org/organisations.ts';
import {
  connectionToWriteOn,
  messageTime,
  nextMessageTime,
  type WritableConnection,
  writableConnectionRow,
} from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Finds the connection that is to be written on; it cannot end before the transaction does.
 * @throws Problem NOT_FOUND for an unknown id, and alike for a connection of others; UNPROCESSABLE when it is not accepted
 */
export async function writableConnection(
  session: Session,
  organisationId: string,
  id: string,
): Promise<WritableConnection> {
  const found = isUuid(id) ? await session.row(writableConnectionRow, connectionToWriteOn(organisationId, id)) : null;
  if (found === null) {
    throw new Problem('NOT_FOUND', 'There is no connection with this id among those that GET /v1/connections lists');
  }
  if (found.status === 'ACCEPTED') return found;
  const state = found.status === 'PENDING' ? 'is not accepted yet' : 'has ended';
  throw new Problem('UNPROCESSABLE', `The connection ${state} (${found.status}); messages need an accepted one`);
}

/** Takes the turn of both sides, and gives the time of the message that is written in it. */
export async function timeOfMessage(session: Session, connection: WritableConnection): Promise<string> {
  const time = await session.row(messageTime, nextMessageTime(connection));
  if (time === null) throw new Error('The store has returned no time of the message');
  return time.at;
}
