import { userRow, usersOf } from '../../../sql/org/users.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { userTable } from '../common/find-user.ts';

export const listUsers = adminCommand({
  name: 'users list',
  summary: 'the users of an organisation',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      return session.rows(userRow, usersOf(id));
    }),
  format: (users) => (users.length === 0 ? 'No users' : userTable(users)),
});
