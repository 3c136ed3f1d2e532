import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { option } from '../../../runtime/command-line/parameter.ts';
import { makeApiKey } from '../../../sql/org/api-key.ts';
import { modulesNow, type OrganisationRow } from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { storeKey } from '../../keys/store-key.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { findUser } from '../common/find-user.ts';
import { deadline, namesOf, SCOPE_NAMES } from '../common/schemas.ts';
import { joined, moment } from '../common/text-table.ts';

const ahead = deadline().refine((end) => Date.parse(end) > Date.now(), 'must lie ahead');

export const createKey = adminCommand({
  name: 'keys create',
  summary: 'make a key of an organisation; it is shown once',
  description:
    'The key goes to standard output and nowhere else; with --out it goes to that file instead, which only you can ' +
    `read. The store keeps no more than its hash.\nScopes: ${joined(SCOPE_NAMES)}.`,
  examples: [
    'stadtwerk --name Leitwarte --scopes units:read,region:read --by anna',
    'stadtwerk --name Import --scopes all --expires 2027-01-31 --out import-key',
  ],
  parameters: {
    organisation: organisationArgument,
    name: option('<name>', 'what the key is for', line(NAME_LENGTH)),
    scopes: option('<a,b|all>', 'what it may do, never more', namesOf(SCOPE_NAMES)),
    environment: option(
      '<live|test>',
      'live or test: for you to tell keys apart (default: live)',
      z.enum(['live', 'test'], 'must be live or test').optional().default('live'),
    ),
    expires: option('<day>', 'a calendar day, until its end in Germany, or an RFC 3339 time', ahead.optional()),
    by: option('<user>', 'the owner or admin who wants it (default: you, the operator)', z.string().optional()),
  },
  run: (store, { organisation: reference, name, scopes, environment, expires, by }) => {
    return store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      if (by !== undefined) await requireOwnerOrAdmin(session, organisation, by);
      const made = makeApiKey(environment);
      const draft = { name, scopes: [...scopes], createdBy: by ?? null, expiresAt: expires ?? null };
      const { secretHash: _, revokedAt: __, ...key } = await storeKey(session, organisation.id, made, draft);
      return {
        organisation: organisation.externalId,
        apiBooked: modulesNow(organisation, new Date()).includes('api'),
        ...key,
        key: made.text,
      };
    });
  },
  format: ({ key }) => key,
  note: ({ organisation, prefix, name, scopes, expiresAt, apiBooked }) =>
    [
      `${name} (${prefix}) of ${organisation} may: ${joined(scopes, SCOPE_NAMES)}; it expires ${moment(expiresAt) ?? 'never'}.`,
      `The key is not shown again. To end it: npm run admin -- keys revoke ${prefix}`,
      apiBooked ? '' : `${organisation} has no module api now, so every call with the key is answered 403.`,
    ]
      .filter((text) => text !== '')
      .join('\n'),
  outFile: {
    content: ({ key }) => `${key}\n`,
    summary: ({ key: _, ...rest }) => rest,
  },
  logFields: ({ organisation, prefix, scopes, expiresAt }) => ({ organisation, prefix, scopes, expiresAt }),
});

/** @throws CommandFailed when the user is neither owner nor admin */
async function requireOwnerOrAdmin(session: Session, organisation: OrganisationRow, user: string): Promise<void> {
  const { role } = await findUser(session, organisation, user);
  if (role !== 'member') return;
  throw refused(`${user} is a member of ${organisation.externalId}: only its owners and admins may have keys made`);
}
