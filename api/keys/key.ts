import { z } from 'zod';
import { type KeyRow, keyRow, keysOf, lastUseRow, lastUses } from '../../sql/org/keys.ts';
import type { Session } from '../../sql/org/store.ts';

/** Keys as their organisation sees them: without the hash of their secret. */

/** A key without the hash of its secret. */
export type ListedKey = Omit<KeyRow, 'secretHash'> & {
  readonly state: 'live' | 'expired' | 'revoked';
  /** Null when the audit log has no call with the key. */
  readonly lastUsedAt: string | null;
};

export const keyShape = z
  .strictObject({
    prefix: z.string().describe('By which logs, the audit log and these operations name the key; no secret'),
    name: z.string().describe('What the key is for'),
    environment: z.enum(['live', 'test']).describe('For people to tell keys apart; both do the same'),
    scopes: z.array(z.string()).describe('What the key may do; they never change'),
    createdBy: z.string().nullable().describe('External id of the user who wants it; null: the operator'),
    state: z.enum(['live', 'expired', 'revoked']),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('As far back as the audit log goes; null: no call is known'),
  })
  .meta({ id: 'Key' });

export const shownKey = ({ id: _, ...key }: ListedKey): z.infer<typeof keyShape> => key;

/** The keys of an organisation, oldest first. */
export async function keysWithUse(session: Session, organisationId: string): Promise<ListedKey[]> {
  const uses = await session.rows(lastUseRow, lastUses(organisationId));
  const lastUse = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  return (await session.rows(keyRow, keysOf(organisationId))).map((key) => listed(key, lastUse.get(key.id) ?? null));
}

export const listed = ({ secretHash: _, ...key }: KeyRow, lastUsedAt: string | null): ListedKey => ({
  ...key,
  state: stateOf(key),
  lastUsedAt,
});

export function stateOf({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>): ListedKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}
