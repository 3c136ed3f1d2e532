import { type KeyRow, keyRow, keysOf, lastUseRow, lastUses } from '../../../sql/org/keys.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type KeyState, stateOf } from '../../keys/key.ts';
import { SCOPE_NAMES } from './schemas.ts';
import { joined, moment, table } from './text-table.ts';

/** A key without the hash of its secret. */
export type ListedKey = Omit<KeyRow, 'secretHash'> & {
  readonly state: KeyState;
  /** Null when the audit log has no call with the key. */
  readonly lastUsedAt: string | null;
};

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
