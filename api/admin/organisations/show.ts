import { limitsOf } from '../../../sql/org/callers.ts';
import { monthRow, monthStatement } from '../../../sql/org/calls.ts';
import { modulesNow } from '../../../sql/org/organisations.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { userRow, usersOf } from '../../../sql/org/users.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { userTable } from '../common/find-user.ts';
import { keysWithUse, keyTable } from '../common/listed-keys.ts';
import { nameValueLines } from '../common/text-table.ts';
import { describeOrganisation } from './describe.ts';

export const showOrganisation = adminCommand({
  name: 'organisations show',
  summary: 'an organisation with its users, keys, modules, limits and calls of this month',
  examples: ['stadtwerk', 'stadtwerk --json'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const organisation = await findOrganisation(session, reference);
      const month = await singleRow(session, monthRow, monthStatement(organisation.id));
      return {
        organisation: { ...organisation, modulesNow: modulesNow(organisation, new Date()) },
        limits: limitsOf(organisation.limits),
        month,
        users: await session.rows(userRow, usersOf(organisation.id)),
        keys: await keysWithUse(session, organisation.id),
      };
    }),
  format: ({ organisation, limits, month, users, keys }) =>
    [
      describeOrganisation(organisation),
      `Calls this month: ${month.used} of ${organisation.quota}`,
      `Limits\n${nameValueLines(Object.entries(limits).map(([name, value]) => [`  ${name}`, String(value)]))}`,
      users.length === 0 ? 'No users' : userTable(users),
      keys.length === 0 ? 'No keys' : keyTable(keys),
    ].join('\n\n'),
});
