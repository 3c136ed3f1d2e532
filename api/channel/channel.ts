import { isUuid } from '../../sql/org/organisations.ts';
import type { ConnectionRow } from '../../sql/org/records/connections.ts';
import { beginMessage, type Channel, channelOf, channelRow, turnRow } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Finds the connection that is to be written on.
 * @throws Problem NOT_FOUND for an unknown id, and alike for a connection of others; UNPROCESSABLE when it is not
 * accepted
 */
export async function openChannel(session: Session, organisationId: string, connectionId: string): Promise<Channel> {
  const found = isUuid(connectionId) ? await session.row(channelRow, channelOf(organisationId, connectionId)) : null;
  if (found === null) {
    throw new Problem('NOT_FOUND', 'There is no connection with this id among those that GET /v1/connections lists');
  }
  mustBeAccepted(found);
  return found;
}

/**
 * Takes the turn of both sides: until the transaction ends, nobody else writes to either, and the connection cannot
 * end.
 * @returns the time of the message that is written in this turn
 * @throws Problem UNPROCESSABLE when the connection has ended meanwhile
 */
export async function takeTurn(session: Session, { id }: Channel): Promise<string> {
  const turn = await session.row(turnRow, beginMessage(id));
  if (turn === null) throw new Error('The connection was there a moment ago');
  mustBeAccepted(turn);
  return turn.at;
}

function mustBeAccepted({ status }: Pick<ConnectionRow, 'status'>): void {
  if (status === 'ACCEPTED') return;
  const state = status === 'PENDING' ? 'is not accepted yet' : 'has ended';
  throw new Problem(
    'UNPROCESSABLE',
    `The connection ${state} (status ${status}); only an accepted one can be written on`,
  );
}
