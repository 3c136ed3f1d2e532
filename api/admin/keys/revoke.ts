import { z } from 'zod';
import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import { revocationRow, revokeKey } from '../../../sql/org/keys.ts';
import { adminCommand } from '../common/admin-command.ts';
import { moment } from '../common/text-table.ts';

/** The part of a key before its prefix may be typed too. The part after it is the secret and is refused. */
const prefix = z
  .string()
  .regex(
    /^(mds_(live|test)_)?[0-9A-Za-z]{8}$/,
    'must be the eight characters that `keys list` shows; never type a whole key, command lines are kept and seen',
  )
  .transform((text) => text.slice(-8));

export const revokeKeyCommand = adminCommand({
  name: 'keys revoke',
  summary: 'end a key, for good: within a second no instance takes it any more',
  examples: ['Xk29fQz1'],
  parameters: { prefix: argument('the eight characters that `keys list` shows', prefix) },
  run: (store, { prefix: key }) =>
    store.asOperator(async (session) => {
      const revoked = await session.row(revocationRow, revokeKey(key));
      if (revoked !== null) return revoked;
      throw refused(
        `There is no key ${key}; upper and lower case count\nThose of an organisation: npm run admin -- keys list <organisation>`,
      );
    }),
  format: ({ prefix: key, name, organisation, revokedAt, now }) =>
    now
      ? `Revoked ${name} (${key}) of ${organisation}.`
      : `${name} (${key}) of ${organisation} was revoked before, on ${moment(revokedAt)}.`,
  logFields: ({ prefix: key, organisation, now }) => (now ? { organisation, prefix: key } : null),
});
