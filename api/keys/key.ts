import { z } from 'zod';
import type { KeyRow } from '../../sql/org/keys.ts';

/** Keys as their organisation sees them: without the hash of their secret. */

export type KeyState = 'live' | 'expired' | 'revoked';

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
  })
  .meta({ id: 'Key' });

export const shownKey = (key: KeyRow): z.infer<typeof keyShape> => {
  const { id: _, secretHash: __, ...shown } = key;
  return { ...shown, state: stateOf(key) };
};

export function stateOf({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}
