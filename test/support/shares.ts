import { randomUUIDv7 } from 'node:crypto';
import type { ShareRow } from '../../sql/org/shares.ts';

/** A public link as the store has it. */
export const shareFixture = (choices: Partial<ShareRow> = {}): ShareRow => ({
  id: randomUUIDv7(),
  name: 'Zubau in Bayern',
  page: 'zeitreihe',
  query: 'region=bundesland%3ABayern',
  frameAncestors: [],
  keyPrefix: 'Xk29fQz1',
  createdAt: '2026-11-01T08:00:00.000Z',
  endsOn: '2027-01-31',
  revokedAt: null,
  views: 0,
  calls: 0,
  lastUsedAt: null,
  ...choices,
});
