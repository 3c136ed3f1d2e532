import { z } from 'zod';
import { parseApiKey } from '../../sql/org/api-key.ts';
import { type Operation, publicOperation } from '../operation/operation.ts';
import { violated } from '../problem/problem.ts';

/** Signing in to the pages under /app, and out: what the pages send when somebody has typed a key, or leaves. */

const common = {
  path: '/app/session',
  cost: 'cheap',
  source: 'service',
  answer: z.strictObject({ data: z.strictObject({ signedIn: z.boolean() }), meta: z.strictObject({}) }),
} as const;

const signIn = publicOperation({
  ...common,
  id: 'app.sign-in',
  method: 'POST',
  summary: 'Keep a key for all tabs of the browser, in a cookie that scripts cannot read',
  body: z.strictObject({ key: z.string('must be a text').max(200, 'must have at most 200 characters') }),
  example: { body: { key: 'mds_test_example' } },
  async handle({ body: { key }, service: { appSession } }) {
    // Whether it is anybody's key is not looked up here, so that nobody can try keys here either.
    if (parseApiKey(key) === null) {
      const detail = 'key is not complete or mistyped: its form or its checksum is wrong';
      throw violated([{ pointer: '#/key', code: 'INVALID_BODY', detail }]);
    }
    return { headers: { 'Set-Cookie': appSession.begin(key) }, body: { data: { signedIn: true }, meta: {} } };
  },
});

const signOut = publicOperation({
  ...common,
  id: 'app.sign-out',
  method: 'DELETE',
  summary: 'Forget the key that the browser keeps',
  async handle({ service: { appSession } }) {
    return { headers: { 'Set-Cookie': appSession.end }, body: { data: { signedIn: false }, meta: {} } };
  },
});

export const SESSION_OPERATIONS: readonly Operation[] = [signIn, signOut];
