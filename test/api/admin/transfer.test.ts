import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyCache } from '../../../api/access/api-key-cache.ts';
import { SECTIONS } from '../../../api/admin/transfer/sections.ts';
import { parseApiKey } from '../../../sql/org/api-key.ts';
import { cases } from '../../support/cases.ts';
import { type Console, openConsole } from './console.ts';
import { document, sorted } from './documents.ts';
import { ALERTS, ENTRY, FIELDS, FILTER, fillOrganisation, VALUES } from './filled-organisation.ts';

/** The commands export and import. */

let here: Console;
let there: Console;

beforeAll(async () => {
  here = await openConsole();
  there = await openConsole();
});

afterAll(async () => {
  await here.close();
  await there.close();
});

const remove = (admin: Console, name: string) =>
  admin.json(`organisations delete ${name} --yes-delete-everything-of ${name}`);

const take = (admin: Console, text: unknown, ...words: string[]) =>
  admin.json(['import', '-', ...words], JSON.stringify(text));

const NOTHING = { created: 0, updated: 0, unchanged: 0 };
const counts = (some: object) => ({ ...NOTHING, ...some });

describe('a move to another store', () => {
  let key: string;

  beforeAll(async () => {
    key = await fillOrganisation(here, 'werk');
  });

  test('carries everything: the new store exports the same document', async () => {
    const exported = await here.json('export werk');
    expect(exported).toMatchObject({
      format: 1,
      users: [{}],
      keys: [{ createdBy: 'anna' }],
      portfolio: [{}, {}],
      savedFilters: [FILTER],
    });
    expect(sorted(exported)).toMatchObject({
      alerts: ALERTS,
      customFields: Reflect.get(sorted({ customFields: FIELDS }), 'customFields'),
      customFieldValues: Reflect.get(sorted({ customFieldValues: VALUES }), 'customFieldValues'),
      contacts: [],
    });
    expect(await take(there, exported)).toMatchObject({
      organisation: 'werk',
      counts: {
        organisation: counts({ created: 1 }),
        users: counts({ created: 1 }),
        keys: counts({ created: 1 }),
        portfolio: counts({ created: 2 }),
        savedFilters: counts({ created: 1 }),
        alerts: counts({ created: 3 }),
        connections: counts({ created: 1 }),
        customFields: counts({ created: 5 }),
        customFieldValues: counts({ created: 4 }),
        contacts: counts({}),
      },
      dryRun: false,
    });
    expect(await there.json('export werk')).toEqual(exported);
  });

  test('keeps the key working, for the organisation with the same id', async () => {
    const parsed = parseApiKey(key)!;
    const [before, after] = await Promise.all([apiKeyCache(here.store)(parsed), apiKeyCache(there.store)(parsed)]);
    expect(after.refusal).toBe(null);
    expect(after.caller!.organisation.id).toBe(before.caller!.organisation.id);
  });

  test('changes nothing the second time and says so', async () => {
    const text = (await here.run('export werk')).out;
    const before = await there.json('export werk');
    const { out } = await there.run('import -', text);
    const [first, , headings, ...rows] = out.trimEnd().split('\n');
    expect(first).toBe('The organisation werk is as the document says: nothing was changed.');
    expect(headings?.trim().split(/ +/)).toEqual(['created', 'updated', 'unchanged']);
    expect(rows.map((row) => row.split(/ +/))).toEqual([
      ['organisation', '0', '0', '1'],
      ...SECTIONS.map(({ name }) => [name, '0', '0', String(before[name].length)]),
    ]);
    expect(await there.json('export werk')).toEqual(before);
  });

  test('goes through a file that only its owner can read and that is never overwritten', async () => {
    const file = join(here.settings.STATE_DIR, 'werk.json');
    const written = await here.json(['export', 'werk', '--out', file]);
    const exported = JSON.parse(readFileSync(file, 'utf8'));
    const lengths = SECTIONS.map(({ name }) => [name, exported[name].length]);
    expect(written).toEqual({ format: 1, organisation: 'werk', ...Object.fromEntries(lengths), file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(exported).toEqual(await here.json('export werk'));
    expect(await here.run(['export', 'werk', '--out', file])).toMatchObject({ code: 5, out: '' });
    expect(await there.run(['import', file])).toMatchObject({ code: 0 });
  });
});

describe('a document', () => {
  let exported: Awaited<ReturnType<Console['json']>>;

  beforeEach(async () => {
    await fillOrganisation(here, 'own');
    exported = await here.json('export own');
    return async () => {
      await remove(here, 'own');
    };
  });

  test('with few members makes an organisation with defaults', async () => {
    const organisation = { externalId: 'small', name: 'Small' };
    const users = [{ externalId: 'bob', name: 'Bob', role: 'admin' }];
    expect((await take(here, { format: 1, organisation, users })).counts).toEqual({
      organisation: counts({ created: 1 }),
      users: counts({ created: 1 }),
    });
    expect(await here.json('export small')).toMatchObject({
      organisation: { ...organisation, modules: [], limits: {}, quota: 100_000, trialEndsAt: null },
      users: [{ ...users[0], email: null }],
      keys: [],
      portfolio: [],
      savedFilters: [],
    });
    await remove(here, 'small');
  });

  test('leaves absent sections, items and members unchanged', async () => {
    const document = {
      format: 1,
      organisation: { externalId: 'own', name: 'Renamed' },
      users: [{ externalId: 'carl', name: 'Carl', role: 'member' }],
    };
    expect((await take(here, document)).counts).toEqual({
      organisation: counts({ updated: 1 }),
      users: counts({ created: 1 }),
    });
    const after = await here.json('export own');
    expect(after.organisation).toEqual({
      ...exported.organisation,
      name: 'Renamed',
      updatedAt: after.organisation.updatedAt,
    });
    expect(after.organisation.updatedAt > exported.organisation.updatedAt).toBe(true);
    expect(after.users.map((user: { externalId: string }) => user.externalId)).toEqual(['anna', 'carl']);
    expect(after).toMatchObject({ keys: exported.keys, portfolio: exported.portfolio });
  });

  test('overwrites present members except ids and times of creation', async () => {
    const changed = structuredClone(exported);
    Object.assign(changed.users[0], { id: randomUUID(), role: 'member', createdAt: '1999-01-01T00:00:00Z' });
    Object.assign(changed.keys[0], { name: 'Renamed', scopes: ['region:read'] });
    Object.assign(changed.portfolio[0], { relationType: 'OWNER', externalRefs: {} });
    expect((await take(here, changed)).counts).toMatchObject({
      organisation: { unchanged: 1 },
      users: { updated: 1 },
      keys: { updated: 1 },
      portfolio: { updated: 1, unchanged: 1 },
    });
    const after = await here.json('export own');
    const { id, createdAt } = exported.users[0];
    expect(after.users).toMatchObject([{ id, createdAt, role: 'member' }]);
    expect(after.users[0].updatedAt > exported.users[0].updatedAt).toBe(true);
    expect(after.keys).toEqual([{ ...exported.keys[0], name: 'Renamed', scopes: ['region:read'] }]);
    expect(after.portfolio[0]).toMatchObject({ relationType: 'OWNER', externalRefs: {}, createdAt: ENTRY.createdAt });
    expect(after.portfolio[0].updatedAt > ENTRY.updatedAt).toBe(true);
  });

  test('with other ids and times of creation only changes nothing', async () => {
    const other = { id: randomUUID(), createdAt: '1999-01-01T00:00:00Z', updatedAt: '2099-01-01T00:00:00Z' };
    const { organisation, users, keys, portfolio } = structuredClone(exported);
    Object.assign(organisation, other);
    Object.assign(users[0], other);
    Object.assign(keys[0], { id: randomUUID(), createdAt: '1999-01-01T00:00:00Z' });
    Object.assign(portfolio[0], other);
    await take(here, { format: 1, organisation, users, keys, portfolio });
    expect(await here.json('export own')).toEqual(exported);
  });

  test('may have times with any offset', async () => {
    const document = {
      format: 1,
      organisation: { externalId: 'own', name: 'Werk', trialEndsAt: '2030-01-01T01:00:00+01:00' },
    };
    await take(here, document);
    expect((await here.json('export own')).organisation.trialEndsAt).toBe('2030-01-01T00:00:00.000Z');
    expect((await take(here, document)).counts.organisation).toEqual(counts({ unchanged: 1 }));
  });

  test('does not revive a revoked key', async () => {
    await here.json(`keys revoke ${exported.keys[0].prefix}`);
    expect((await take(here, exported)).counts.keys).toEqual(counts({ unchanged: 1 }));
    expect(await here.json('keys list own')).toMatchObject([{ state: 'revoked' }]);
  });

  test('in a dry run reports the changes and makes none', async () => {
    const changed = structuredClone(exported);
    changed.organisation.quota = 5;
    changed.users.push({ externalId: 'carl', name: 'Carl', role: 'member' });
    const before = here.log.length;
    const report = await take(here, changed, '--dry-run');
    expect(report).toMatchObject({
      dryRun: true,
      counts: { organisation: { updated: 1 }, users: { created: 1, unchanged: 1 } },
    });
    expect(await here.json('export own')).toEqual(exported);
    expect(here.log.length).toBe(before);
    const { out } = await here.run('import - --dry-run', JSON.stringify(changed));
    expect(out).toMatch(/^The organisation own would become as the document says; nothing was changed now\.\n/);
  });

  test('may have more items than one statement writes', async () => {
    const portfolio = Array.from({ length: 12_001 }, (_, index) => ({
      mastrNumber: `SEE${String(index).padStart(12, '0')}`,
      relationType: 'OWNER',
    }));
    const document = { format: 1, organisation: { externalId: 'own', name: 'Werk' }, portfolio };
    expect((await take(here, document)).counts.portfolio).toEqual(counts({ created: 12_001 }));
    expect((await take(here, document)).counts.portfolio).toEqual(counts({ unchanged: 12_001 }));
    expect((await here.json('export own')).portfolio).toHaveLength(12_003);
  });
});

test('every document is exported as it was imported, and a second import changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (wanted) => {
      const { externalId } = wanted.organisation;
      await take(there, wanted);
      const exported = await there.json(`export ${externalId}`);
      const { counts: again } = await take(there, exported);
      await remove(there, externalId);
      expect(sorted(exported)).toEqual({ ...sorted(wanted), contacts: [] });
      for (const count of Object.values(again)) expect(count).toMatchObject({ created: 0, updated: 0 });
    }),
    { numRuns: cases(25) },
  );
});
