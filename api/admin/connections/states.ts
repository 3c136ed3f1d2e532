import { refused } from '../../../runtime/command-line/exit.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type ConnectionRecord, isAlive } from '../../../sql/org/records/connections.ts';
import { moment } from '../common/text-table.ts';

/** The states that changes of a connection need, and why they are refused in others. */

const isInitiator = (connection: ConnectionRecord, { id }: OrganisationRow): boolean => connection.initiatorId === id;

const isSide = (connection: ConnectionRecord, organisation: OrganisationRow): boolean =>
  isInitiator(connection, organisation) || connection.invitedId === organisation.id;

/** @throws CommandFailed for a connection that has ended */
function requireAlive({ id, status, updatedAt }: ConnectionRecord): void {
  if (isAlive(status)) return;
  throw refused(
    `The connection ${id} has ended (${status}, last changed ${moment(updatedAt)}). What has ended never comes back\n` +
      'To begin anew: npm run admin -- connections invite --help',
  );
}

/** @throws CommandFailed unless the connection lives, and the organisation is one of its sides already */
export function requireLivingSide(connection: ConnectionRecord, organisation: OrganisationRow): void {
  requireAlive(connection);
  if (isSide(connection, organisation)) return;
  throw refused(
    `${organisation.externalId} has not accepted this invitation, which went to an e-mail address\n` +
      `To accept it: npm run admin -- connections accept ${organisation.externalId} ${connection.id}`,
  );
}

/** @throws CommandFailed unless the organisation was invited, and has not answered */
export function requireUnanswered(connection: ConnectionRecord, organisation: OrganisationRow): void {
  requireAlive(connection);
  const { externalId } = organisation;
  if (connection.status === 'ACCEPTED') {
    throw refused(
      `The connection ${connection.id} was accepted before, on ${moment(connection.answeredAt)}\n` +
        `To end it: npm run admin -- connections revoke ${externalId} ${connection.id}`,
    );
  }
  if (!isInitiator(connection, organisation)) return;
  throw refused(
    `${externalId} has sent this invitation itself; only the side that was invited can answer it\n` +
      `To take it back: npm run admin -- connections revoke ${externalId} ${connection.id}`,
  );
}

/**
 * @throws CommandFailed unless the organisation has sent an invitation that is unanswered, or is a side of an accepted
 * connection
 */
export function requireRevocable(connection: ConnectionRecord, organisation: OrganisationRow): void {
  requireAlive(connection);
  if (connection.status === 'ACCEPTED' || isInitiator(connection, organisation)) return;
  throw refused(
    `${organisation.externalId} was invited and has not answered; the side that invited can take the invitation back\n` +
      `To refuse it: npm run admin -- connections decline ${organisation.externalId} ${connection.id}`,
  );
}

/** The time of a change, RFC 3339: now, and later than the change before. */
export const timeOfChange = ({ updatedAt }: ConnectionRecord): string =>
  new Date(Math.max(Date.now(), Date.parse(updatedAt) + 1)).toISOString();
