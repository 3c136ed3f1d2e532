import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import { DEFAULT_QUOTA } from '../../../sql/org/callers.ts';
import { organisationOf, organisationRow, putOrganisation } from '../../../sql/org/organisations.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { count, deadlineOrNone, GRANTS, namesOf, organisationId } from '../common/schemas.ts';
import { describeOrganisation } from './describe.ts';

const granted = (known: readonly string[]) => namesOf(known).optional().default([]);

export const createOrganisation = adminCommand({
  name: 'organisations create',
  summary: 'make an organisation',
  description: 'It has booked nothing but what --modules says, and has no users and no keys yet.',
  examples: [
    'stadtwerk --name "Stadtwerke Musterstadt" --modules api,analysis,portfolio --signals all',
    'probe --name "Probe GmbH" --modules all --trial-end 2027-01-31',
  ],
  parameters: {
    externalId: argument('the id under which you know it; it cannot be changed later', organisationId()),
    name: option('<name>', 'its name', line(NAME_LENGTH)),
    modules: option('<a,b|all>', `any of ${GRANTS.modules.join(', ')}`, granted(GRANTS.modules)),
    signals: option('<a,b|all>', 'signals that it may see and filter by', granted(GRANTS.signals)),
    alertTemplates: option('<a,b|all>', `any of ${GRANTS.alertTemplates.join(', ')}`, granted(GRANTS.alertTemplates)),
    quota: option('<n>', `calls per calendar month (default: ${DEFAULT_QUOTA})`, count().optional()),
    trialEnd: option('<day>', 'a calendar day, an RFC 3339 time, or none (default: none)', deadlineOrNone().optional()),
  },
  run: (store, { externalId, trialEnd, quota, ...chosen }) =>
    store.asOperator(async (session) => {
      const present = await session.row(organisationRow, organisationOf(externalId));
      if (present !== null) {
        throw refused(
          `There is an organisation ${externalId} already: ${present.name}\n` +
            `To look at it: npm run admin -- organisations show ${externalId}`,
        );
      }
      const now = new Date().toISOString();
      const made = organisationRow.parse({
        id: randomUUIDv7(),
        externalId,
        ...chosen,
        limits: {},
        quota: quota ?? DEFAULT_QUOTA,
        trialEndsAt: trialEnd ?? null,
        createdAt: now,
        updatedAt: now,
      });
      await session.run(putOrganisation(made));
      return made;
    }),
  format: (made) => `Made the organisation ${made.externalId}.\n\n${describeOrganisation(made)}`,
  note: ({ externalId }) =>
    `Next: npm run admin -- users create ${externalId} … and npm run admin -- keys create ${externalId} …`,
  logFields: ({ externalId, id }) => ({ organisation: externalId, id }),
});
