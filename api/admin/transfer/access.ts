import { z } from 'zod';
import { keyOwnerRow, keyRow, keysOf, ownersOfKeys, putKeys } from '../../../sql/org/keys.ts';
import { sql } from '../../../sql/org/statement.ts';
import { putUsers, userRow, usersOf } from '../../../sql/org/users.ts';
import { email } from '../../wire/email.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import type { Asked } from '../common/organisation-command.ts';
import { externalId } from '../common/schemas.ts';
import { rowSection, unknownNames } from './section.ts';

/** Who belongs to the organisation, and what may call in its name. */

export const users = rowSection({
  ...{ name: 'users', table: sql`users`, key: 'externalId', row: userRow, all: usersOf, put: putUsers },
  members: { externalId: externalId(), name: line(NAME_LENGTH), email: email().nullable() },
  defaults: { email: null },
});

/** External ids of the users that the organisation has. */
export const userNames = async ({ session, organisation }: Asked): Promise<ReadonlySet<string>> =>
  new Set((await session.rows(userRow, usersOf(organisation.id))).map((user) => user.externalId));

export const NO_USER = 'who is no user';

const SECRET_MEMBERS = ['environment', 'secretHash'] as const;

/** Keys have prefix and hash in a document, so they work in another store, but the document itself gives no access. */
export const keys = rowSection({
  ...{ name: 'keys', table: sql`api_keys`, key: 'prefix', row: keyRow, all: keysOf, put: putKeys },
  members: {
    prefix: z.string().regex(/^[0-9A-Za-z]{8}$/, 'must be eight letters and digits'),
    secretHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal'),
    name: line(NAME_LENGTH),
    // Scopes of an older release are kept; /v1/me shows its caller that they grant nothing.
    scopes: z.array(z.string().regex(/^[a-z_]+:[a-z_]+$/, 'must be a scope such as units:read')),
    createdBy: externalId().nullable(),
  },
  defaults: { createdBy: null, expiresAt: null, revokedAt: null },
  // An older document must not revive a revoked key.
  merge: (present, updated) => ({ ...updated, revokedAt: present.revokedAt ?? updated.revokedAt }),
  async rules(place, pairs) {
    const fresh = pairs.filter(({ present }) => present === null).map(({ updated }) => updated.prefix);
    const others = await place.session.rows(keyOwnerRow, ownersOfKeys(fresh));
    const owners = new Map(others.map(({ prefix, organisation }) => [prefix, organisation]));
    const known = await userNames(place);
    return (key, present) => [
      owners.has(key.prefix) && [`is the prefix of a key of another organisation, ${owners.get(key.prefix)}`, 'prefix'],
      ...SECRET_MEMBERS.map((member) => {
        const isOther = present !== null && key[member] !== present[member];
        const message = `is not that of the key ${key.prefix} which the store has; a key never changes its secret`;
        return isOther && ([message, member] as const);
      }),
      ...unknownNames([key.createdBy], known, NO_USER, 'createdBy'),
    ];
  },
});
