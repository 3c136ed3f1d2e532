import { keyRow, keysOf } from '../../../sql/org/keys.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type ListedKey, stateOf } from '../../keys/key.ts';
import { SCOPE_NAMES } from './schemas.ts';
import { joined, moment, table } from './text-table.ts';

export const keyTable = (keys: readonly ListedKey[]): string =>
  table(
    ['key', 'for', 'name', 'state', 'made', 'by', 'expires', 'revoked', 'last used', 'scopes'],
    keys.map((key) => [
      key.prefix,
      key.environment,
      key.name,
      key.state,
      moment(key.createdAt),
      key.createdBy,
      moment(key.expiresAt),
      moment(key.revokedAt),
      moment(key.lastUsedAt),
      joined(key.scopes, SCOPE_NAMES),
    ]),
  );

/** Prefixes of the live keys that were made for a user. */
export async function liveKeysBy(session: Session, organisationId: string, user: string): Promise<string[]> {
  const keys = await session.rows(keyRow, keysOf(organisationId));
  return keys.filter((key) => key.createdBy === user && stateOf(key) === 'live').map(({ prefix }) => prefix);
}

/** Reminds the operator of keys that outlive the user's right to have them. */
export const liveKeysNote = ({
  user,
  liveKeys,
}: {
  readonly user: string;
  readonly liveKeys: readonly string[];
}): string =>
  liveKeys.length === 0
    ? ''
    : `Keys that ${user} has had made go on working: ${joined(liveKeys)}\n` +
      'To end one: npm run admin -- keys revoke <prefix>';
