import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../sql/org/statement.ts';
import { type Console, openConsole } from './console.ts';

/** Releases and active fields by the command line, of the owner of a field. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
});
afterAll(() => admin.close());

const UNIT = 'SEE900000000001';

let made = 0;
let owner: string;
let partner: string;
let connection: string;

/** Two organisations with an accepted connection; the first has a field of each kind. */
beforeEach(async () => {
  made += 1;
  [owner, partner] = [`eigen-${made}`, `partner-${made}`];
  for (const name of [owner, partner]) await admin.json(['organisations', 'create', name, '--name', `Werk ${name}`]);
  connection = (await admin.json(`connections invite ${owner} ${partner}`)).data.id;
  await admin.json(`connections accept ${partner} ${connection}`);
  await admin.json(`fields create ${owner} Anteil --type TEXT --shared`);
  await admin.json(`fields create ${owner} Bitte --type TEXT --filled-by-partner`);
  await admin.json(`fields create ${owner} Eigen --type TEXT`);
});

const fields = () => admin.json(`connections fields list ${owner} ${connection}`);
const releases = () => admin.json(`releases list ${owner}`);

test('a field is active on a connection until it is not; both sides list it', async () => {
  const activated = await admin.json(`connections fields activate ${owner} ${connection} Anteil`);
  expect(activated).toMatchObject({
    data: { name: 'Anteil', richtung: 'SHARE', freigegeben: false },
    meta: { geaendert: true },
  });
  expect(await admin.json(`connections fields activate ${owner} ${connection} Bitte`)).toMatchObject({
    data: { richtung: 'REQUEST' },
  });
  expect(await admin.json(`connections fields activate ${owner} ${connection} Bitte`)).toMatchObject({
    meta: { geaendert: false },
  });
  expect(await fields()).toMatchObject([
    { name: 'Anteil', own: true, direction: 'SHARE', released: false, standing: 0 },
    { name: 'Bitte', own: true, direction: 'REQUEST', released: false, standing: 0 },
  ]);
  expect(await admin.json(`connections fields list ${partner} ${connection}`)).toMatchObject([
    { own: false },
    { own: false },
  ]);
  for (const geaendert of [true, false]) {
    expect(await admin.json(`connections fields deactivate ${owner} ${connection} Anteil`)).toMatchObject({
      data: { richtung: null },
      meta: { geaendert },
    });
  }
  expect(await fields()).toMatchObject([{ name: 'Bitte' }]);
});

test('activity moves the time of change of the connection; a release does not', async () => {
  const time = async () => (await admin.json(`connections show ${owner} ${connection}`)).updatedAt;
  const before = await time();
  await admin.json(`releases add ${owner} Anteil --connection ${connection}`);
  expect(await time()).toBe(before);
  await admin.json(`connections fields activate ${owner} ${connection} Anteil`);
  const active = await time();
  expect(active > before).toBe(true);
  await admin.json(`connections fields activate ${owner} ${connection} Anteil`);
  expect(await time()).toBe(active);
});

test('releases are for a connection or on units, and each is withdrawn by itself', async () => {
  const other = UNIT.replace(/1$/, '2');
  await admin.json(`releases add ${owner} Anteil --connection ${connection}`);
  expect(await admin.json(`releases add ${owner} Anteil --asset ${other},${UNIT}`)).toMatchObject({
    meta: { geaendert: 2, aktiv: null },
  });
  expect(await admin.json(`releases add ${owner} Anteil --asset ${UNIT}`)).toMatchObject({ meta: { geaendert: 0 } });
  expect(await releases()).toMatchObject([
    { field: 'Anteil', connection, counterpart: `Werk ${partner}`, asset: null },
    { field: 'Anteil', connection: null, counterpart: null, asset: UNIT },
    { field: 'Anteil', connection: null, counterpart: null, asset: other },
  ]);
  expect(await admin.json(`releases withdraw ${owner} Anteil --asset ${UNIT}`)).toMatchObject({
    meta: { geaendert: 1 },
  });
  for (const geaendert of [1, 0]) {
    expect(await admin.json(`releases withdraw ${owner} Anteil --connection ${connection}`)).toMatchObject({
      meta: { geaendert },
    });
    expect(await releases()).toMatchObject([{ asset: other }]);
  }
});

test('activating says whether the field is released there', async () => {
  const activate = (field: string) => admin.json(`connections fields activate ${owner} ${connection} ${field}`);
  expect((await activate('Anteil')).data.freigegeben).toBe(false);
  await admin.json(`releases add ${owner} Bitte --connection ${connection}`);
  expect((await activate('Bitte')).data.freigegeben).toBe(true);
});

test('releasing for a connection says whether the field is active there', async () => {
  const release = async (words: string) => (await admin.json(`releases add ${owner} ${words}`)).meta.aktiv;
  expect(await release(`Anteil --connection ${connection}`)).toBe(false);
  await admin.json(`connections fields activate ${owner} ${connection} Bitte`);
  expect(await release(`Bitte --connection ${connection}`)).toBe(true);
  expect(await release(`Anteil --asset ${UNIT}`)).toBe(null);
});

test('a field that is neither shared nor filled by the counterpart crosses nothing', async () => {
  const reason = 'The field Eigen is neither shared nor filled by the counterpart';
  expect(await admin.refusal(`releases add ${owner} Eigen --connection ${connection}`)).toContain(reason);
  expect(await admin.refusal(`releases add ${owner} Eigen --asset ${UNIT}`)).toContain(reason);
  expect(await admin.refusal(`connections fields activate ${owner} ${connection} Eigen`)).toContain(reason);
});

test('nor does one that is retired, or of a type without values', async () => {
  await admin.json(`fields retire ${owner} Anteil`);
  expect(await admin.refusal(`releases add ${owner} Anteil --asset ${UNIT}`)).toContain('The field Anteil is retired');
  await admin.json(`fields create ${owner} Datei --type FILE --shared`);
  expect(await admin.refusal(`connections fields activate ${owner} ${connection} Datei`)).toContain('is of type FILE');
});

test('only the owner has its fields, on its own connections', async () => {
  expect(await admin.refusal(`releases add ${partner} Anteil --connection ${connection}`)).toContain(
    `${partner} has no field Anteil`,
  );
  expect(await admin.refusal(`connections fields activate ${partner} ${connection} Anteil`)).toContain(
    'has no field Anteil',
  );
  await admin.json(['organisations', 'create', `dritte-${made}`, '--name', 'Dritte']);
  expect(await admin.refusal(`connections fields list dritte-${made} ${connection}`)).toContain('has no connection');
});

test('nothing is arranged on a connection that has ended, and what was stays as it is', async () => {
  await admin.json(`releases add ${owner} Anteil --connection ${connection}`);
  await admin.json(`connections revoke ${partner} ${connection}`);
  for (const words of [
    `releases add ${owner} Bitte --connection ${connection}`,
    `releases withdraw ${owner} Anteil --connection ${connection}`,
    `connections fields activate ${owner} ${connection} Anteil`,
    `connections fields deactivate ${owner} ${connection} Anteil`,
  ]) {
    expect(await admin.refusal(words)).toContain('The connection has ended (REVOKED');
  }
  expect(await releases()).toHaveLength(1);
});

test.each(['', '--connection x', `--asset SEE1`, `--connection 019a0f6e-7c1b-7d52-9f0e-00000000c001 --asset ${UNIT}`])(
  'releases add needs either a connection or units: %j is refused',
  async (options) => {
    expect((await admin.run(`releases add ${owner} Anteil ${options}`.trim())).code).toBe(5);
  },
);

test('standing releases move with their organisation', async () => {
  await admin.json(`releases add ${owner} Anteil --asset ${UNIT}`);
  const document = await admin.json(`export ${owner}`);
  expect(document.standingReleases).toEqual([
    { field: 'Anteil', mastrNumber: UNIT, releasedAt: expect.stringMatching(/Z$/) },
  ]);
  const again = await admin.json('import -', JSON.stringify(document));
  expect(again.counts.standingReleases).toEqual({ created: 0, updated: 0, unchanged: 1 });
  await admin.store.asOperator((session) => session.run(sql`DELETE FROM standing_releases`));
  const restored = await admin.json('import -', JSON.stringify(document));
  expect(restored.counts.standingReleases).toEqual({ created: 1, updated: 0, unchanged: 0 });
  expect((await admin.json(`export ${owner}`)).standingReleases).toEqual(document.standingReleases);
  const strange = {
    ...document,
    standingReleases: [
      { field: 'Eigen', mastrNumber: UNIT },
      { field: 'Unbekannt', mastrNumber: UNIT },
    ],
  };
  const { code, err } = await admin.run('import -', JSON.stringify(strange));
  expect(code).toBe(5);
  expect(err).toContain('#/standingReleases/0/field names Eigen, which crosses no connection');
  expect(err).toContain('#/standingReleases/1/field names Unbekannt, which is no field');
});
