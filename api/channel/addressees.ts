import { isUuid } from '../../sql/org/organisations.ts';
import { type Channel, organisationsOfUsers, type UserSide, userSideRow } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';
import { quoted } from '../wire/quoted.ts';
import type { ActingUser } from './sender.ts';

/**
 * Finds the users that a thread addresses, each once.
 * @throws Problem UNPROCESSABLE for the sender, and for a user of neither side, who is answered as an unknown one
 */
export async function addressees(
  session: Session,
  { initiatorId, invitedId }: Channel,
  ids: readonly string[],
  sender: ActingUser | null,
): Promise<UserSide[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return [];
  if (sender !== null && wanted.includes(sender.id)) {
    throw new Problem('UNPROCESSABLE', 'addressUserIds has the user of actingUserId; the sender cannot be addressed');
  }
  const found = await session.rows(userSideRow, organisationsOfUsers(wanted.filter(isUuid)));
  const ofEither = found.filter(({ organisationId }) => [initiatorId, invitedId].includes(organisationId));
  const stranger = wanted.find((id) => !ofEither.some((user) => user.id === id));
  if (stranger === undefined) return ofEither;
  const detail = `addressUserIds has ${quoted(stranger)}, which is no user of either side of the connection`;
  throw new Problem('UNPROCESSABLE', detail);
}
