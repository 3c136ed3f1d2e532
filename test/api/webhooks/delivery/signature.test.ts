import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../../../api/webhooks/delivery/signature.ts';

/** The example of the specification of Standard Webhooks, which every library is tested with. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1614265330 * 1000),
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const newSecret = (bytes = 32): string => `whsec_${randomBytes(bytes).toString('base64')}`;

const message = (...secrets: string[]) => ({ id: 'evt_1', body: '{"wo":"Görlitz 🌬"}', secrets });

/** The package takes plain objects with an index. */
const signed = (...secrets: string[]): Record<string, string> => ({
  ...signatureHeaders(message(...secrets), new Date()),
});

test('the published example gives the published signature', () => {
  const { id, body, secret, at } = PUBLISHED;
  expect(signatureHeaders({ id, body, secrets: [secret] }, at)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': PUBLISHED.signature,
  });
});

test('the time is that of whole seconds, rounded down', () => {
  const headers = signatureHeaders(message(newSecret()), new Date(1614265330_999));
  expect(headers['webhook-timestamp']).toBe('1614265330');
});

describe('the package standardwebhooks', () => {
  test.each([24, 32, 64])('verifies a message signed with a secret of %i bytes', (bytes) => {
    const secret = newSecret(bytes);
    expect(new Webhook(secret).verify(message().body, signed(secret))).toEqual(JSON.parse(message().body));
  });

  test('verifies a message of two secrets with each of them', () => {
    const [current, previous] = [newSecret(), newSecret()];
    const headers = signed(current, previous);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [current, previous]) new Webhook(secret).verify(message().body, headers);
  });

  test.each([
    ['another secret', (headers: Record<string, string>) => ({ secret: newSecret(), body: message().body, headers })],
    ['another body', (headers: Record<string, string>) => ({ body: `${message().body} `, headers })],
    ['another id', (headers: Record<string, string>) => ({ headers: { ...headers, 'webhook-id': 'evt_2' } })],
    [
      'another time',
      (headers: Record<string, string>) => ({
        headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      }),
    ],
  ])('refuses %s', (_what, change) => {
    const secret = newSecret();
    const changed = { secret, body: message().body, ...change(signed(secret)) };
    expect(() => new Webhook(changed.secret).verify(changed.body, changed.headers)).toThrow('No matching signature');
  });
});

test.each(['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_!!', 'whsec_AAAA'])(
  '%j signs nothing',
  (secret) => {
    expect(() => signatureHeaders(message(secret), new Date())).toThrow('is not whsec_ and 24 to 64 bytes');
  },
);
