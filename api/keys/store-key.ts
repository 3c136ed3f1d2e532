import { randomUUIDv7 } from 'node:crypto';
import { type ApiKeyText, hashSecret } from '../../sql/org/api-key.ts';
import { type KeyRow, putKeys } from '../../sql/org/keys.ts';
import type { Session } from '../../sql/org/store.ts';

type Draft = Pick<KeyRow, 'name' | 'scopes' | 'createdBy' | 'expiresAt'>;

/** Stores a new key. Only `made` has its text, since the store keeps a hash. */
export async function storeKey(
  session: Session,
  organisationId: string,
  made: ApiKeyText,
  draft: Draft,
): Promise<KeyRow> {
  const row: KeyRow = {
    id: randomUUIDv7(),
    prefix: made.prefix,
    environment: made.environment,
    secretHash: hashSecret(made.secret),
    ...draft,
    createdAt: new Date().toISOString(),
    revokedAt: null,
  };
  await session.run(putKeys(organisationId, [row]));
  return row;
}
