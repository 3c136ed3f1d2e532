import { userRow, usersOf } from '../../../sql/org/users.ts';
import { command } from '../command.ts';
import { findOrganisation, organisationWord } from '../organisations/find.ts';
import { userTable } from './users.ts';

export const listUsers = command({
  name: 'users list',
  summary: 'the users of an organisation',
  examples: ['stadtwerk'],
  words: { organisation: organisationWord },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      return session.rows(userRow, usersOf(id));
    }),
  tell: (users) => (users.length === 0 ? 'No users' : userTable(users)),
});
