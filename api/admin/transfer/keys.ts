import { z } from 'zod';
import { type KeyRow, keyOwnerRow, keyRow, keysOf, ownersOfKeys, putKeys } from '../../../sql/org/keys.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { userRow, usersOf } from '../../../sql/org/users.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { externalId, timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { type Fault, type Pair, section } from './section.ts';

/** Keys have prefix and hash in a document, so they work in another store, but the document itself gives no access. */
export const keys = section<KeyRow>({
  name: 'keys',
  shape: z.strictObject({
    id: uuid(),
    prefix: z.string().regex(/^[0-9A-Za-z]{8}$/, 'must be eight letters and digits'),
    environment: z.enum(['live', 'test'], 'must be live or test'),
    secretHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal'),
    name: line(NAME_LENGTH),
    // Scopes of an older release are kept; /v1/me shows its caller that they grant nothing.
    scopes: z.array(z.string().regex(/^[a-z_]+:[a-z_]+$/, 'must be a scope such as units:read')),
    createdBy: externalId().nullable(),
    createdAt: timestampOption(),
    expiresAt: timestampOption().nullable(),
    revokedAt: timestampOption().nullable(),
  }),
  key: 'prefix',
  defaults: (now) => ({ createdBy: null, createdAt: now, expiresAt: null, revokedAt: null }),
  read: (session, organisationId) => session.rows(keyRow, keysOf(organisationId)),
  async write(session, organisationId, items) {
    await session.run(putKeys(organisationId, items));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM api_keys WHERE id = ANY (${ids}::uuid[])`),
  // An older document must not revive a revoked key.
  merge: (present, updated) => ({ ...updated, revokedAt: present.revokedAt ?? updated.revokedAt }),
  faults: async (session, organisationId, pairs) => [
    ...(await keysOfOthers(session, pairs)),
    ...pairs.flatMap(changedSecret),
    ...(await unknownCreators(session, organisationId, pairs)),
  ],
});

async function keysOfOthers(session: Session, pairs: readonly Pair<KeyRow>[]): Promise<Fault[]> {
  const fresh = pairs.filter(({ present }) => present === null);
  const rows = await session.rows(keyOwnerRow, ownersOfKeys(fresh.map(({ updated }) => updated.prefix)));
  const owners = new Map(rows.map(({ prefix, organisation }) => [prefix, organisation]));
  return fresh.flatMap(({ index, updated }) => {
    const owner = owners.get(updated.prefix);
    if (owner === undefined) return [];
    return [{ path: ['keys', index, 'prefix'], message: `is the prefix of a key of another organisation, ${owner}` }];
  });
}

function changedSecret({ index, updated, present }: Pair<KeyRow>): Fault[] {
  if (present === null) return [];
  const different = (['environment', 'secretHash'] as const).filter((member) => updated[member] !== present[member]);
  return different.map((member) => ({
    path: ['keys', index, member],
    message: `is not that of the key ${present.prefix} which the store has; a key never changes its secret`,
  }));
}

async function unknownCreators(
  session: Session,
  organisationId: string,
  pairs: readonly Pair<KeyRow>[],
): Promise<Fault[]> {
  const known = new Set((await session.rows(userRow, usersOf(organisationId))).map((user) => user.externalId));
  return pairs.flatMap(({ index, updated: { createdBy } }) =>
    createdBy === null || known.has(createdBy)
      ? []
      : [{ path: ['keys', index, 'createdBy'], message: `names ${createdBy}, who is no user of the organisation` }],
  );
}
