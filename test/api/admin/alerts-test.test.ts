import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { warehouseFolder } from '../../../runtime/settings.ts';
import { publish } from '../../../sql/warehouse/versions.ts';
import { buildSmall, makeAlert, moment, openStage, unit, versionOf } from '../alerts/stage.ts';
import { type Console, openConsole } from './console.ts';

/** The commands `alerts test` and `alerts evaluations`, over two versions of a few units. */

const [FIRST, SECOND] = [1, 2].map(versionOf);

let admin: Console;
let warehouse: string;

beforeAll(async () => {
  admin = await openConsole();
  warehouse = warehouseFolder(admin.settings);
  await admin.json('organisations create werk --name Werk --modules all --signals all --alert-templates all');
  const large = { signals: ['grossspeicher'] };
  await buildSmall(warehouse, 1, [], { 1: {}, 2: large });
  await buildSmall(warehouse, 2, [1], { 1: large, 2: {}, 3: large, 4: { carrier: 'wind' } });
}, 60_000);
afterAll(() => admin.close());

/** The note of a command about an alert of these units, without the advice that each gets. */
const noteOf = async (words: string, numbers: readonly string[]): Promise<string> => {
  const { code, err } = await admin.run(words, JSON.stringify({ mastrNummern: numbers }));
  expect(code).toBe(0);
  return err;
};

const tried = (words: string, input?: string) => admin.json(`alerts test werk ${words}`, input);

test('before a version is published there is nothing to compare', async () => {
  expect(await admin.refusal('alerts test werk --template NEW_UNIT')).toBe('No dataset version is published yet\n');
  publish(warehouse, FIRST!, 'build', new Date(moment(1)));
  expect(await admin.refusal('alerts test werk --template NEW_UNIT')).toBe(
    `No version was served before ${FIRST}; say which one with --from\n`,
  );
});

describe('with versions', () => {
  beforeAll(async () => {
    publish(warehouse, SECOND!, 'build', new Date(moment(2)));
    await admin.json('alerts create werk Neue --template NEW_UNIT');
  });

  test('an alert is tried with the served version against the one served before it', async () => {
    const { data: alert } = await admin.json('alerts show werk Neue');
    expect(await tried('Neue')).toEqual({
      organisation: 'werk',
      alert: { id: alert.id, name: 'Neue' },
      template: 'NEW_UNIT',
      ...{ from: FIRST, to: SECOND, changedUnits: 4, matchCount: 2 },
      matches: [3, 4].map((digit) => ({ mastrNummer: unit(digit), isNew: true, gained: [], lost: [] })),
    });
  });

  test('an alert that is only typed tells which signals the units have gained and lost', async () => {
    const { alert, matches } = await tried('--template SIGNAL_CHANGE --signals grossspeicher,neu_registriert');
    expect({ alert, matches }).toEqual({
      alert: null,
      matches: [
        { mastrNummer: unit(1), isNew: false, gained: ['grossspeicher'], lost: [] },
        { mastrNummer: unit(2), isNew: false, gained: [], lost: ['grossspeicher'] },
        { mastrNummer: unit(3), isNew: true, gained: ['grossspeicher'], lost: [] },
      ],
    });
  });

  test('typed rules take the place of those of the alert, and the alert stays as it is', async () => {
    const before = await admin.json('alerts show werk Neue');
    const { matches } = await tried('Neue --criteria -', '{"einheitTyp":["wind"]}');
    expect(matches).toMatchObject([{ mastrNummer: unit(4) }]);
    expect(await admin.json('alerts show werk Neue')).toEqual(before);
  });

  test('an alert about units that are served already says that it never fires, whatever makes it so', async () => {
    const never = (all: number) =>
      `It can never fire: NEW_UNIT tells of units that the version before did not serve, and ${all === 1 ? 'the one that it names is' : `all ${all} that it names are`} served already.`;
    const make = (name: string) => `alerts create werk ${name} --template NEW_UNIT --criteria -`;
    expect(await noteOf(make('Da'), [unit(1), unit(4)])).toContain(never(2));
    expect(await noteOf(make('Teils'), [unit(1), unit(9)])).toContain(
      '1 of the 2 units that it names are served already',
    );
    expect(await noteOf(make('Neu'), [unit(9)])).toBe('');
    expect(
      await noteOf('alerts create werk Andere --template SIGNAL_CHANGE --signals grossspeicher --criteria -', [
        unit(1),
      ]),
    ).toBe('');
    expect(await noteOf('alerts change werk Neu --criteria -', [unit(2)])).toContain(never(1));
    expect(await noteOf('alerts disable werk Neu', [])).toBe('');
    expect(await noteOf('alerts enable werk Neu', [])).toContain(never(1));
    const document = {
      format: 1,
      organisation: { externalId: 'werk', name: 'Werk' },
      savedFilters: [{ name: 'Eine', criteria: { mastrNummern: [unit(3)] } }],
      alerts: [{ name: 'Aus dem Filter', template: 'NEW_UNIT', savedFilter: 'Eine' }],
    };
    for (const dryRun of [' --dry-run', '']) {
      const { err } = await admin.run(`import -${dryRun}`, JSON.stringify(document));
      expect(err).toContain(`The alert Aus dem Filter: ${never(1)}`);
    }
    expect(
      await admin.json('alerts create werk Auch --template NEW_UNIT --criteria -', `{"mastrNummern":["${unit(1)}"]}`),
    ).toMatchObject({ meta: { hinweise: [{ parameter: 'template', vorschlag: 'SIGNAL_CHANGE' }] } });
  });

  test('any two versions can be named, the earlier one first', async () => {
    expect(await tried(`Neue --from ${FIRST} --to ${SECOND}`)).toEqual(await tried('Neue'));
    expect(await admin.refusal(`alerts test werk Neue --from ${SECOND} --to ${FIRST}`)).toBe(
      `${SECOND} was not published before ${FIRST}\n`,
    );
    expect(await admin.refusal('alerts test werk Neue --to 20990101-0009')).toContain(
      'The dataset version 20990101-0009 was never published',
    );
  });

  test('people read the result as a table', async () => {
    const { out } = await admin.run('alerts test werk --template SIGNAL_CHANGE --signals grossspeicher');
    expect(out).toBe(
      [
        `From version ${FIRST} to ${SECOND}: 4 units with other content, 3 matches of an alert from SIGNAL_CHANGE.`,
        'unit             new  gained         lost',
        'SEE900000000001  no   grossspeicher  -',
        'SEE900000000002  no   -              grossspeicher',
        'SEE900000000003  yes  grossspeicher  -\n',
      ].join('\n'),
    );
  });

  test('what a new alert may not ask is refused, and so is an alert that nobody described', async () => {
    await admin.json('organisations create arm --name Arm --alert-templates NEW_UNIT');
    expect(await admin.refusal('alerts test arm --template SIGNAL_CHANGE --signals grossspeicher')).toContain(
      'The organisation is not entitled to alerts from SIGNAL_CHANGE',
    );
    const { code, err } = await admin.run('alerts test werk');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('alerts test needs an alert or --template'),
    });
  });

  test('a trial stores no event and notes nothing', async () => {
    expect(await admin.json('alerts evaluations')).toEqual({ evaluations: [], outcomes: null });
    expect((await admin.run('alerts evaluations werk')).out).toBe('No evaluations\n');
    expect(await openStage(warehouse, admin.store).told()).toEqual([]);
  });
});

test('the newest evaluations are listed, and what became of the alerts of an organisation', async () => {
  const stage = openStage(warehouse, admin.store);
  const { id } = await admin.json('organisations create alt --name Alt --alert-templates all');
  await makeAlert(admin.store, id, { name: 'Neue' });
  await makeAlert(admin.store, id, { name: 'Wind', criteria: { einheitTyp: ['wind'] } });
  await makeAlert(admin.store, id, { name: 'Signale', template: 'SIGNAL_CHANGE', signals: ['grossspeicher'] });
  for (const build of [1, 2]) stage.publish(build);
  expect(await stage.evaluate()).toBe(true);

  const { evaluations, outcomes } = await admin.json('alerts evaluations');
  expect(outcomes).toBe(null);
  expect(evaluations).toMatchObject([
    { version: SECOND, comparedWith: FIRST, changedUnits: 4, evaluatedAlerts: 3, events: 2, error: null },
    { version: FIRST, comparedWith: null },
  ]);
  const { out } = await admin.run('alerts evaluations --limit 1');
  expect(out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^version +published +compared with +state +ended +changed units +alerts +events +error$/),
    expect.stringMatching(new RegExp(`^${SECOND} +2026-11-20 08:01 UTC +${FIRST} +done +.* UTC +4 +3 +2 +-$`)),
  ]);

  const told = (await admin.json('alerts evaluations alt')).outcomes;
  expect(
    told.map(({ alert, version, outcome, matches, fault }: Record<string, object>) => ({
      ...{ alert: Reflect.get(alert!, 'name'), version, outcome, matches },
      faulty: fault !== null,
    })),
  ).toEqual([
    { alert: 'Neue', version: SECOND, outcome: 'FIRED', matches: 2, faulty: false },
    { alert: 'Signale', version: SECOND, outcome: 'FAULTY', matches: 0, faulty: true },
    { alert: 'Wind', version: SECOND, outcome: 'FIRED', matches: 1, faulty: false },
  ]);
  expect((await admin.json('alerts evaluations alt Neue')).outcomes).toEqual([told[0]]);
  expect((await admin.run('alerts evaluations alt')).out).toMatch(
    new RegExp(`^Neue +${SECOND} +2026-.* UTC +FIRED +2 +[0-9a-f-]{36} +-$`, 'm'),
  );
  expect(await admin.refusal('alerts evaluations alt Neu')).toContain('alt has no alert Neu; did you mean Neue?');
});
