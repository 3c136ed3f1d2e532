import { expect, test } from 'vitest';
import { mustHavePublicAddress, PublicAddressRefused } from '../../api/public-address.ts';
import { readSettings } from '../../runtime/settings.ts';

test.each(['0.0.0.0', '::', '0', '0::0'])('HOST=%s needs a BASE_URL', (HOST) => {
  expect(() => mustHavePublicAddress(readSettings({ HOST }))).toThrow(PublicAddressRefused);
  expect(() => mustHavePublicAddress(readSettings({ HOST }))).toThrow(/set BASE_URL, for example/);
  expect(() => mustHavePublicAddress(readSettings({ HOST, BASE_URL: 'https://energy.example.org' }))).not.toThrow();
});

test('a BASE_URL of that kind leads nowhere either', () => {
  expect(() => mustHavePublicAddress(readSettings({ BASE_URL: 'http://0.0.0.0:8080' }))).toThrow(PublicAddressRefused);
});

test.each(['127.0.0.1', '::1', 'localhost', '10.1.2.3', 'energy.internal'])('HOST=%s does not', (HOST) => {
  expect(() => mustHavePublicAddress(readSettings({ HOST }))).not.toThrow();
});
