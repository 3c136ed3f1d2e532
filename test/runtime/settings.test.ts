import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  describeSettings,
  readSettings,
  SettingsError,
  today,
  warehouseFolder,
  warehouseServer,
} from '../../runtime/settings.ts';

describe('settings', () => {
  test('have defaults for everything', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      BASE_URL: 'http://127.0.0.1:8080',
      APP_URL: 'http://127.0.0.1:8080/app',
      KEEP_VERSIONS: 3,
    });
    expect(warehouseFolder(settings)).toBe(`${settings.STATE_DIR}/warehouse`);
  });

  test('may be derived from the settings above', () => {
    const settings = readSettings({ HOST: '::1', PORT: '9000', STATE_DIR: '/srv/state' });
    expect(settings.BASE_URL).toBe('http://[::1]:9000');
    expect(settings.APP_URL).toBe('http://[::1]:9000/app');
    expect(warehouseFolder(settings)).toBe('/srv/state/warehouse');
  });

  test('ignore an empty variable and a slash at the end of an address', () => {
    expect(readSettings({ PORT: '', BASE_URL: 'https://example.org/api/' })).toMatchObject({
      PORT: 8080,
      BASE_URL: 'https://example.org/api',
      APP_URL: 'https://example.org/api/app',
    });
  });

  test('report all faults in one message', () => {
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

  test('never show an invalid secret', () => {
    expect(() => readSettings({ SIGNING_KEY: 'hunter2' })).toThrow(/SIGNING_KEY: the value must have/);
    expect(() => readSettings({ SIGNING_KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });

  describe('QUERY_THREADS', () => {
    test('are by default those of this machine for a folder; a server has cores of its own', () => {
      expect(readSettings({}).QUERY_THREADS).toBeGreaterThan(0);
      const server = { WAREHOUSE_URL: 'clickhouse://reader@db:8123/energy' };
      expect(readSettings(server).QUERY_THREADS).toBeNull();
      expect(readSettings({ ...server, QUERY_THREADS: '3' }).QUERY_THREADS).toBe(3);
    });
  });

  describe('WAREHOUSE_URL', () => {
    const server = (url: string) => warehouseServer(readSettings({ WAREHOUSE_URL: url }));

    test('names a folder, or a server with the prefix of its databases', () => {
      expect(server('duckdb:/srv/warehouse')).toBeNull();
      expect(server('clickhouse://loader:p%40ss%2F1@db.example.org:8124/energy_1')).toEqual({
        url: 'http://db.example.org:8124',
        username: 'loader',
        password: 'p@ss/1',
        prefix: 'energy_1',
      });
      expect(server('clickhouses://db.example.org/energy')).toEqual({
        url: 'https://db.example.org:8443',
        username: 'default',
        password: '',
        prefix: 'energy',
      });
      expect(server('clickhouse://[::1]/energy')?.url).toBe('http://[::1]:8123');
    });

    test('with a server keeps its builds in the folder of the state', () => {
      const settings = readSettings({ STATE_DIR: '/srv/state', WAREHOUSE_URL: 'clickhouse://db/energy' });
      expect(warehouseFolder(settings)).toBe('/srv/state/warehouse');
    });

    test.each([
      ['/srv/warehouse', /must be duckdb:<folder>, clickhouse:/],
      ['http://u:hunter2@db:8123/energy', /did you mean clickhouse:\/\/ instead of http/],
      ['https://u:hunter2@db/energy', /did you mean clickhouses:/],
      ['clickhouse:db/energy', /must be duckdb/],
      ['clickhouse:///energy', /must be duckdb|names no host/],
      ['clickhouse://u:hunter2@db:8123', /names no prefix/],
      ['clickhouse://u:hunter2@db:8123/', /names no prefix/],
      ['clickhouse://u:hunter2@db:8123/my-data', /letters, digits and _/],
      ['clickhouse://u:hunter2@db:8123/a/b', /letters, digits and _/],
      ['clickhouse://u:hunter2@db:8123/1energy', /beginning with a letter/],
      ['clickhouse://u:hunter2@db:8123/System', /a database that every server has/],
      ['clickhouse://u:hunter2@db:9000/energy', /native protocol; the HTTP interface has 8123/],
      ['clickhouses://u:hunter2@db:9440/energy', /native protocol; the HTTP interface has 8443/],
      ['clickhouse://u:hunter2@db/energy?secure=1', /something behind the prefix/],
      ['clickhouse://u:100%@db/energy', /not written as %25/],
    ])('%s is refused with the expected form, without the password', (url, message) => {
      const read = () => readSettings({ WAREHOUSE_URL: url });
      expect(read).toThrow(message);
      expect(read).not.toThrow(/hunter2/);
    });

    test('a cluster must have a name that needs no quotes in a statement', () => {
      expect(readSettings({ CLICKHOUSE_CLUSTER: 'energy-1' }).CLICKHOUSE_CLUSTER).toBe('energy-1');
      expect(() => readSettings({ CLICKHOUSE_CLUSTER: "x' SYNC" })).toThrow(/CLICKHOUSE_CLUSTER: .* letters/);
    });
  });

  test('today is the day in Germany unless TODAY is set', () => {
    const lateOnNewYearsEve = new Date('2026-12-31T23:30:00Z');
    expect(today(readSettings({}), lateOnNewYearsEve)).toBe('2027-01-01');
    expect(today(readSettings({ TODAY: '2026-11-01' }), lateOnNewYearsEve)).toBe('2026-11-01');
  });

  test('docs/settings.md lists exactly these settings, with defaults and meanings', () => {
    const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name, preset, meaning]) => ({
      name,
      preset,
      meaning,
    }));
    const described = describeSettings().map(({ name, preset, meaning }) => ({ name, preset, meaning }));
    expect(listed).toEqual(described);
  });
});
