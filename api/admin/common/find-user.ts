import { refused } from '../../../runtime/command-line/exit.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type UserRow, userRow, usersOf } from '../../../sql/org/users.ts';
import { suggestion } from '../../wire/nearest.ts';
import { moment, table } from './text-table.ts';

/** @throws CommandFailed suggesting the nearest name when the organisation has no such user */
export async function findUser(
  session: Session,
  { id, externalId: organisation }: OrganisationRow,
  externalId: string,
): Promise<UserRow> {
  const users = await session.rows(userRow, usersOf(id));
  const found = users.find((user) => user.externalId === externalId);
  if (found !== undefined) return found;
  const names = users.map((user) => user.externalId);
  throw refused(
    `${organisation} has no user ${externalId}${suggestion(externalId, names)}\n` +
      `Those it has: npm run admin -- users list ${organisation}`,
  );
}

export const userTable = (users: readonly UserRow[]): string =>
  table(
    ['user', 'name', 'e-mail', 'role', 'made', 'id'],
    users.map(({ id, externalId, name, email, role, createdAt }) => [
      externalId,
      name,
      email,
      role,
      moment(createdAt),
      id,
    ]),
  );
