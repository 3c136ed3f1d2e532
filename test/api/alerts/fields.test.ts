import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { event, event2 } from '../../../api/events/event.ts';
import type { AlertRow } from '../../../sql/org/alerts/alerts.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { claimDeliveries, claimRow } from '../../../sql/org/webhooks/deliveries.ts';
import { parseVersionId, versionFile } from '../../../sql/warehouse/versions.ts';
import { type Tables, withTables } from '../../support/built.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { ANYWHERE, openFresh } from '../../support/store-engines.ts';
import { makeEndpoint } from '../../support/webhooks.ts';
import { buildChain, type Chain } from '../delta/chain.ts';
import { makeAlert, openStage, type Stage } from './stage.ts';

/** Alerts on fields, over a chain of built versions of which one is withdrawn: they tell of what differs between two versions. */

let chain: Chain;
let store: OrgStore;
let warehouse: string;
let stage: Stage;
let organisation: string;
let endpoints: string[];
beforeAll(async () => {
  [chain, store] = await Promise.all([buildChain(), openFresh(ANYWHERE)]);
  warehouse = chain.copy('fields');
  stage = openStage(warehouse, store, (build) => chain.versions[build - 1]!);
  organisation = (await makeOrganisation(store)).id;
  endpoints = [];
  for (const schemaVersion of [1, 2] as const) {
    endpoints.push((await makeEndpoint(store, organisation, { schemaVersion })).id);
  }
}, 600_000);
afterAll(async () => {
  await store?.close();
  chain?.remove();
});

/** In the chain nothing is commissioned: one of the units that changed with the last version was planned before. */
async function commission(): Promise<void> {
  const build = parseVersionId(chain.versions[3]!)!.sequence;
  const [unit] = await withTables(
    warehouse,
    (tables) =>
      tables<{ number: string }>(
        `SELECT mastrNummer AS "number" FROM units JOIN units_ersetzt USING (mastrNummer)
         WHERE units.statusId = 35 AND units.gueltigSeit = ${build} AND ersetztSeit = ${build} LIMIT 1`,
      ),
    chain.versions[3]!,
  );
  for (const [version, table] of [
    [chain.versions[1]!, 'units'],
    [chain.versions[3]!, 'units_ersetzt'],
  ] as const) {
    const instance = await DuckDBInstance.create(versionFile(warehouse, version));
    const connection = await instance.connect();
    await connection.run(
      `UPDATE ${table} SET statusId = 31, betriebsStatus = 'In Planung' WHERE mastrNummer = '${unit!.number}'`,
    );
    connection.closeSync();
    instance.closeSync();
  }
}

const ALERTS = {
  Leistung: { template: 'FIELD_CHANGE', fields: ['bruttoleistungKw', 'bundesland'] },
  Name: { template: 'FIELD_CHANGE', fields: ['name'] },
  Status: { template: 'STATUS_CHANGE' },
  Betrieb: { template: 'COMMISSIONED' },
  Sonne: { template: 'FIELD_CHANGE', fields: ['bruttoleistungKw'], criteria: { einheitTyp: ['solar'] } },
  Neu: { template: 'NEW_UNIT' },
} as const;

type Unit = Readonly<
  Record<'einheitTyp' | 'bruttoleistungKw' | 'bundesland' | 'name' | 'betriebsStatus', string | null>
>;

const unitsOf = (build: number): Promise<Map<string, Unit>> =>
  withTables(
    warehouse,
    async (tables: Tables) => {
      const rows = await tables<Unit & { nummer: string }>(
        'SELECT mastrNummer AS nummer, einheitTyp, bruttoleistungKw, bundesland, name, betriebsStatus FROM units ORDER BY 1',
      );
      return new Map(rows.map(({ nummer, ...unit }) => [nummer, unit]));
    },
    chain.versions[build - 1]!,
  );

const RUNNING = 'In Betrieb';

/** What each alert has to tell of a version that is compared with another. */
async function differences(from: number, to: number): Promise<Record<string, string[]>> {
  const [before, after] = [await unitsOf(from), await unitsOf(to)];
  const where = (holds: (now: Unit, then: Unit) => boolean): string[] =>
    [...after].flatMap(([number, now]) => {
      const then = before.get(number);
      return then !== undefined && holds(now, then) ? [number] : [];
    });
  const all = {
    Leistung: where((a, b) => a.bruttoleistungKw !== b.bruttoleistungKw || a.bundesland !== b.bundesland),
    Name: where((a, b) => a.name !== b.name),
    Status: where((a, b) => a.betriebsStatus !== b.betriebsStatus),
    Betrieb: where((a, b) => a.betriebsStatus === RUNNING && b.betriebsStatus !== RUNNING),
    Sonne: where((a, b) => a.einheitTyp === 'solar' && a.bruttoleistungKw !== b.bruttoleistungKw),
    Neu: [...after.keys()].filter((number) => !before.has(number)),
  };
  return Object.fromEntries(Object.entries(all).filter(([, numbers]) => numbers.length > 0));
}

const eventRow = z.strictObject({
  payload: z.string(),
  payload2: z.string(),
  numbers: z.array(z.string()),
});

const events = async () =>
  (
    await store.autocommit(
      eventRow,
      sql`SELECT payload, payload_2 AS payload2, mastr_numbers AS numbers FROM events ORDER BY number`,
    )
  ).map(({ payload, payload2, numbers }) => ({
    one: event.parse(JSON.parse(payload)),
    two: event2.parse(JSON.parse(payload2)),
    numbers,
  }));

/** Publishes a build. @returns what was told then, by alert */
async function toldOf(build: number, cause?: 'rollback'): Promise<Record<string, string[]>> {
  const before = (await events()).length;
  stage.publish(build, cause);
  expect(await stage.evaluate()).toBe(true);
  const told = (await events()).slice(before);
  return Object.fromEntries(told.map(({ one, numbers }) => [one.data.alert.name, numbers]));
}

it('tells of units of which a watched field differs, and what changed where an endpoint takes it', {
  timeout: 600_000,
}, async () => {
  for (const [name, choices] of Object.entries(ALERTS)) {
    const { fields = [], ...rest } = choices as Partial<AlertRow>;
    await makeAlert(store, organisation, { ...rest, name, fields: [...fields] });
  }
  expect(await toldOf(1)).toEqual({});
  expect(await toldOf(2)).toEqual(await differences(1, 2));
  const bad = await toldOf(3);
  expect(bad).toEqual(await differences(2, 3));
  expect(bad.Status!.length).toBeGreaterThan(0);
  expect(await toldOf(2, 'rollback')).toEqual({});
  await commission();
  const healed = await toldOf(4);
  // Of units that are new a withdrawn version has told; what has changed is told again, as it may have become another value.
  const { Neu: _, ...expected } = await differences(2, 4);
  const { Neu: __, ...found } = healed;
  expect(found).toEqual(expected);
  const fired = new Set((await events()).map(({ one }) => one.data.alert.name));
  for (const name of ['Leistung', 'Status', 'Betrieb', 'Sonne', 'Neu']) expect(fired).toContain(name);

  for (const { one, two } of await events()) {
    const { matches, schemaVersion: _, ...data } = two.data;
    expect(one).toEqual({
      ...two,
      data: { ...data, schemaVersion: 1, matches: matches.map(({ mastrNummer }) => ({ mastrNummer })) },
    });
    const { name } = one.data.alert;
    if (name === 'Neu') {
      for (const { changes, signalsLost } of matches) expect([changes, signalsLost]).toEqual([[], []]);
    } else if (name === 'Leistung') {
      for (const { changes } of matches)
        expect(changes.map(({ feld }) => feld)).toEqual(
          expect.arrayContaining([expect.stringMatching(/^(bruttoleistungKw|bundesland)$/)]),
        );
    } else if (name === 'Betrieb') {
      for (const { changes } of matches)
        expect(changes.find(({ feld }) => feld === 'betriebsStatus')).toMatchObject({ nachher: RUNNING });
    }
  }
  const { length } = await events();
  const wanted = endpoints.map((endpointId) => ({ endpointId, count: 50 }));
  const claims = await store.asOperator((session) => session.rows(claimRow, claimDeliveries(sql`now()`, wanted, 60)));
  expect(claims).toHaveLength(2 * length);
  for (const { endpoint, payload } of claims) {
    expect(JSON.parse(payload).data.schemaVersion).toBe(endpoint.schemaVersion);
  }
});
