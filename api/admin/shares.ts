import { refused } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { revokeShare, type ShareRow, shareRow, sharesOf } from '../../sql/org/shares.ts';
import { logged, organisationCommand } from './common/organisation-command.ts';
import { uuid } from './common/schemas.ts';
import { listing } from './common/text-table.ts';

/** The operator sees what organisations show to anybody, and ends it; the addresses of links are theirs. */
export const shareCommands = [
  organisationCommand({
    name: 'shares list',
    summary: 'the public links of an organisation, newest first, with their use',
    examples: ['stadtwerk'],
    run: ({ session, organisation }) => session.rows(shareRow, sharesOf(organisation.id)),
    format: listing<ShareRow>('No public links', {
      ...{ id: 'id', name: 'name', page: 'page', choices: 'query', 'last day': 'endsOn' },
      ...{ revoked: 'revokedAt', views: 'views', calls: 'calls' },
    }),
  }),
  organisationCommand({
    name: 'shares revoke',
    summary: 'end a public link, for good: within a second no instance takes it any more',
    examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'],
    parameters: { id: argument('the id that `shares list` shows', uuid()) },
    async run({ session, organisation: { id: organisationId, externalId: organisation } }, { id }) {
      const revoked = await session.row(shareRow, revokeShare(organisationId, id));
      if (revoked !== null) return { organisation, ...revoked };
      throw refused(
        `${organisation} has no public link ${id}\nThose that it has: npm run admin -- shares list ${organisation}`,
      );
    },
    format: ({ name, organisation }) => `Revoked ${name} of ${organisation}.`,
    logFields: logged('organisation', 'id'),
  }),
];
