import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SecretFileRefused } from '../../../api/secrets/secret-file.ts';
import { signingKey } from '../../../api/secrets/signing-key.ts';
import { readSettings } from '../../../runtime/settings.ts';

test('SIGNING_KEY takes precedence', () => {
  const key = 'x'.repeat(32);
  expect(signingKey(readSettings({ SIGNING_KEY: key, STATE_DIR: '/nowhere' }))).toBe(key);
});

test('processes that start at once agree on one key, readable by its owner only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signing-key-'));
  const script = `import { signingKey } from ${JSON.stringify(new URL('../../../api/secrets/signing-key.ts', import.meta.url))};
    process.stdout.write(signingKey({ SIGNING_KEY: null, STATE_DIR: ${JSON.stringify(folder)} }));`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script]);
  const keys = (await Promise.all([start(), start(), start(), start()])).map(({ stdout }) => stdout);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(folder)).toEqual(['signing-key']);
  expect(statSync(join(folder, 'signing-key')).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
});

test.each([
  [
    'is empty',
    (file: string) => writeFileSync(file, '\n'),
    /signing-key holds nothing where a secret of at least 32 belongs/,
  ],
  ['is too short', (file: string) => writeFileSync(file, 'short\n'), /signing-key holds 5 characters where a secret/],
  ['is no file', (file: string) => mkdirSync(file), /^The signing key cannot be read \(EISDIR/],
])('a file that %s is refused with what to do', (_, make, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'signing-key-'));
  make(join(folder, 'signing-key'));
  const read = () => signingKey(readSettings({ STATE_DIR: folder }));
  expect(read).toThrow(SecretFileRefused);
  expect(read).toThrow(said);
  rmSync(folder, { recursive: true });
});
