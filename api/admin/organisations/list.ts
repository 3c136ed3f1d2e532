import { z } from 'zod';
import { allOrganisations, modulesNow, organisationRow } from '../../../sql/org/organisations.ts';
import { sql } from '../../../sql/org/statement.ts';
import { adminCommand } from '../common/admin-command.ts';
import { GRANTS } from '../common/schemas.ts';
import { joined, moment, table } from '../common/text-table.ts';

const countRow = z.strictObject({ id: z.uuid(), users: z.int(), liveKeys: z.int() });

const COUNTS = sql`
  SELECT o.id, (SELECT count(*) FROM users u WHERE u.organisation_id = o.id) AS users,
    (SELECT count(*) FROM api_keys k WHERE k.organisation_id = o.id AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > now())) AS "liveKeys"
  FROM organisations o`;

export const listOrganisations = adminCommand({
  name: 'organisations list',
  summary: 'the organisations there are',
  examples: [''],
  parameters: {},
  run: (store) =>
    store.asOperator(async (session) => {
      const organisations = await session.rows(organisationRow, allOrganisations());
      const counts = new Map((await session.rows(countRow, COUNTS)).map(({ id, ...count }) => [id, count]));
      const now = new Date();
      return organisations.flatMap((organisation) => {
        const count = counts.get(organisation.id);
        // It was deleted between the two statements.
        if (count === undefined) return [];
        return [{ ...organisation, modulesNow: modulesNow(organisation, now), ...count }];
      });
    }),
  format: (organisations) =>
    organisations.length === 0
      ? 'There are no organisations yet. To make one: npm run admin -- organisations create --help'
      : table(
          ['organisation', 'name', 'modules now', 'users', 'live keys', 'calls a month', 'end of the trial'],
          organisations.map(({ externalId, name, modulesNow: modules, users, liveKeys, quota, trialEndsAt }) => [
            externalId,
            name,
            joined(modules, GRANTS.modules),
            users,
            liveKeys,
            quota,
            moment(trialEndsAt),
          ]),
        ),
});
