import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { option } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { deleteOrganisation as deletion, organisationToDelete } from '../../../sql/org/organisations.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { sql } from '../../../sql/org/statement.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { withoutStatementTimeout } from '../common/statement-timeout.ts';

const lossRow = z.strictObject({
  users: z.int(),
  keys: z.int(),
  portfolioEntries: z.int(),
  auditEntries: z.int(),
  endedConnections: z.int(),
});

const losses = (id: string) => sql`
  SELECT (SELECT count(*) FROM users WHERE organisation_id = ${id}::uuid) AS users,
    (SELECT count(*) FROM api_keys WHERE organisation_id = ${id}::uuid) AS keys,
    (SELECT count(*) FROM portfolio_entries WHERE organisation_id = ${id}::uuid) AS "portfolioEntries",
    (SELECT count(*) FROM audit_log WHERE organisation_id = ${id}::uuid) AS "auditEntries",
    (SELECT count(*) FROM connections WHERE initiator_id = ${id}::uuid AND status IN ('PENDING', 'ACCEPTED'))
      + (SELECT count(*) FROM connections WHERE invited_id = ${id}::uuid AND status IN ('PENDING', 'ACCEPTED'))
      AS "endedConnections"`;

export const deleteOrganisationCommand = adminCommand({
  name: 'organisations delete',
  summary: 'remove an organisation with everything that belongs to it, its audit log included',
  description:
    'This cannot be undone. Its connections end, whether accepted or not; partners keep them to read, with their threads and ' +
    'its answers to their fields. To keep a copy: npm run admin -- export <organisation> --out <file>',
  examples: ['stadtwerk --yes-delete-everything-of stadtwerk'],
  parameters: {
    organisation: organisationArgument,
    yesDeleteEverythingOf: option('<external-id>', 'the external id once more', z.string()),
  },
  run: (store, { organisation: reference, yesDeleteEverythingOf }) =>
    store.asOperator(async (session) => {
      const { id, externalId } = await lockOrganisation(session, reference, organisationToDelete);
      if (yesDeleteEverythingOf !== externalId) {
        throw refused(
          `Nothing was deleted: the organisation's external id is ${externalId}, but ` +
            `--yes-delete-everything-of says ${yesDeleteEverythingOf}`,
        );
      }
      await withoutStatementTimeout(session);
      const lost = await singleRow(session, lossRow, losses(id));
      await session.run(deletion(id));
      return { organisation: externalId, id, ...lost };
    }),
  format: ({ organisation, users, keys, portfolioEntries, auditEntries, endedConnections }) =>
    `Deleted ${organisation} with ${counted(users, 'user')}, ${counted(keys, 'key')}, ` +
    `${counted(portfolioEntries, 'portfolio entry', 'portfolio entries')} and ` +
    `${counted(auditEntries, 'audit entry', 'audit entries')}; ${counted(endedConnections, 'connection')} ended.`,
  logFields: ({ organisation, id }) => ({ organisation, id }),
});
