import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import { isUuid, type OrganisationRow } from '../../../sql/org/organisations.ts';
import {
  type ConnectionRecord,
  connectionOf,
  connectionRecord,
  connectionToChange,
  lockSides,
} from '../../../sql/org/records/connections.ts';
import type { Session } from '../../../sql/org/store.ts';
import { findOrganisation } from '../common/find-organisation.ts';

/** The second argument of commands about one connection. */
export const connectionArgument = argument(
  'its id, which `connections list` shows',
  z.string().refine(isUuid, 'must be the id of a connection, a UUID'),
);

/**
 * A connection and the organisation that a command speaks for: one of its sides, or one that an invitation may mean.
 */
export interface FoundConnection {
  readonly organisation: OrganisationRow;
  readonly connection: ConnectionRecord;
}

/** @throws CommandFailed when there is no such organisation, or it has no such connection */
export async function findConnection(session: Session, reference: string, id: string): Promise<FoundConnection> {
  const organisation = await findOrganisation(session, reference);
  const connection = await session.row(connectionRecord, connectionOf(organisation.id, id));
  if (connection === null) throw unknown(organisation, id);
  return { organisation, connection };
}

/**
 * Locks organisations for a change of their connections. Whoever changes a connection, or makes one, locks its sides
 * first, so that of two at once the later one sees what the earlier one did.
 * @returns them as they are now
 * @throws CommandFailed for one that does not exist
 */
export async function lockOrganisations(session: Session, references: readonly string[]): Promise<OrganisationRow[]> {
  const ids: string[] = [];
  for (const reference of references) ids.push((await findOrganisation(session, reference)).id);
  await session.run(lockSides(ids));
  const locked: OrganisationRow[] = [];
  for (const id of ids) locked.push(await findOrganisation(session, id));
  return locked;
}

/** Locks a connection and its sides until the transaction ends. @throws CommandFailed like findConnection */
export async function lockConnection(session: Session, reference: string, id: string): Promise<FoundConnection> {
  const { organisation, connection } = await findConnection(session, reference, id);
  // A side may be missing in this store.
  await session.run(lockSides([organisation.id, connection.initiatorId, connection.invitedId ?? organisation.id]));
  const locked = await session.row(connectionRecord, connectionToChange(organisation.id, id));
  if (locked === null) throw unknown(organisation, id);
  return { organisation: await findOrganisation(session, organisation.id), connection: locked };
}

const unknown = ({ externalId }: OrganisationRow, id: string) =>
  refused(`${externalId} has no connection ${id}\nThose it has: npm run admin -- connections list ${externalId}`);
