import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CiphertextDamaged,
  currentKey,
  decrypt,
  encrypt,
  encryptionKey,
  KeyMissing,
  newEncryptionKey,
} from '../../../sql/org/encryption.ts';
import { cases } from '../../support/cases.ts';

const PLACE = { organisationId: 'werk', rowId: '1', column: 'email' };

const newKeys = () => [encryptionKey(newEncryptionKey())];

describe('encryption of values of the store', () => {
  test('whatever is encrypted comes back, and never twice as the same text', () => {
    const keys = newKeys();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [one, other] = [encrypt(keys, text, PLACE), encrypt(keys, text, PLACE)];
        expect(one).not.toBe(other);
        expect(decrypt(keys, currentKey(keys).id, one, PLACE)).toBe(text);
      }),
      { numRuns: cases(50) },
    );
  });

  test('the first key encrypts, and each decrypts what it has encrypted', () => {
    const [older, newer] = [newKeys(), newKeys()];
    const before = encrypt(older, 'vorher', PLACE);
    const both = [...newer, ...older];
    expect(decrypt(both, currentKey(older).id, before, PLACE)).toBe('vorher');
    expect(decrypt(newer, currentKey(both).id, encrypt(both, 'nachher', PLACE), PLACE)).toBe('nachher');
    expect(() => decrypt(newer, currentKey(older).id, before, PLACE)).toThrow(KeyMissing);
  });

  test.each([
    ['another organisation', { ...PLACE, organisationId: 'hof' }],
    ['another row', { ...PLACE, rowId: '2' }],
    ['another column', { ...PLACE, column: 'telephone' }],
    ['a place whose names are split otherwise', { ...PLACE, organisationId: 'werk","1', rowId: '' }],
  ])('a ciphertext cannot be moved to %s', (_, elsewhere) => {
    const keys = newKeys();
    const encrypted = encrypt(keys, 'anna@werk.example', PLACE);
    expect(() => decrypt(keys, currentKey(keys).id, encrypted, elsewhere)).toThrow(CiphertextDamaged);
  });

  test('one bit of damage is found, and so is a text that is too short to be one', () => {
    const keys = newKeys();
    const bytes = Buffer.from(encrypt(keys, 'anna@werk.example', PLACE), 'base64');
    for (const index of bytes.keys()) {
      const damaged = Buffer.from(bytes);
      damaged[index]! ^= 1;
      const read = () => decrypt(keys, currentKey(keys).id, damaged.toString('base64'), PLACE);
      expect(read).toThrow(CiphertextDamaged);
    }
    for (const length of [0, 12, 20, 28]) {
      const read = () => decrypt(keys, currentKey(keys).id, bytes.toString('base64', 0, length), PLACE);
      expect(read).toThrow(CiphertextDamaged);
    }
  });

  test('the id of a key says nothing about it, and is the same each time', () => {
    const text = newEncryptionKey();
    const { id } = encryptionKey(text);
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(encryptionKey(text).id).toBe(id);
    expect(Buffer.from(text, 'base64').toString('hex')).not.toContain(id);
  });

  test('a key of another length is none', () => {
    expect(() => encryptionKey(Buffer.alloc(16).toString('base64'))).toThrow('has 32 bytes, not 16');
  });
});
