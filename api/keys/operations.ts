import { z } from 'zod';
import { makeApiKey } from '../../sql/org/api-key.ts';
import { type KeyRow, keyRow, keysOf, revocationRow, revokeKey } from '../../sql/org/keys.ts';
import { organisationToChange } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import { userRow, usersOf } from '../../sql/org/users.ts';
import { operation } from '../operation/operation.ts';
import { Problem, violated } from '../problem/problem.ts';
import { mustBeAmong } from '../wire/among.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { quoted } from '../wire/quoted.ts';
import { keyShape, shownKey, stateOf } from './key.ts';
import { storeKey } from './store-key.ts';

/** An organisation has keys made for its users, and ends them. */

/** More keys than programs and people of an organisation need at once, and in years: none is ever taken out of the list. */
const MAX_LIVE_KEYS = 200;
const MAX_KEYS = 5000;

const MAX_SCOPES = 100;

/** The key, and the user, that examples name. */
export const EXAMPLE_PREFIX = 'Xk29fQz1';
export const EXAMPLE_USER = 'anna';

export const listKeys = operation({
  id: 'keys.list',
  method: 'GET',
  path: '/v1/keys',
  summary: 'The keys of the organisation, never their secrets',
  access: 'api',
  scope: 'keys:read',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({ data: z.array(keyShape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ caller, records }) {
    const keys = await records((session) => session.rows(keyRow, keysOf(caller.organisation.id)));
    return { body: { data: keys.map(shownKey), meta: { count: keys.length } } };
  },
});

export const createKey = operation({
  id: 'keys.create',
  method: 'POST',
  path: '/v1/keys',
  summary: 'A new key for a user of the organisation; it is shown once',
  description:
    'A key cannot give what it does not have: the new one may do at most what the calling one may, for as long at most. It is wanted by an ' +
    `owner or admin of the organisation. At most ${MAX_LIVE_KEYS} keys are live at once. Only the hash of the key is kept, so ` +
    'the answer cannot be given again: there is no Idempotency-Key.',
  access: 'api',
  scope: 'keys:write',
  cost: 'mutation',
  source: 'service',
  body: z.strictObject({
    name: line(NAME_LENGTH).describe('What the key is for'),
    scopes: z
      .array(z.string('must be a text'))
      .min(1, 'must name at least one scope')
      .max(MAX_SCOPES, `must not name more than ${MAX_SCOPES} scopes`)
      .describe('What it may do: scopes of the calling key'),
    createdBy: z.string('must be a text').describe('External id of the owner or admin who wants it'),
    environment: z
      .enum(['live', 'test'], 'must be live or test')
      .optional()
      .describe('For people to tell keys apart; default: live'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2027-01-31T18:00:00Z' })
      .optional()
      .describe('When it stops working; default: never'),
  }),
  answer: z.strictObject({
    data: keyShape.extend({ key: z.string().describe('The whole key') }).meta({ id: 'NewKey' }),
    meta: z.strictObject({ keyShownOnce: z.literal(true) }),
  }),
  status: 201,
  problems: ['UNPROCESSABLE'],
  example: { body: { name: 'Schlüsselverwaltung', scopes: ['keys:write'], createdBy: EXAMPLE_USER } },
  async handle({ body, caller, records }) {
    const { name, environment = 'live', createdBy } = body;
    const scopes = [...new Set(body.scopes)];
    mustBeAmong('scopes', scopes, [...caller.key.scopes], 'which the calling key does not have');
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt).toISOString();
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw fault('expiresAt', 'must lie ahead');
    const { id: organisationId } = caller.organisation;
    const made = makeApiKey(environment);
    const row = await records(async (session) => {
      // Other calls that make keys wait here, and then count this one.
      await session.run(organisationToChange(organisationId));
      const present = await session.rows(keyRow, keysOf(organisationId));
      mustNotOutlive(expiresAt, present.find(({ id }) => id === caller.key.id)?.expiresAt ?? null);
      await mustBeOwnerOrAdmin(session, organisationId, createdBy);
      mustHaveRoom(present);
      return storeKey(session, organisationId, made, { name, scopes, createdBy, expiresAt });
    });
    return { body: { data: { ...shownKey(row), key: made.text }, meta: { keyShownOnce: true } } };
  },
});

export const removeKey = operation({
  id: 'keys.delete',
  method: 'DELETE',
  path: '/v1/keys/{prefix}',
  summary: 'Revoke a key for good',
  description:
    'Within a second no instance takes it any more. It stays in the list; one that was revoked before is answered alike. A key can ' +
    'revoke itself.',
  pathParameters: z.strictObject({
    prefix: z.string().describe('Prefix of the key, from GET /v1/keys; never the key'),
  }),
  access: 'api',
  scope: 'keys:write',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  answer: z.strictObject({
    data: z.null(),
    meta: z.strictObject({
      revoked: z.string().describe('Prefix of the key'),
      revokedAt: z.iso.datetime(),
      liveShares: z
        .int()
        .describe(
          'Public links that it made and that hold on; GET /v1/shares lists them with `keyPrefix`, DELETE ends one',
        ),
    }),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { prefix: EXAMPLE_PREFIX } },
  async handle({ path, records }) {
    const revoked = await records((session) => session.row(revocationRow, revokeKey(path.prefix)));
    if (revoked === null) {
      const detail =
        'The organisation has no key with this prefix; GET /v1/keys lists them, and upper and lower case count';
      throw new Problem('NOT_FOUND', detail);
    }
    const { prefix, revokedAt, liveShares } = revoked;
    return { body: { data: null, meta: { revoked: prefix, revokedAt, liveShares } } };
  },
});

const fault = (member: string, message: string): Problem =>
  violated([{ pointer: `#/${member}`, code: 'UNPROCESSABLE', detail: `${member} ${message}` }]);

/** @throws Problem UNPROCESSABLE for a key that would work for longer than the one that makes it */
function mustNotOutlive(expiresAt: string | null, end: string | null): void {
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw fault('expiresAt', `must not lie behind ${end}, when the calling key ends`);
}

/** @throws Problem UNPROCESSABLE when the organisation has as many keys as it may have */
function mustHaveRoom(present: readonly KeyRow[]): void {
  const live = present.filter((key) => stateOf(key) === 'live').length;
  if (live >= MAX_LIVE_KEYS) {
    const detail = `The organisation has ${live} live keys, and at most ${MAX_LIVE_KEYS} are allowed; revoke one first`;
    throw new Problem('UNPROCESSABLE', detail);
  }
  if (present.length >= MAX_KEYS) {
    throw new Problem(
      'UNPROCESSABLE',
      `The organisation has had ${present.length} keys; the operator makes further ones`,
    );
  }
}

/** @throws Problem UNPROCESSABLE for somebody who may not have keys made */
async function mustBeOwnerOrAdmin(session: Session, organisationId: string, user: string): Promise<void> {
  const users = await session.rows(userRow, usersOf(organisationId));
  const found = users.find(({ externalId }) => externalId === user);
  if (found === undefined) {
    throw fault('createdBy', `names ${quoted(user)}, which is no user of the organisation`);
  }
  if (found.role === 'member') {
    throw fault('createdBy', 'names a member of the organisation: only its owners and admins may have keys made');
  }
}
