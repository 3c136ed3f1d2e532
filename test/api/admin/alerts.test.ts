import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noteFaults } from '../../../sql/org/alerts/alerts.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `alerts create|list|show|change|enable|disable|delete`. */

let admin: Console;
let made = 0;
let name: string;

beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

/** Every test begins with an organisation that may make alerts, and has none. */
beforeEach(async () => {
  made += 1;
  name = `werk-${made}`;
  const booked = '--modules api,analysis --signals neu_registriert,grossspeicher --alert-templates all';
  await admin.json(`organisations create ${name} --name Werk ${booked}`);
});

/** The alert that a command answers with. */
const create = async (words: string, criteria?: object) =>
  (criteria === undefined
    ? await admin.json(`alerts create ${name} ${words}`)
    : await admin.json(`alerts create ${name} ${words} --criteria -`, JSON.stringify(criteria))
  ).data;
/** An alert as answers to writes have it: the list alone names e-mail addresses. */
const show = async (alert: string) => {
  const { emails: _, ...shown } = (await admin.json(`alerts show ${name} ${alert}`)).data;
  return shown;
};
const list = async () => (await admin.json(`alerts list ${name}`)).data;
const refusal = (words: string, criteria?: unknown) =>
  criteria === undefined
    ? admin.refusal(`alerts ${words}`)
    : admin.refusal(`alerts ${words} --criteria -`, typeof criteria === 'string' ? criteria : JSON.stringify(criteria));

/** Saved filters of the organisation, as a document makes them. */
const makeFilters = (...filters: readonly object[]) =>
  admin.json(
    'import -',
    JSON.stringify({ format: 1, organisation: { externalId: name, name: 'Werk' }, savedFilters: filters }),
  );

/** Runs a command line that is not valid as such. */
async function usage(words: string, input?: string): Promise<string> {
  const { code, err } = await admin.run(words, input);
  expect(code).toBe(2);
  return err;
}

describe('a new alert', () => {
  test('is answered as the interface does, and found by its name and its id', async () => {
    const criteria = { einheitTyp: ['storage'], leistungMinKw: 1000 };
    const alert = await create('Speicher --template NEW_UNIT', criteria);
    expect(alert).toMatchObject({
      ...{ name: 'Speicher', template: 'NEW_UNIT', signals: [], criteria, savedFilterId: null },
      ...{ enabled: true, fault: null, faultySince: null },
    });
    expect(await show('Speicher')).toEqual(alert);
    expect(await show(alert.id.toUpperCase())).toEqual(alert);
    const listed = { ...alert, emails: [] };
    expect(await admin.json(`alerts list ${name}`)).toEqual({
      organisation: name,
      data: [listed],
      meta: { count: 1, sendsEmails: false },
    });
  });

  test('without criteria is about every unit', async () => {
    expect((await create('Alle --template NEW_UNIT')).criteria).toEqual({});
  });

  test('from SIGNAL_CHANGE watches signals that are named, or all', async () => {
    await admin.json(`organisations signals set ${name} all`);
    expect((await create('Zwei --template SIGNAL_CHANGE --signals grossspeicher,neu_registriert')).signals).toEqual([
      'grossspeicher',
      'neu_registriert',
    ]);
    expect((await create('Alle --template SIGNAL_CHANGE --signals all')).signals.length).toBeGreaterThan(2);
  });

  test('may have the criteria of a saved filter, by its name or its id', async () => {
    await makeFilters({ name: 'Parks', criteria: { einheitTyp: ['wind'] } });
    const [filter] = await admin.json(`filters list ${name}`);
    for (const reference of ['Parks', filter.id]) {
      const alert = await create(`A${reference.length} --template NEW_UNIT --filter ${reference}`);
      expect(alert).toMatchObject({ criteria: null, savedFilterId: filter.id, fault: null });
    }
  });

  test('may wait to be enabled', async () => {
    expect((await create('Später --template NEW_UNIT --disabled')).enabled).toBe(false);
  });

  test('leaves its id in the log, and nothing of its criteria', async () => {
    const before = admin.log.length;
    const alert = await create('Suche --template NEW_UNIT', { betreiber: ['Muster'] });
    const entry = { command: 'alerts create', organisation: name, operation: 'alerts.create', of: alert.id };
    expect(admin.log.slice(before)).toMatchObject([entry]);
    expect(JSON.stringify(admin.log.slice(before))).not.toContain('Muster');
  });
});

describe('an alert is refused', () => {
  test.each([
    [{ einheitTyp: ['windd'] }, '#/criteria/einheitTyp/0 has "windd"'],
    [{ leistungMinKW: 5 }, '#/criteria/leistungMinKW is no unit filter; did you mean leistungMinKw?'],
    [[], '#/criteria must be an object with unit filters, such as einheitTyp'],
    ['{', 'The document is no JSON'],
    [{ eegFoerderendeVon: '2020-01-01' }, 'The filter eegFoerderendeVon needs the module eeg_verguetung'],
  ])('with the criteria %j', async (criteria, reason) => {
    expect(await refusal(`create ${name} X --template NEW_UNIT`, criteria)).toContain(reason);
    expect(await list()).toEqual([]);
  });

  test('with a signal or from a template that the organisation is not entitled to', async () => {
    expect(await refusal(`create ${name} X --template SIGNAL_CHANGE --signals repowering_kandidat`)).toBe(
      'The organisation is not entitled to repowering_kandidat; it is entitled to grossspeicher, neu_registriert\n',
    );
    await admin.json(`organisations alert-templates remove ${name} NEW_UNIT`);
    expect(await refusal(`create ${name} X --template NEW_UNIT`)).toContain(
      'The organisation is not entitled to alerts from NEW_UNIT; it is entitled to COMMISSIONED, FIELD_CHANGE, SIGNAL_CHANGE, STATUS_CHANGE\n',
    );
  });

  test('once the trial of the organisation has ended', async () => {
    await admin.json(`organisations trial-end ${name} 2020-01-31`);
    expect(await refusal(`create ${name} X --template NEW_UNIT`)).toMatch(
      /^The organisation's trial ended on 2020-01-31T/,
    );
  });

  test('with a saved filter that the organisation does not have', async () => {
    await makeFilters({ name: 'Parks', criteria: {} });
    expect(await refusal(`create ${name} X --template NEW_UNIT --filter Park`)).toBe(
      `${name} has no saved filter Park; did you mean Parks?\nThose it has: npm run admin -- filters list ${name}\n`,
    );
  });

  test('under a name that another has, and beyond the limit maxAlerts', async () => {
    await create('X --template NEW_UNIT');
    expect(await refusal(`create ${name} X --template NEW_UNIT`)).toContain('has this name');
    await admin.json(`organisations limits set ${name} maxAlerts=1`);
    expect(await refusal(`create ${name} Y --template NEW_UNIT`)).toContain('its limit maxAlerts is 1');
  });

  test.each([
    ['--template SIGNAL_CHANGE', '--signals must name what a SIGNAL_CHANGE watches'],
    ['--template NEW_UNIT --signals grossspeicher', '--signals must be empty: an alert from NEW_UNIT watches none'],
    ['--template NEW_UNIT --filter F --criteria -', '--filter stands instead of criteria of its own'],
  ])('with what does not go together: %s', async (words, reason) => {
    await makeFilters({ name: 'F', criteria: {} });
    const { code, err } = await admin.run(`alerts create ${name} X ${words}`, '{}');
    expect([code, err]).toEqual([5, expect.stringContaining(reason)]);
  });

  test.each([
    ['X', "required option '--template <name>' not specified"],
    ['X --template NEW', 'Allowed choices are NEW_UNIT, SIGNAL_CHANGE'],
  ])('as a command line that is not valid: %s', async (words, reason) => {
    expect(await usage(`alerts create ${name} ${words}`)).toContain(reason);
  });

  test('under a name that looks like an id', async () => {
    expect(await refusal(`create ${name} ${randomUUID()} --template NEW_UNIT`)).toContain('must not look like a UUID');
  });
});

describe('changing an alert', () => {
  beforeEach(() => create('Speicher --template NEW_UNIT', { einheitTyp: ['storage'] }));

  const change = async (words: string, criteria?: object) =>
    (await admin.json(`alerts change ${name} Speicher ${words}`, JSON.stringify(criteria))).data;

  test.each([
    ['--name Batterien', { name: 'Batterien' }],
    ['--criteria -', { criteria: { einheitTyp: ['wind'] } }],
    ['--filter Parks', { criteria: null, savedFilterId: expect.any(String) }],
    ['--template SIGNAL_CHANGE --signals grossspeicher', { template: 'SIGNAL_CHANGE', signals: ['grossspeicher'] }],
  ])('leaves what is not named: %s', async (words, expected) => {
    await makeFilters({ name: 'Parks', criteria: { einheitTyp: ['wind'] } });
    const before = await show('Speicher');
    const alert = await change(words, { einheitTyp: ['wind'] });
    expect(alert).toEqual({ ...before, ...expected, enabledAt: alert.enabledAt, updatedAt: alert.updatedAt });
    expect(await show(alert.id)).toEqual(alert);
  });

  test('is refused where a new alert would be, and without anything to change', async () => {
    await create('Andere --template NEW_UNIT');
    expect(await refusal(`change ${name} Speicher --name Andere`)).toContain('has this name');
    expect(await refusal(`change ${name} Speicher`, { einheitTyp: [] })).toContain('#/criteria/einheitTyp');
    expect(await refusal(`change ${name} Speichr --name X`)).toBe(
      `${name} has no alert Speichr; did you mean Speicher?\nThose it has: npm run admin -- alerts list ${name}\n`,
    );
    expect(await usage(`alerts change ${name} Speicher`)).toContain(
      'Say what to change: --name, --template, --signals, --fields, --criteria, --filter',
    );
  });
});

describe('switching and removing', () => {
  beforeEach(() => create('Speicher --template NEW_UNIT'));

  test('a disabled alert is kept; enabled again it is evaluated for versions from then on', async () => {
    const before = await show('Speicher');
    await admin.json(`alerts disable ${name} Speicher`);
    expect(await show('Speicher')).toMatchObject({ enabled: false, enabledAt: before.enabledAt });
    await admin.json(`alerts enable ${name} Speicher`);
    const { enabled, enabledAt } = await show('Speicher');
    expect({ enabled, later: enabledAt > before.enabledAt }).toEqual({ enabled: true, later: true });
    await admin.json(`alerts enable ${name} Speicher`);
    expect((await show('Speicher')).enabledAt).toBe(enabledAt);
  });

  test('one that cannot be evaluated is not enabled', async () => {
    await admin.json(`alerts disable ${name} Speicher`);
    await admin.json(`organisations alert-templates remove ${name} NEW_UNIT`);
    expect(await refusal(`enable ${name} Speicher`)).toContain('not entitled to alerts from NEW_UNIT');
  });

  test('a removed alert is gone, and another one may have its name', async () => {
    await admin.json(`alerts delete ${name} Speicher`);
    expect(await list()).toEqual([]);
    expect(await refusal(`delete ${name} Speicher`)).toContain(`${name} has no alert Speicher`);
    await create('Speicher --template NEW_UNIT');
  });
});

describe('a faulty alert', () => {
  beforeEach(() => create('Speicher --template SIGNAL_CHANGE --signals grossspeicher'));

  const fault = 'The organisation is not entitled to grossspeicher; it is entitled to neu_registriert';

  test('shows as soon as what it needs is gone', async () => {
    await admin.json(`organisations signals remove ${name} grossspeicher`);
    expect(await show('Speicher')).toMatchObject({ fault, faultySince: null, enabled: true });
    for (const words of [`alerts list ${name}`, `alerts show ${name} Speicher`]) {
      expect((await admin.run(words)).out).toContain(fault);
    }
    await admin.json(`organisations signals add ${name} grossspeicher`);
    expect((await show('Speicher')).fault).toBe(null);
  });

  test.each([
    ['signals remove % grossspeicher', 'signals add % grossspeicher'],
    ['alert-templates set % NEW_UNIT', 'alert-templates set % all'],
    ['trial-end % 2020-01-31', 'trial-end % none'],
  ])('is told to whoever makes it so: organisations %s', async (taking, giving) => {
    const { err } = await admin.run(`organisations ${taking.replace('%', name)}`);
    expect(err).toContain(
      `Faulty from now on: 1 alert (Speicher). The reasons: npm run admin -- alerts list ${name}\n`,
    );
    expect(await admin.run(`organisations ${giving.replace('%', name)}`)).toMatchObject({ code: 0, err: '' });
  });

  test('shows what its last evaluation found, since when, until it asks something else', async () => {
    const { id } = await show('Speicher');
    const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
    const note = (text: string | null, at: string) =>
      admin.store.asOperator((session) => session.run(noteFaults([{ id, fault: text }], at)));
    await note('Zu viel', first);
    await note('Zu viele Texte', second);
    expect(await show('Speicher')).toMatchObject({ fault: 'Zu viele Texte', faultySince: first });
    await note(null, second);
    expect(await show('Speicher')).toMatchObject({ fault: null, faultySince: null });
    await note('Zu viel', second);
    await admin.json(`alerts change ${name} Speicher --name Andere`);
    expect(await show('Andere')).toMatchObject({ fault: 'Zu viel' });
    await admin.json(`alerts change ${name} Andere --signals neu_registriert`);
    expect(await show('Andere')).toMatchObject({ fault: null, faultySince: null });
  });

  test('is one whose saved filter became one of the map', async () => {
    await makeFilters({ name: 'Parks', criteria: {} });
    await create('Parks --template NEW_UNIT --filter Parks');
    await makeFilters({ name: 'Parks', kind: 'map', criteria: {} });
    expect((await show('Parks')).fault).toContain('is one of the map');
  });
});

test('lists write long criteria on a line, and --json has them whole', async () => {
  const mastrNummern = Array.from({ length: 200 }, (_, digit) => `SEE9${String(digit).padStart(11, '0')}`);
  const betreiber = ['B'.repeat(200)];
  // The store has short names first.
  const criteria = { plz: '49', betreiber, einheitTyp: ['wind', 'solar', 'hydro'], mastrNummern, leistungMinKw: 3000 };
  await makeFilters({ name: 'Viele', criteria }, { name: 'Nummern', criteria: { mastrNummern } });
  await create('Viele --template NEW_UNIT', criteria);
  const line = `plz 49; betreiber ${'B'.repeat(49)}…; einheitTyp wind, solar … (3); … (2 more)`;
  for (const words of [`filters list ${name}`, `alerts list ${name}`]) {
    const { out } = await admin.run(words);
    expect(out).toContain(line);
    for (const one of out.split('\n')) expect(one.length).toBeLessThan(320);
    const listed = await admin.json(words);
    expect(listed.data ?? listed).toContainEqual(expect.objectContaining({ criteria }));
  }
  expect((await admin.run(`filters list ${name}`)).out).toContain(
    'mastrNummern SEE900000000000, SEE900000000001 … (200)',
  );
  expect((await admin.run(`alerts show ${name} Viele`)).out).toContain(JSON.stringify(criteria));
});

test('without alerts the list says so', async () => {
  expect((await admin.run(`alerts list ${name}`)).out).toBe('None\n');
});
