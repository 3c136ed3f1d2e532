import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CiphertextDamaged, encryptionKey, KeyMissing, newEncryptionKey } from '../../../sql/org/encryption.ts';
import type { EndpointRow } from '../../../sql/org/webhooks/endpoints.ts';
import { endpointEncryptedAnew } from '../../../sql/org/webhooks/rekey.ts';
import { isSecret, makeSecret, rotated, sealedSecret, signingSecrets } from '../../../sql/org/webhooks/secrets.ts';

/** Secrets of endpoints: their form, the time for which they sign, and the keys that encrypt them. */

const secretOf = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('a secret', () => {
  test.each(Array.from({ length: 41 }, (_, index) => index + 24))('of %i bytes is one', (bytes) => {
    expect(isSecret(secretOf(bytes))).toBe(true);
  });

  test.each([0, 1, 16, 21, 22, 23, 65, 66, 67, 68, 96])('of %i bytes is none', (bytes) => {
    expect(isSecret(secretOf(bytes))).toBe(false);
  });

  const good = `whsec_${Buffer.alloc(25, 7).toString('base64')}`;
  test.each([
    ['without its prefix', good.slice(6)],
    ['with another prefix', good.replace('whsec_', 'WHSEC_')],
    ['without its padding', good.replaceAll('=', '')],
    ['with a line break', `${good}\n`],
    ['with a blank', `${good.slice(0, 12)} ${good.slice(12)}`],
    ['in the alphabet of URLs', `whsec_${Buffer.alloc(24, 251).toString('base64url')}`],
    ['with bits that stand for nothing', good.replace(/.==$/, 'x==')],
  ])('%s is none', (_, text) => {
    expect(isSecret(good)).toBe(true);
    expect(isSecret(text)).toBe(false);
  });

  test('that the service makes is valid, and never the same', () => {
    const made = Array.from({ length: 50 }, makeSecret);
    expect(made.every(isSecret)).toBe(true);
    expect(new Set(made).size).toBe(50);
  });
});

const [key, other] = [encryptionKey(newEncryptionKey()), encryptionKey(newEncryptionKey())];
const OWN = { id: '0199c2a4-7c1b-7d52-9f0e-000000000001', organisationId: '0199c2a4-7c1b-7d52-9f0e-000000000002' };
const [first, second, third] = [makeSecret(), makeSecret(), makeSecret()];

const row: EndpointRow = {
  ...OWN,
  url: 'https://empfang.example/',
  description: '',
  eventTypes: null,
  schemaVersion: 1,
  disabled: false,
  disabledReason: null,
  disabledAt: null,
  ...sealedSecret(OWN, first, [key]),
  previousSecret: null,
  previousSecretKeyId: null,
  previousSecretUntil: null,
  failingSince: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

const at = (text: string): Date => new Date(text);
const rotation = at('2026-11-02T12:00:00.000Z');

describe('a delivery is signed', () => {
  test('by the only secret', () => {
    expect(signingSecrets(row, [key], rotation)).toEqual([first]);
  });

  test('by the new one and the one before, for exactly a day after a rotation', () => {
    const turned = rotated(row, second, [key], rotation);
    expect(signingSecrets(turned, [key], rotation)).toEqual([second, first]);
    expect(signingSecrets(turned, [key], at('2026-11-03T11:59:59.999Z'))).toEqual([second, first]);
    expect(signingSecrets(turned, [key], at('2026-11-03T12:00:00.000Z'))).toEqual([second]);
  });

  test('by the last two secrets when the endpoint is rotated twice', () => {
    const twice = rotated(rotated(row, second, [key], rotation), third, [key], at('2026-11-02T13:00:00.000Z'));
    expect(signingSecrets(twice, [key], at('2026-11-02T14:00:00.000Z'))).toEqual([third, second]);
    expect(signingSecrets(twice, [key], at('2026-11-03T12:30:00.000Z'))).toEqual([third, second]);
  });

  test('by the same secrets after they got another key, whichever had encrypted them', () => {
    const turned = rotated(row, second, [other, key], rotation);
    expect([turned.secretKeyId, turned.previousSecretKeyId]).toEqual([other.id, other.id]);
    const anew = endpointEncryptedAnew(turned, [key, other]);
    expect([anew.secretKeyId, anew.previousSecretKeyId]).toEqual([key.id, key.id]);
    expect(signingSecrets(anew, [key], rotation)).toEqual([second, first]);
    expect(anew.updatedAt).toBe(turned.updatedAt);
  });

  test('not at all when the key is missing, of which the error only names the id', () => {
    expect(() => signingSecrets(row, [other], rotation)).toThrow(KeyMissing);
    expect(() => signingSecrets(row, [other], rotation)).toThrow(key.id);
    const turned = rotated(row, second, [other, key], rotation);
    const mixed = { ...turned, previousSecret: row.secret, previousSecretKeyId: row.secretKeyId };
    expect(() => signingSecrets(mixed, [other], rotation)).toThrow(KeyMissing);
    // Once the former secret no longer signs, the key that encrypts it does not matter.
    expect(signingSecrets(mixed, [other], at('2026-11-04T00:00:00.000Z'))).toEqual([second]);
  });
});

test('a ciphertext does not move: not to another endpoint, organisation or column', () => {
  const turned = rotated(row, second, [key], rotation);
  const swapped = { ...turned, secret: turned.previousSecret ?? '', previousSecret: turned.secret };
  for (const moved of [{ ...row, id: OWN.organisationId }, { ...row, organisationId: OWN.id }, swapped]) {
    expect(() => signingSecrets(moved, [key], rotation)).toThrow(CiphertextDamaged);
  }
});
