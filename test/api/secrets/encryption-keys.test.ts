import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addKey, dropOlderKeys, keyFile, openKeyring } from '../../../api/secrets/encryption-keys.ts';
import { SecretFileRefused } from '../../../api/secrets/secret-file.ts';
import { readSettings, type Settings } from '../../../runtime/settings.ts';
import { encryptionKey, newEncryptionKey } from '../../../sql/org/encryption.ts';

let folder: string;
let settings: Settings;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encryption-key-'));
  settings = readSettings({ STATE_DIR: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

const ids = () =>
  openKeyring(settings)
    .keys()
    .map(({ id }) => id);

test('a key is made once, in a file that only its owner can read', () => {
  const [id] = ids();
  expect(ids()).toEqual([id]);
  expect(readdirSync(folder)).toEqual(['encryption-key']);
  expect(statSync(keyFile(settings)).mode & 0o777).toBe(0o600);
});

test('ENCRYPTION_KEYS takes precedence, and needs no file', () => {
  const keys = [newEncryptionKey(), newEncryptionKey()];
  settings = readSettings({ STATE_DIR: folder, ENCRYPTION_KEYS: keys.join(', ') });
  expect(ids()).toEqual(keys.map((key) => encryptionKey(key).id));
  expect(readdirSync(folder)).toEqual([]);
});

test('an open keyring sees a key that is added, and no longer those that are dropped', () => {
  const keyring = openKeyring(settings);
  const [first] = keyring.keys();
  addKey(keyFile(settings));
  const [added, ...others] = keyring.keys();
  expect(others.map(({ id }) => id)).toEqual([first!.id]);
  expect(added!.id).not.toBe(first!.id);
  dropOlderKeys(keyFile(settings));
  expect(keyring.keys().map(({ id }) => id)).toEqual([added!.id]);
  expect(readdirSync(folder)).toEqual(['encryption-key']);
  expect(statSync(keyFile(settings)).mode & 0o777).toBe(0o600);
});

test.each([
  ['is empty', '\n'],
  ['has something else in a line', `${newEncryptionKey()}\nhunter2\n`],
])('a file that %s is refused, and stays as it is', (_, content) => {
  writeFileSync(keyFile(settings), content);
  expect(ids).toThrow(SecretFileRefused);
  expect(ids).toThrow(/encryption-key must hold keys of 32 bytes in base64, one in a line. Bring the file back/);
  expect(ids).not.toThrow(/hunter2/);
  expect(readFileSync(keyFile(settings), 'utf8')).toBe(content);
});

test('keys of another length are no settings, and are not repeated', () => {
  const read = () => readSettings({ ENCRYPTION_KEYS: `${newEncryptionKey()},hunter2` });
  expect(read).toThrow(/ENCRYPTION_KEYS: the value must list keys of 32 bytes in base64/);
  expect(read).not.toThrow(/hunter2/);
});
