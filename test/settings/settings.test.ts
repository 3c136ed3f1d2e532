import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeSettings, readSettings, SettingsError, today, warehouseFolder } from '../../sql/settings.ts';

describe('settings', () => {
  test('have defaults for everything', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      BASE_URL: 'http://127.0.0.1:8080',
      KEEP_VERSIONS: 3,
    });
    expect(warehouseFolder(settings)).toBe(`${settings.STATE_DIR}/warehouse`);
  });

  test('are derived from those above them', () => {
    const settings = readSettings({ HOST: '::1', PORT: '9000', STATE_DIR: '/srv/state' });
    expect(settings.BASE_URL).toBe('http://[::1]:9000');
    expect(settings.APP_URL).toBe('http://[::1]:9000/app');
    expect(warehouseFolder(settings)).toBe('/srv/state/warehouse');
  });

  test('an empty variable counts as not set, a slash at the end of an address does not count', () => {
    expect(readSettings({ PORT: '', BASE_URL: 'https://example.org/api/' })).toMatchObject({
      PORT: 8080,
      BASE_URL: 'https://example.org/api',
    });
  });

  test('every fault is told in one message', () => {
    const environment = {
      PORT: '80x',
      BASE_URL: 'ftp://example.org',
      TODAY: '2026-02-30',
      BAND_GROW: '-1',
      LOG_LEVEL: 'loud',
    };
    const read = () => readSettings(environment);
    expect(read).toThrow(SettingsError);
    for (const name of Object.keys(environment)) expect(read).toThrow(new RegExp(`^  ${name}: `, 'm'));
  });

  test('a secret that is not valid is not shown', () => {
    expect(() => readSettings({ SIGNING_KEY: 'hunter2' })).toThrow(/SIGNING_KEY: the value must have/);
    expect(() => readSettings({ SIGNING_KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });

  test('today is the German day, unless it is fixed', () => {
    const lateOnNewYearsEve = new Date('2026-12-31T23:30:00Z');
    expect(today(readSettings({}), lateOnNewYearsEve)).toBe('2027-01-01');
    expect(today(readSettings({ TODAY: '2026-11-01' }), lateOnNewYearsEve)).toBe('2026-11-01');
  });

  test('the README lists all of them, with their defaults and meanings, and no others', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name, preset, meaning]) => ({
      name,
      preset,
      meaning,
    }));
    const described = describeSettings().map(({ name, preset, meaning }) => ({ name, preset, meaning }));
    expect(listed).toEqual(described);
  });
});
