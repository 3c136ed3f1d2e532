import { isUuid } from '../../sql/org/organisations.ts';
import { type Channel, organisationsOfUsers, type UserSide, userSideRow } from '../../sql/org/records/threads.ts';
import type { Session } from '../../sql/org/store.ts';
import { violated } from '../problem/problem.ts';
import { pointer } from '../wire/violations.ts';
import type { ActingUser } from './sender.ts';

/**
 * Finds the users that a thread addresses, each once.
 * @throws Problem UNPROCESSABLE for the sender, and for a user of neither side, who is answered as an unknown one
 */
export async function addressees(
  session: Session,
  { initiatorId, invitedId }: Channel,
  sent: readonly string[],
  sender: ActingUser | null,
): Promise<UserSide[]> {
  if (sent.length === 0) return [];
  const ids = sent.map((id) => id.toLowerCase());
  const found = await session.rows(userSideRow, organisationsOfUsers([...new Set(ids)].filter(isUuid)));
  const ofEither = found.filter(({ organisationId }) => [initiatorId, invitedId].includes(organisationId));
  const faults = ids.flatMap((id, index) => {
    const isSender = id === sender?.id;
    if (!isSender && ofEither.some((user) => user.id === id)) return [];
    const what = isSender ? 'the sender, actingUserId' : 'an id that no user of either side of the connection has';
    const at = pointer(['addressUserIds', index]);
    return [{ pointer: at, code: 'UNPROCESSABLE', detail: `addressUserIds has ${what}` } as const];
  });
  if (faults.length > 0) throw violated(faults);
  return ofEither;
}
