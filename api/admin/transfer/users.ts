import { z } from 'zod';

import { sql } from '../../../sql/org/statement.ts';
import { putUsers, type UserRow, userRow, usersOf } from '../../../sql/org/users.ts';
import { email } from '../../wire/email.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { externalId, role, timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { section } from './section.ts';

export const users = section<UserRow>({
  name: 'users',
  shape: z.strictObject({
    id: uuid(),
    externalId: externalId(),
    name: line(NAME_LENGTH),
    email: email().nullable(),
    role: role(),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'externalId',
  defaults: (now) => ({ email: null, createdAt: now, updatedAt: now }),
  read: (session, organisationId) => session.rows(userRow, usersOf(organisationId)),
  async write(session, organisationId, items) {
    await session.run(putUsers(organisationId, items));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM users WHERE id = ANY (${ids}::uuid[])`),
});
