import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument, option } from '../../runtime/command-line/parameter.ts';
import { makeApiKey } from '../../sql/org/api-key.ts';
import { type KeyRow, keyRow, keysOf, lastUseRow, lastUses, revocationRow, revokeKey } from '../../sql/org/keys.ts';
import { modulesNow, type OrganisationRow, organisationToChange } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import { deleteUser, putUsers, type UserRow, userRow, usersOf } from '../../sql/org/users.ts';
import { type KeyState, stateOf } from '../keys/key.ts';
import { storeKey } from '../keys/store-key.ts';
import { email } from '../wire/email.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { suggestion } from '../wire/nearest.ts';
import { adminCommand } from './common/admin-command.ts';
import { logged, organisationCommand } from './common/organisation-command.ts';
import { deadline, externalId, namesOf, role, SCOPE_NAMES } from './common/schemas.ts';
import { joined, listing, moment } from './common/text-table.ts';

/** The people of an organisation, and its API keys. */

export const userTable = listing<UserRow>('No users', {
  ...{ user: 'externalId', name: 'name', 'e-mail': 'email', role: 'role', made: 'createdAt', id: 'id' },
});

/** A key without the hash of its secret. */
type ListedKey = Omit<KeyRow, 'secretHash'> & {
  readonly state: KeyState;
  /** Null when the audit log has no call with the key. */
  readonly lastUsedAt: string | null;
};

export const keyTable = listing<ListedKey>('No keys', {
  ...{ key: 'prefix', for: 'environment', name: 'name', state: 'state', made: 'createdAt', by: 'createdBy' },
  ...{ expires: 'expiresAt', revoked: 'revokedAt', 'last used': 'lastUsedAt' },
  scopes: ({ scopes }) => joined(scopes, SCOPE_NAMES),
});

/** The keys of an organisation. Their last uses are looked for in its whole audit log, which callers must not ask for. */
export async function keysWithUse(session: Session, organisationId: string): Promise<ListedKey[]> {
  const uses = await session.rows(lastUseRow, lastUses(organisationId));
  const lastUse = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  return (await session.rows(keyRow, keysOf(organisationId))).map(({ secretHash: _, ...key }) => ({
    ...key,
    state: stateOf(key),
    lastUsedAt: lastUse.get(key.id) ?? null,
  }));
}

/** @throws CommandFailed suggesting the nearest name when the organisation has no such user */
async function findUser(
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

/** Prefixes of the live keys that were made for a user. */
async function liveKeysBy(session: Session, organisationId: string, user: string): Promise<string[]> {
  const keys = await session.rows(keyRow, keysOf(organisationId));
  return keys.filter((key) => key.createdBy === user && stateOf(key) === 'live').map(({ prefix }) => prefix);
}

/** Reminds the operator of keys that outlive the user's right to have them. */
const liveKeysNote = ({ user, liveKeys }: { readonly user: string; readonly liveKeys: readonly string[] }): string =>
  liveKeys.length === 0
    ? ''
    : `Keys that ${user} has had made go on working: ${joined(liveKeys)}\n` +
      'To end one: npm run admin -- keys revoke <prefix>';

const userArgument = argument('the external id of the user', z.string());

export const userCommands = [
  organisationCommand({
    name: 'users create',
    summary: 'make a user of an organisation',
    examples: ['stadtwerk anna --name "Anna Muster" --email anna@stadtwerk.example --role owner'],
    parameters: {
      externalId: argument('the id under which the organisation knows the person', externalId()),
      name: option('<name>', 'the name of the person', line(NAME_LENGTH)),
      email: option('<address>', 'where the person is reached', email().optional()),
      role: option('<role>', 'owner, admin or member; keys can be made for owners and admins', role()),
    },
    locks: organisationToChange,
    async run({ session, organisation: { id, externalId: organisation } }, { email = null, ...given }) {
      const users = await session.rows(userRow, usersOf(id));
      if (users.some((user) => user.externalId === given.externalId)) {
        throw refused(
          `${organisation} has a user ${given.externalId} already\n` +
            `To change the role: npm run admin -- users role ${organisation} ${given.externalId} <role>`,
        );
      }
      const now = new Date().toISOString();
      const user: UserRow = { id: randomUUIDv7(), ...given, email, createdAt: now, updatedAt: now };
      await session.run(putUsers(id, [user]));
      return { organisation, user };
    },
    format: ({ organisation, user }) => `Made ${user.name} (${user.externalId}) ${user.role} of ${organisation}.`,
    logFields: ({ organisation, user }) => ({ organisation, user: user.externalId, role: user.role }),
  }),
  organisationCommand({
    name: 'users list',
    summary: 'the users of an organisation',
    examples: ['stadtwerk'],
    run: ({ session, organisation }) => session.rows(userRow, usersOf(organisation.id)),
    format: userTable,
  }),
  organisationCommand({
    name: 'users role',
    summary: 'give a user another role',
    description: 'Keys that the user has had made go on working, whatever the role.',
    examples: ['stadtwerk anna admin'],
    parameters: { user: userArgument, role: argument('owner, admin or member', role()) },
    locks: organisationToChange,
    async run({ session, organisation }, { user, role }) {
      const present = await findUser(session, organisation, user);
      const changed = present.role !== role;
      const updatedAt = new Date().toISOString();
      if (changed) await session.run(putUsers(organisation.id, [{ ...present, role, updatedAt }]));
      const liveKeys = role === 'member' ? await liveKeysBy(session, organisation.id, user) : [];
      return { organisation: organisation.externalId, user, before: present.role, role, changed, liveKeys };
    },
    format: ({ organisation, user, before, role, changed }) =>
      `${user} of ${organisation} is ${role} ${changed ? `(before: ${before})` : 'as before'}.`,
    note: liveKeysNote,
    logFields: logged('organisation', 'user', 'role'),
  }),
  organisationCommand({
    name: 'users remove',
    summary: 'remove a user from an organisation',
    description: 'Keys that the user has had made go on working; from then on they count as made by the operator.',
    examples: ['stadtwerk anna'],
    parameters: { user: userArgument },
    locks: organisationToChange,
    async run({ session, organisation }, { user }) {
      const { id } = await findUser(session, organisation, user);
      const liveKeys = await liveKeysBy(session, organisation.id, user);
      await session.run(deleteUser(id));
      return { organisation: organisation.externalId, user, liveKeys };
    },
    format: ({ organisation, user }) => `Removed ${user} from ${organisation}.`,
    note: liveKeysNote,
    logFields: logged('organisation', 'user'),
  }),
];

const ahead = deadline().refine((end) => Date.parse(end) > Date.now(), 'must lie ahead');

/** The part of a key before its prefix may be typed too. The part after it is the secret and is refused. */
const prefix = z
  .string()
  .regex(
    /^(mds_(live|test)_)?[0-9A-Za-z]{8}$/,
    'must be the eight characters that `keys list` shows; never type a whole key, command lines are kept and seen',
  )
  .transform((text) => text.slice(-8));

export const keyCommands = [
  organisationCommand({
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
    locks: organisationToChange,
    async run({ session, organisation }, { name, scopes, environment, expires = null, by = null }) {
      const { externalId } = organisation;
      if (by !== null && (await findUser(session, organisation, by)).role === 'member') {
        throw refused(`${by} is a member of ${externalId}: only its owners and admins may have keys made`);
      }
      const made = makeApiKey(environment);
      const draft = { name, scopes: [...scopes], createdBy: by, expiresAt: expires };
      const { secretHash: _, revokedAt: __, ...key } = await storeKey(session, organisation.id, made, draft);
      const apiBooked = modulesNow(organisation, new Date()).includes('api');
      return { organisation: externalId, apiBooked, ...key, key: made.text };
    },
    format: ({ key }) => key,
    note: ({ organisation, prefix, name, scopes, expiresAt, apiBooked }) =>
      [
        `${name} (${prefix}) of ${organisation} may: ${joined(scopes, SCOPE_NAMES)}; it expires ${moment(expiresAt) ?? 'never'}.`,
        `The key is not shown again. To end it: npm run admin -- keys revoke ${prefix}`,
        ...(apiBooked ? [] : [`${organisation} has no module api now, so every call with the key is answered 403.`]),
      ].join('\n'),
    outFile: { content: ({ key }) => `${key}\n`, summary: ({ key: _, ...rest }) => rest },
    logFields: logged('organisation', 'prefix', 'scopes', 'expiresAt'),
  }),
  organisationCommand({
    name: 'keys list',
    summary: 'the keys of an organisation; never their secrets',
    description: 'When a key was used last is known as far back as the audit log goes.',
    examples: ['stadtwerk'],
    run: ({ session, organisation }) => keysWithUse(session, organisation.id),
    format: keyTable,
  }),
  adminCommand({
    name: 'keys revoke',
    summary: 'end a key, for good: within a second no instance takes it any more',
    examples: ['Xk29fQz1'],
    parameters: { prefix: argument('the eight characters that `keys list` shows', prefix) },
    run: (store, { prefix: key }) =>
      store.asOperator(async (session) => {
        const revoked = await session.row(revocationRow, revokeKey(key));
        if (revoked !== null) return revoked;
        throw refused(
          `There is no key ${key}; upper and lower case count\nThose of an organisation: npm run admin -- keys list <organisation>`,
        );
      }),
    format: ({ prefix: key, name, organisation, revokedAt, now, liveShares }) =>
      (now
        ? `Revoked ${name} (${key}) of ${organisation}.`
        : `${name} (${key}) of ${organisation} was revoked before, on ${moment(revokedAt)}.`) +
      (liveShares === 0
        ? ''
        : `\nPublic links that it made hold on: ${liveShares}\nTo end them: npm run admin -- shares list ${organisation}, then shares revoke`),
    logFields: ({ prefix: key, organisation, now }) => (now ? { organisation, prefix: key } : null),
  }),
];
