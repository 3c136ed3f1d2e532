import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ALERT_TEMPLATE_NAMES, MODULES } from '../../../sql/org/rights.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type Console, openConsole } from './console.ts';

let admin: Console;

beforeAll(async () => {
  admin = await openConsole();
});

afterAll(() => admin.close());

let made = 0;

/** Creates an organisation for a test. */
let name: string;

beforeEach(async () => {
  made += 1;
  name = `werk-${made}`;
  await admin.json(['organisations', 'create', name, '--name', `Werk ${made}`, '--modules', 'portfolio,api']);
});

const show = async () => (await admin.json(`organisations show ${name}`)).organisation;

describe('organisations create', () => {
  test('books the named modules only, with the default quota', async () => {
    expect(await show()).toMatchObject({
      externalId: name,
      modules: ['api', 'portfolio'],
      modulesNow: ['api', 'portfolio'],
      signals: [],
      alertTemplates: [],
      limits: {},
      quota: 100_000,
      trialEndsAt: null,
    });
  });

  test('accepts all options at once', async () => {
    const words =
      '--name All --modules all --signals neu_registriert --alert-templates all --quota 7 --trial-end 2090-07-31';
    expect(await admin.json(`organisations create everything ${words}`)).toMatchObject({
      modules: Object.keys(MODULES),
      signals: ['neu_registriert'],
      alertTemplates: ALERT_TEMPLATE_NAMES,
      quota: 7,
      trialEndsAt: '2090-07-31T22:00:00.000Z',
    });
  });

  test('refuses a name that exists, and changes nothing', async () => {
    const before = await show();
    const result = await admin.run(`organisations create ${name} --name Other`);
    expect(result).toMatchObject({ code: 5, out: '' });
    expect(result.err).toBe(
      `There is an organisation ${name} already: ${before.name}\n` +
        `To look at it: npm run admin -- organisations show ${name}\n`,
    );
    expect(await show()).toEqual(before);
  });
});

describe('a command finds an organisation', () => {
  test('by its external id or its UUID, also in capitals', async () => {
    const { id } = await show();
    for (const reference of [name, id, id.toUpperCase()]) {
      expect((await admin.json(['organisations', 'show', reference])).organisation.externalId).toBe(name);
    }
  });

  test.each([
    'organisations show',
    'organisations quota % 5',
    'organisations modules add % api',
    'users list',
    'keys list',
    'export',
    'audit',
  ])('and "%s" of an unknown one is refused, with the nearest name', async (words) => {
    const mistyped = name.replace('werk', 'wrek');
    const line = words.includes('%') ? words.replace('%', mistyped) : `${words} ${mistyped}`;
    const { code, err } = await admin.run(line);
    expect(code).toBe(5);
    expect(err).toMatch(
      new RegExp(`^There is no organisation ${mistyped}; did you mean werk-[0-9]+\\?\nThose there are: npm run admin`),
    );
  });
});

describe('modules, signals and alert templates', () => {
  test('are added, removed and set; their order is that of their definition', async () => {
    await admin.json(`organisations modules add ${name} workspace analysis,api`);
    expect((await show()).modules).toEqual(['api', 'analysis', 'workspace', 'portfolio']);
    await admin.json(`organisations modules remove ${name} api connection`);
    expect((await show()).modules).toEqual(['analysis', 'workspace', 'portfolio']);
    await admin.json(`organisations modules set ${name} api`);
    expect((await show()).modules).toEqual(['api']);
    await admin.json(`organisations signals add ${name} grossspeicher`);
    await admin.json(`organisations alert-templates set ${name} all`);
    expect(await show()).toMatchObject({ signals: ['grossspeicher'], alertTemplates: ALERT_TEMPLATE_NAMES });
  });

  test('report their values before and after', async () => {
    expect((await admin.run(`organisations modules add ${name} analysis`)).out).toBe(
      `${name}, modules: api, analysis, portfolio (before: api, portfolio)\n`,
    );
    expect((await admin.run(`organisations modules add ${name} analysis`)).out).toBe(
      `${name}, modules: api, analysis, portfolio (as before)\n`,
    );
    expect((await admin.run(`organisations signals remove ${name} all`)).out).toBe(
      `${name}, signals: none (as before)\n`,
    );
  });

  test('that this release does not know survive additions', async () => {
    await admin.store.asOperator((session) =>
      session.run(sql`UPDATE organisations SET modules = '{old,api}' WHERE external_id = ${name}`),
    );
    await admin.json(`organisations modules add ${name} analysis`);
    expect((await show()).modules).toEqual(['api', 'analysis', 'old']);
  });

  test('change updatedAt only when they change', async () => {
    const before = await show();
    expect(await admin.json(`organisations modules add ${name} api`)).toMatchObject({ changed: false });
    expect((await show()).updatedAt).toBe(before.updatedAt);
    expect(await admin.json(`organisations modules add ${name} analysis`)).toMatchObject({ changed: true });
    expect((await show()).updatedAt > before.updatedAt).toBe(true);
  });

  test('that two commands add at once are both kept', async () => {
    await Promise.all(
      ['analysis', 'workspace', 'connection'].map((module) =>
        admin.json(`organisations modules add ${name} ${module}`),
      ),
    );
    expect((await show()).modules).toEqual(['api', 'analysis', 'workspace', 'portfolio', 'connection']);
  });
});

describe('limits', () => {
  test('are set over the defaults, one by one, and unset again', async () => {
    await admin.json(`organisations limits set ${name} standard=120 advancedFilters=false`);
    await admin.json(`organisations limits set ${name} maxAlerts=0`);
    const { organisation, limits } = await admin.json(`organisations show ${name}`);
    expect(organisation.limits).toEqual({ standard: 120, advancedFilters: false, maxAlerts: 0 });
    expect(limits).toMatchObject({ standard: 120, mutation: 30, expensive: 12, advancedFilters: false, maxAlerts: 0 });
    await admin.json(`organisations limits unset ${name} standard`);
    expect((await show()).limits).toEqual({ advancedFilters: false, maxAlerts: 0 });
    await admin.json(`organisations limits unset ${name} all`);
    expect((await show()).limits).toEqual({});
  });
});

describe('the end of a trial', () => {
  test.each([
    ['2090-01-31', '2090-01-31T23:00:00.000Z'],
    ['2090-07-31', '2090-07-31T22:00:00.000Z'],
    // The clocks change in these nights.
    ['2090-03-25', '2090-03-25T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['2028-02-29', '2028-02-29T23:00:00.000Z'],
    ['2090-01-31T18:00:00+01:00', '2090-01-31T17:00:00.000Z'],
  ])('%s is %s: a day lasts until its end in Germany', async (typed, stored) => {
    await admin.json(`organisations trial-end ${name} ${typed}`);
    expect((await show()).trialEndsAt).toBe(stored);
  });

  test('in the past removes all modules and reports it; none restores them', async () => {
    expect((await admin.run(`organisations trial-end ${name} 2020-01-31`)).err).toBe(
      'That is past: no module counts as booked any more.\n',
    );
    expect(await show()).toMatchObject({ modules: ['api', 'portfolio'], modulesNow: [] });
    expect((await admin.run(`organisations show ${name}`)).out).toContain(
      'api, portfolio (none counts as booked: the trial has ended)',
    );
    await admin.json(`organisations trial-end ${name} none`);
    expect(await show()).toMatchObject({ trialEndsAt: null, modulesNow: ['api', 'portfolio'] });
  });
});

test('quota and name are set', async () => {
  await admin.json(`organisations quota ${name} 0`);
  await admin.json(['organisations', 'rename', name, 'Müller & Söhne "Wind" GmbH']);
  expect(await show()).toMatchObject({ quota: 0, name: 'Müller & Söhne "Wind" GmbH', externalId: name });
});

test('show prints users, keys, limits and the calls of this month', async () => {
  await admin.json(`users create ${name} anna --name Anna --role owner`);
  await admin.json(`keys create ${name} --name Leitwarte --scopes units:read --by anna`);
  const { id } = await show();
  await admin.store.asOperator((session) =>
    session.run(sql`
      INSERT INTO usage_months VALUES (${id}::uuid, date_trunc('month', now() AT TIME ZONE 'Europe/Berlin')::date, 41),
        (${id}::uuid, '2020-01-01', 9)`),
  );
  const shown = await admin.json(`organisations show ${name}`);
  expect(shown).toMatchObject({
    month: { used: 41 },
    users: [{ externalId: 'anna', role: 'owner' }],
    keys: [{ name: 'Leitwarte', createdBy: 'anna', scopes: ['units:read'], state: 'live', lastUsedAt: null }],
  });
  expect(JSON.stringify(shown)).not.toContain('secretHash');
  const { out } = await admin.run(`organisations show ${name}`);
  expect(out).toContain('Calls this month: 41 of 100000');
  expect(out).toMatch(/^user +name +e-mail +role +made +id$/m);
  expect(out).toMatch(/Leitwarte +live .* anna .* units:read$/m);
});

test('list has a line for each, by external id, with users and live keys', async () => {
  await admin.json(`users create ${name} anna --name Anna --role owner`);
  await admin.json(`keys create ${name} --name Leitwarte --scopes units:read`);
  const rows: { externalId: string; users: number; liveKeys: number }[] = await admin.json('organisations list');
  const names = rows.map(({ externalId }) => externalId);
  expect(names).toEqual([...names].sort());
  expect(rows.find(({ externalId }) => externalId === name)).toMatchObject({ users: 1, liveKeys: 1 });
  expect((await admin.run('organisations list')).out).toMatch(
    new RegExp(`^organisation +name +modules now .*\n(.*\n)*${name} +Werk ${made} +api, portfolio +1 +1 +100000 +-\n`),
  );
});

describe('organisations delete', () => {
  test('requires the external id a second time', async () => {
    const result = await admin.run(`organisations delete ${name} --yes-delete-everything-of werk-0`);
    expect(result).toMatchObject({ code: 5, out: '' });
    expect(result.err).toMatch(new RegExp(`^Nothing was deleted: the organisation's external id is ${name}, but`));
    expect(await show()).toMatchObject({ externalId: name });
  });

  test('removes everything of the organisation and nothing of others', async () => {
    await admin.json(`users create ${name} anna --name Anna --role owner`);
    await admin.json(`keys create ${name} --name Leitwarte --scopes units:read`);
    await admin.json('organisations create neighbour --name Neighbour --modules api');
    await admin.json('keys create neighbour --name Theirs --scopes units:read');
    const { id } = await show();
    await admin.store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO usage_months VALUES (${id}::uuid, '2026-11-01', 5)`);
      await session.run(
        sql`INSERT INTO limit_windows SELECT ${id}::uuid, k.id, 'standard', now(), 5 FROM api_keys k
            WHERE k.organisation_id = ${id}::uuid`,
      );
    });
    expect(await admin.json(`organisations delete ${name} --yes-delete-everything-of ${name}`)).toEqual({
      organisation: name,
      id,
      users: 1,
      keys: 1,
      portfolioEntries: 0,
      auditEntries: 0,
      endedConnections: 0,
    });
    expect((await admin.run(`organisations show ${name}`)).code).toBe(5);
    expect((await admin.run(`organisations show ${id}`)).code).toBe(5);
    const remaining = await admin.store.asOperator((session) =>
      session.run(sql`SELECT 1 FROM limit_windows WHERE organisation_id = ${id}::uuid
        UNION ALL SELECT 1 FROM usage_months WHERE organisation_id = ${id}::uuid`),
    );
    expect(remaining).toBe(0);
    expect(await admin.json('keys list neighbour')).toHaveLength(1);
  });
});

test('commands that write are logged, commands that read are not', async () => {
  const before = admin.log.length;
  await admin.json(`organisations quota ${name} 5`);
  await admin.json(`organisations quota ${name} 5`);
  await admin.json('organisations list');
  await admin.json(`users create ${name} anna --name Anna --email anna@werk.example --role owner`);
  const lines = admin.log.slice(before);
  expect(lines).toMatchObject([
    { msg: 'administration', command: 'organisations quota', organisation: name, member: 'quota' },
    { msg: 'administration', command: 'users create', organisation: name, user: 'anna', role: 'owner' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Anna|werk\.example/);
});
