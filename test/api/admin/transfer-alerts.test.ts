import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';

/** The section `alerts` of the document of an organisation. */

let admin: Console;
let made = 0;
let name: string;

beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

beforeEach(() => {
  made += 1;
  name = `werk-${made}`;
});

const BOOKED = {
  modules: ['api'],
  signals: ['grossspeicher', 'neu_registriert'],
  alertTemplates: ['NEW_UNIT', 'SIGNAL_CHANGE'],
};
const FILTERS = [
  { name: 'Parks', criteria: { einheitTyp: ['wind'] } },
  { name: 'Karte', kind: 'map', criteria: {} },
];

const documentOf = (alerts: readonly object[], organisation: object = {}) =>
  JSON.stringify({
    format: 1,
    organisation: { externalId: name, name: 'Werk', ...BOOKED, ...organisation },
    savedFilters: FILTERS,
    alerts,
  });

const take = async (alerts: readonly object[], organisation?: object) =>
  (await admin.json('import -', documentOf(alerts, organisation))).counts.alerts;

const exported = async (): Promise<Record<string, unknown>[]> => (await admin.json(`export ${name}`)).alerts;

/** The faults of a document, without what stands before them. */
const faults = async (alerts: readonly object[], organisation?: object) =>
  (await admin.refusal('import -', documentOf(alerts, organisation)))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((fault) => fault.trim());

const PARKS = { name: 'Neue Parks', template: 'NEW_UNIT', savedFilter: 'Parks' };

test('an alert has defaults: every unit, enabled, from now on', async () => {
  const before = new Date().toISOString();
  expect(await take([{ name: 'Alle', template: 'NEW_UNIT' }])).toMatchObject({ created: 1 });
  const [alert] = await exported();
  expect(alert).toMatchObject({ signals: [], criteria: {}, savedFilter: null, enabled: true, fault: null });
  expect(String(alert?.enabledAt) >= before).toBe(true);
});

test('an alert names a saved filter of the document, and has the signals in the order of the catalogue', async () => {
  const signals = { name: 'Signale', template: 'SIGNAL_CHANGE', signals: ['grossspeicher', 'neu_registriert'] };
  await take([PARKS, signals]);
  expect(await exported()).toMatchObject([
    { ...PARKS, criteria: null },
    { ...signals, signals: ['neu_registriert', 'grossspeicher'], criteria: {} },
  ]);
  expect(await take([PARKS, signals])).toEqual({ created: 0, updated: 0, unchanged: 2 });
});

test('alerts that cannot be evaluated are refused, each fault with its place', async () => {
  const template = 'NEW_UNIT';
  expect(
    await faults([
      { name: 'A', template, savedFilter: 'Karte' },
      { name: 'B', template: 'SIGNAL_CHANGE' },
      { name: 'C', template, signals: ['grossspeicher'] },
      { name: 'D', template, criteria: { leistungMinKW: 1 } },
      { name: 'E', template, criteria: {}, savedFilter: 'Parks' },
      { name: 'F', template: 'SIGNAL_CHANGE', signals: ['repowering_kandidat'] },
      { name: 'G', template, savedFilter: 'Park' },
      { name: 'H', template, criteria: null },
      { name: 'I', template, criteria: { eegFoerderendeVon: '2020-01-01' } },
    ]),
  ).toEqual([
    '#/alerts/0 cannot be evaluated: The saved filter Karte is one of the map, and alerts need one of the table',
    '#/alerts/1/signals must name those that it watches',
    '#/alerts/2/signals must be empty for the template NEW_UNIT',
    '#/alerts/3/criteria/leistungMinKW is no unit filter; did you mean leistungMinKw?',
    '#/alerts/4/savedFilter must be null beside criteria',
    '#/alerts/5 cannot be evaluated: The organisation is not entitled to repowering_kandidat; it is entitled to grossspeicher, neu_registriert',
    '#/alerts/6/savedFilter names Park, which is no saved filter of the organisation',
    '#/alerts/7/criteria is required without a saved filter',
    expect.stringMatching(
      /^#\/alerts\/8 cannot be evaluated: The filter eegFoerderendeVon needs the module eeg_verguetung/,
    ),
  ]);
  expect(await admin.refusal(`export ${name}`)).toContain(`There is no organisation ${name}`);
});

test('texts that the store cannot hold are refused, also in an alert that is faulty', async () => {
  const alert = { name: 'A', template: 'NEW_UNIT', fault: 'X' };
  const unstorable = 'must be well-formed Unicode without NUL';
  expect(
    await faults([
      { ...alert, criteria: { former: ['\0'] } },
      { ...alert, name: 'B', criteria: { '\ud800': 1 } },
      { ...alert, name: 'C', savedFilter: '\0' },
    ]),
  ).toEqual([`#/alerts/0/criteria ${unstorable}`, `#/alerts/1/criteria ${unstorable}`]);
  expect(await faults([{ ...alert, name: 'A\0' }])).toEqual([
    '#/alerts/0/name must be one line of Unicode, without control characters',
  ]);
  expect(await faults([{ ...alert, fault: '\0' }])).toEqual([
    '#/alerts/0/fault must be Unicode, without the character NUL',
  ]);
  expect(await take([{ ...alert, criteria: { former: ['ä\\u0000'] } }])).toMatchObject({ created: 1 });
  expect(await exported()).toMatchObject([{ criteria: { former: ['ä\\u0000'] }, fault: 'X' }]);
});

test('more alerts than the limit allows are refused; those that are there can be changed', async () => {
  const [one, two] = ['Eins', 'Zwei'].map((alert) => ({ name: alert, template: 'NEW_UNIT' }));
  await take([one!, two!]);
  const limits = { limits: { maxAlerts: 1 } };
  expect(await take([{ ...two, enabled: false }], limits)).toMatchObject({ updated: 1 });
  expect(await faults([{ name: 'Drei', template: 'NEW_UNIT' }], limits)).toEqual([
    '#/alerts would make 3 alerts; the limit maxAlerts of the organisation is 1',
  ]);
});

describe('an alert of the store', () => {
  const OLD = '2026-01-01T00:00:00.000Z';
  beforeEach(() => take([{ ...PARKS, enabledAt: OLD }]));

  test('is evaluated for versions from now on when it asks something else', async () => {
    expect(await take([{ ...PARKS, savedFilter: undefined, criteria: { einheitTyp: ['solar'] } }])).toMatchObject({
      updated: 1,
    });
    const [alert] = await exported();
    expect(alert).toMatchObject({ criteria: { einheitTyp: ['solar'] }, savedFilter: null });
    expect(String(alert?.enabledAt) > OLD).toBe(true);
  });

  test('is evaluated for versions from now on when it is enabled again', async () => {
    await take([{ ...PARKS, enabled: false }]);
    expect(await exported()).toMatchObject([{ enabled: false, enabledAt: OLD }]);
    await take([{ ...PARKS, enabled: true }]);
    expect(String((await exported())[0]?.enabledAt) > OLD).toBe(true);
  });

  test('otherwise keeps the moment from which it is evaluated, and members that the document leaves out', async () => {
    expect(await take([{ name: PARKS.name, template: 'NEW_UNIT', enabledAt: '2020-01-01T00:00:00Z' }])).toMatchObject({
      unchanged: 1,
    });
    expect(await exported()).toMatchObject([{ ...PARKS, enabledAt: OLD }]);
  });
});

describe('an alert that is faulty', () => {
  const FAULT = 'The organisation is not entitled to alerts from NEW_UNIT; it is entitled to SIGNAL_CHANGE';
  beforeEach(async () => {
    await take([PARKS]);
    await admin.json(`organisations alert-templates remove ${name} NEW_UNIT`);
  });

  test('moves as such: the other store exports the same document', async () => {
    const document = await admin.json(`export ${name}`);
    expect(document.alerts).toMatchObject([{ ...PARKS, fault: FAULT }]);
    const other = await openConsole();
    await other.json('import -', JSON.stringify(document));
    expect(await other.json(`export ${name}`)).toEqual(document);
    expect((await other.json(`alerts list ${name}`)).data).toMatchObject([
      { fault: FAULT, faultySince: expect.any(String) },
    ]);
    await other.close();
  });

  test('is no longer faulty when it asks what it may', async () => {
    const document = await admin.json(`export ${name}`);
    await admin.json('import -', JSON.stringify(document));
    await admin.json(`organisations alert-templates add ${name} NEW_UNIT`);
    await take([{ ...PARKS, savedFilter: undefined, criteria: {} }]);
    expect((await admin.json(`alerts list ${name}`)).data).toMatchObject([{ fault: null, faultySince: null }]);
  });

  test('moves after the end of a trial, too', async () => {
    await admin.json(`organisations alert-templates add ${name} NEW_UNIT`);
    await admin.json(`organisations trial-end ${name} 2020-01-31`);
    const document = await admin.json(`export ${name}`);
    expect(document.alerts).toMatchObject([{ fault: null }]);
    await admin.json(`organisations delete ${name} --yes-delete-everything-of ${name}`);
    await admin.json('import -', JSON.stringify(document));
    expect(await admin.json(`export ${name}`)).toEqual(document);
  });
});

test('the e-mail addresses of an alert move with it, and another document without them leaves them', async () => {
  const emails = ['leitwarte@netz.example', 'b@netz.example'];
  const told = { name: 'Alle', template: 'NEW_UNIT', emails };
  expect(await take([told])).toMatchObject({ created: 1 });
  expect(await exported()).toMatchObject([told]);
  expect(await take([told])).toEqual({ created: 0, updated: 0, unchanged: 1 });
  await take([{ name: 'Alle', template: 'NEW_UNIT', enabled: false }]);
  expect(await exported()).toMatchObject([{ ...told, enabled: false }]);
  await take([{ ...told, emails: [] }]);
  expect(await exported()).toMatchObject([{ emails: [] }]);
  expect(await faults([{ ...told, emails: ['kein', ...Array(5).fill('a@b.example')] }])).not.toEqual([]);
});
