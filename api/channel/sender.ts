import { z } from 'zod';
import { isUuid } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import { userOf, userRow } from '../../sql/org/users.ts';
import { Problem } from '../problem/problem.ts';

/** The person that an operation of the channel acts as. */
export interface ActingUser {
  readonly id: string;
  readonly name: string;
}

/** The member of a body that names the person who writes. */
export const actingUserMember = z
  .string('must be the id of a user')
  .nullable()
  .optional()
  .describe(
    'The user of the own organisation who writes. Left out or null: the integration, shown as the organisation, via API',
  );

/**
 * Finds the user of the organisation that a call acts as; null when it names none.
 * @throws Problem NOT_FOUND for an unknown user, and alike for one of another organisation
 */
export async function actingUser(
  session: Session,
  organisationId: string,
  id: string | null | undefined,
): Promise<ActingUser | null> {
  if (id === null || id === undefined) return null;
  const found = isUuid(id) ? await session.row(userRow, userOf(organisationId, id)) : null;
  if (found !== null) return { id: found.id, name: found.name };
  throw new Problem('NOT_FOUND', 'actingUserId is not the id of a user of the organisation');
}
