import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Condition } from '../../sql/query/conditions.ts';
import { tokenSigner } from './signed-token.ts';

/** The content of a sync token: its holder has read these versions with these filters, each unit from one of them. */
export interface SyncState {
  /** Ids of the versions that the pages of the list were read from. */
  readonly versions: readonly string[];
  readonly filters: string;
  /** Day of the last page, YYYY-MM-DD. It has no time, so that equal queries on one day have equal answers. */
  readonly day: string;
}

const stateShape = z.object({ versions: z.array(z.string()).min(1), filters: z.string(), day: z.iso.date() });

export interface SyncTokenSigner {
  sign(state: SyncState): string;
  /** Returns the state, or null when this service has not issued exactly this token. */
  verify(token: string): SyncState | null;
}

export function syncTokenSigner(key: string): SyncTokenSigner {
  const { sign, verify } = tokenSigner('sync token', key);
  return {
    sign: ({ versions, ...rest }) => sign({ versions: [...new Set(versions)].sort(), ...rest }),
    verify(token) {
      const content = verify(token);
      return content === undefined ? null : stateShape.parse(content);
    },
  };
}

/** Digest of the filters of a token, without form and order of the answer. */
export const filtersDigest = (conditions: readonly Condition[]): string =>
  createHash('sha256')
    .update(JSON.stringify(conditions.map(({ filter, value }) => [filter.name, value])))
    .digest('base64url')
    .slice(0, 16);

const DAYS_VALID = 30;

/** Returns true when the token is still valid on a day. */
export const isValidOn = (today: string, { day }: SyncState): boolean =>
  Date.parse(today) - Date.parse(day) <= DAYS_VALID * 86_400_000;
