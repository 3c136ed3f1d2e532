import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type EvaluatorParts, evaluatePending } from '../../../api/alerts/evaluator.ts';
import { Problem } from '../../../api/problem/problem.ts';
import { evaluationRow, evaluationsByAge } from '../../../sql/org/alerts/evaluations.ts';
import { putSavedFilters } from '../../../sql/org/records/saved-filters.ts';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { cases } from '../../support/cases.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { interceptSteps } from '../../support/intercepted-store.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, PREPARED } from '../../support/store-engines.ts';
import { buildSmall, makeAlert, moment, openStage, type Stage, unit, versionOf } from './stage.ts';

/** What alerts tell, and when: once for each published version. */

const [LARGE, OVERDUE] = ['grossspeicher', 'inbetriebnahme_ueberfaellig'];

const folder = temporaryFolder();
const made = join(folder.path, 'made');
let store: OrgStore;
beforeAll(async () => {
  store = await openFresh(PREPARED);
  const second = { 2: {}, 3: { signals: [LARGE] }, 4: {}, 5: { carrier: 'storage' }, 6: {}, 7: { signals: [LARGE] } };
  await buildSmall(made, 1, [], { 1: {}, 2: { signals: [LARGE] }, 3: {}, 4: {}, 5: { carrier: 'storage' } });
  await buildSmall(made, 2, [1], second);
  // A bad export, which is rolled back: 8 does not exist, 9 is no wind turbine, 3 has not lost its signal.
  await buildSmall(made, 3, [1, 2], { ...second, 3: {}, 8: {}, 9: { carrier: 'wind' } });
  await buildSmall(made, 4, [1, 2], { ...second, 1: {}, 3: { signals: [OVERDUE] }, 9: {} });
  await buildSmall(made, 5, [1, 2, 4], { ...second, 1: {}, 3: { signals: [OVERDUE] }, 9: {} });
}, 120_000);
afterAll(async () => {
  await store.close();
  folder.remove();
});

let stage: Stage;
let organisation: string;
let stages = 0;
beforeEach(async () => {
  await store.asOperator(async (session) => {
    await session.run(sql`DELETE FROM evaluations`);
    await session.run(sql`DELETE FROM organisations`);
  });
  const warehouse = join(folder.path, `warehouse-${stages++}`);
  cpSync(made, warehouse, { recursive: true });
  stage = openStage(warehouse, store);
  organisation = (await makeOrganisation(store)).id;
});

const alert = (name: string, choices: Partial<Parameters<typeof makeAlert>[2]> = {}) =>
  makeAlert(store, organisation, { name, ...choices });

const watching = (name: string, signals: readonly string[] = [LARGE!]) =>
  alert(name, { template: 'SIGNAL_CHANGE', signals: [...signals] });

/** Publishes builds and evaluates after each. */
async function publish(...builds: readonly (number | { readonly back: number })[]): Promise<void> {
  for (const build of builds) {
    if (typeof build === 'number') stage.publish(build);
    else stage.publish(build.back, 'rollback');
    expect(await stage.evaluate()).toBe(true);
  }
}

const evaluateWith = (parts: Partial<EvaluatorParts>) =>
  evaluatePending({ ...stage.parts, ...parts }, new AbortController().signal);

const told = async (): Promise<[string, number, readonly number[]][]> =>
  (await stage.told()).map(({ alert: name, version, units }) => [name, Number(version.slice(-4)), units]);

const evaluations = async () =>
  (await store.asOperator((session) => session.rows(evaluationRow, evaluationsByAge(10)))).toReversed();

const outcomes = () =>
  store.autocommit(
    z.strictObject({ name: z.string(), outcome: z.string(), fault: z.string().nullable() }),
    sql`SELECT a.name, e.outcome, e.fault FROM alert_evaluations e JOIN alerts a ON a.id = e.alert_id ORDER BY e.evaluated_at`,
  );

describe('what is news', () => {
  it('nothing, when the very first version is published', async () => {
    await alert('new');
    await publish(1);
    expect(await told()).toEqual([]);
    expect(await evaluations()).toMatchObject([{ version: versionOf(1), comparedWith: null, error: null, events: 0 }]);
  });

  it('units that were not served before, also those that have returned', async () => {
    await alert('new');
    await publish(1, 2, 4);
    expect(await told()).toEqual([
      ['new', 2, [6, 7]],
      ['new', 4, [1, 9]],
    ]);
    expect((await evaluations()).at(-1)).toMatchObject({
      ...{ version: versionOf(4), comparedWith: versionOf(2), attempts: 1, claimedUntil: null, error: null },
      ...{ changedUnits: 8, evaluatedAlerts: 1, events: 1 },
    });
  });

  it('signals that were gained or lost; a new unit gains those that it has', async () => {
    await watching('large');
    await watching('overdue', [OVERDUE!]);
    await watching('either', [LARGE!, OVERDUE!]);
    await publish(1, 2, 4);
    const expected = [
      ['either', 2, [2, 3, 7]],
      ['either', 4, [3]],
      ['large', 2, [2, 3, 7]],
      ['large', 4, [3]],
      ['overdue', 4, [3]],
    ];
    expect((await told()).toSorted()).toEqual(expected);
  });

  it('only units that match as they are now', async () => {
    await alert('storage', { criteria: { einheitTyp: ['storage'] } });
    await alert('solar', { criteria: { einheitTyp: ['solar'], bundesland: ['Bayern'] } });
    await alert('words', { criteria: { suche: 'PARK 6' } });
    await alert('other words', { criteria: { suche: 'park 5' } });
    await alert('words and more', { criteria: { suche: 'park', einheitTyp: ['wind'] } });
    await alert('number', { criteria: { suche: unit(7) } });
    await publish(1, 2);
    expect((await told()).toSorted()).toEqual([
      ['number', 2, [7]],
      ['solar', 2, [6, 7]],
      ['words', 2, [6]],
    ]);
  });

  it('not the content that a release changes', async () => {
    await alert('new');
    await watching('large');
    await publish(1, 2, 4);
    const before = await told();
    await publish(5);
    expect(await told()).toEqual(before);
    expect((await evaluations()).at(-1)).toMatchObject({ version: versionOf(5), changedUnits: 8, evaluatedAlerts: 2 });
  });

  it('only what was published after the alert was enabled', async () => {
    await alert('late', { enabledAt: moment(2) });
    await alert('off', { enabled: false });
    await publish(1, 2, 4);
    expect(await told()).toEqual([['late', 4, [1, 9]]]);
  });
});

describe('a version that is rolled back', () => {
  it('is told, as it was served; the roll-back tells nothing, nor does publishing it again', async () => {
    await alert('new');
    await publish(1, 2, 3, { back: 2 }, { back: 3 }, { back: 2 }, 3);
    expect((await told()).map(([, version, units]) => [version, units])).toEqual([
      [2, [6, 7]],
      [3, [8, 9]],
    ]);
  });

  it('of the next version, what it has named is told no more', async () => {
    await alert('new');
    await watching('large');
    await watching('either', [LARGE!, OVERDUE!]);
    await publish(1, 2, 3, { back: 2 }, 4);
    expect((await told()).filter(([, version]) => version > 2).toSorted()).toEqual([
      // That 3 has lost LARGE was told with version 3; that it has gained OVERDUE was not.
      ['either', 3, [3]],
      ['either', 4, [3]],
      ['large', 3, [3]],
      ['new', 3, [8, 9]],
      ['new', 4, [1]],
    ]);
  });

  it('hides nothing from alerts that it did not meet', async () => {
    await alert('solar', { criteria: { einheitTyp: ['solar'] } });
    await alert('late', { enabledAt: moment(3) });
    await publish(1, 2, 3, { back: 2 }, 4);
    expect((await told()).filter(([, version]) => version > 2).toSorted()).toEqual([
      ['late', 4, [1, 9]],
      ['solar', 3, [8]],
      ['solar', 4, [1, 9]],
    ]);
  });

  it('before anybody was told is not told, unless it is served again', async () => {
    await alert('new');
    await publish(1, 2);
    stage.publish(3);
    await publish({ back: 2 });
    expect((await told()).map(([, version]) => version)).toEqual([2]);
    await publish({ back: 3 });
    expect((await told()).map(([, version]) => version)).toEqual([2, 3]);
  });

  it('before anybody was told, and is served again, is told without what a later one has named', async () => {
    await alert('new');
    await publish(1);
    stage.publish(2);
    await publish({ back: 1 }, 3, { back: 2 });
    expect(await told()).toEqual([['new', 3, [6, 7, 8, 9]]]);
  });
});

describe('after the service was down', () => {
  it('every version is told by itself, in the order of the publications', async () => {
    await alert('new');
    await publish(1);
    stage.publish(2);
    stage.publish(4);
    await publish(5);
    expect(await told()).toEqual([
      ['new', 2, [6, 7]],
      ['new', 4, [1, 9]],
    ]);
  });

  it('the news of a version that is not kept any more belong to those of the next', async () => {
    await alert('new');
    await publish(1);
    stage.publish(2);
    stage.prune(2);
    await publish(4);
    expect(await told()).toEqual([['new', 4, [6, 7, 9]]]);
    expect((await evaluations()).map(({ version, comparedWith }) => [version, comparedWith])).toEqual([
      [versionOf(1), null],
      [versionOf(4), versionOf(1)],
    ]);
  });

  it('a version that is removed at the last moment leaves its news to the next', async () => {
    await alert('new');
    await publish(1);
    stage.publish(2);
    stage.publish(4);
    let looks = 0;
    const { warehouse } = stage.parts;
    const pruned = {
      ...warehouse,
      versions() {
        looks += 1;
        if (looks === 2) stage.prune(2);
        return warehouse.versions();
      },
    };
    expect(await evaluateWith({ warehouse: pruned })).toBe(false);
    expect(await stage.evaluate()).toBe(true);
    expect(await told()).toEqual([['new', 4, [6, 7, 9]]]);
    expect((await evaluations()).map(({ version }) => version)).toEqual([versionOf(1), versionOf(4)]);
  });

  it('a version that cannot be compared is given up, and later ones go on', async () => {
    await alert('new');
    await publish(1, 2);
    stage.prune(2);
    stage.publish(4);
    await publish(5);
    const [, , given, next] = await evaluations();
    expect(given).toMatchObject({ version: versionOf(4), error: expect.stringContaining('not kept'), events: 0 });
    expect(given!.endedAt).not.toBeNull();
    expect(next).toMatchObject({ version: versionOf(5), comparedWith: versionOf(4), error: null });
  });

  it('versions of more than thirty days ago are no news', async () => {
    await alert('new');
    stage.publish(1);
    stage.publish(2);
    const old = stage.parts.warehouse.publications();
    const days = 31 * 86_400_000;
    for (const one of old) one.publishedAt = new Date(Date.now() - days).toISOString();
    expect(await stage.evaluate()).toBe(true);
    expect(await evaluations()).toEqual([]);
  });
});

describe('an evaluation that fails', () => {
  const failingWith = (error: Error) =>
    evaluateWith({ warehouse: { ...stage.parts.warehouse, openBeside: () => Promise.reject(error) } });
  const set = (columns: StoreStatement) =>
    store.autocommit(
      z.unknown(),
      sql`UPDATE evaluations SET ${columns}, claimed_until = NULL WHERE version = ${versionOf(2)}`,
    );
  const last = async () => (await evaluations()).at(-1)!;

  beforeEach(async () => {
    await alert('new');
    await publish(1);
    stage.publish(2);
  });

  it('is tried again, and given up after twenty errors, with which crashes do not count', async () => {
    expect(await failingWith(new Error('broken'))).toBe(false);
    await set(sql`attempts = 100`);
    expect(await failingWith(new Error('broken'))).toBe(false);
    expect(await last()).toMatchObject({ attempts: 101, failures: 2, error: 'broken', endedAt: null });
    await set(sql`failures = 19`);
    expect(await failingWith(new Error('broken'))).toBe(true);
    expect(await last()).toMatchObject({ error: 'broken', endedAt: expect.any(String), events: 0 });
  });

  it('is never given up because the warehouse did not answer', async () => {
    expect(await failingWith(new Error('broken'))).toBe(false);
    await set(sql`failures = 19`);
    expect(await failingWith(new Problem('SERVICE_UNAVAILABLE', 'The warehouse does not answer'))).toBe(false);
    await set(sql`failures = 19`);
    expect(await stage.evaluate()).toBe(true);
    expect(await told()).toEqual([['new', 2, [6, 7]]]);
    expect(await last()).toMatchObject({ error: null, failures: 19 });
  });
});

describe('an alert that cannot be asked', () => {
  const FILTER = '01900000-0000-7000-8000-000000000001';
  const putFilter = (kind: 'table' | 'map', criteria: Record<string, unknown>) => {
    const times = { createdAt: moment(0), updatedAt: moment(0) };
    const row = { id: FILTER, name: 'Filter', kind, criteria, ...times };
    return store.asOperator((session) => session.run(putSavedFilters(organisation, [row])));
  };

  it('is faulty until it can be asked again, and the others go on', async () => {
    await alert('others');
    await alert('saved', { savedFilterId: FILTER });
    await publish(1, 2);
    expect(await outcomes()).toEqual(
      expect.arrayContaining([
        { name: 'others', outcome: 'FIRED', fault: null },
        { name: 'saved', outcome: 'FAULTY', fault: expect.stringContaining(FILTER) },
      ]),
    );
    const faultOf = async () =>
      (
        await store.autocommit(
          z.strictObject({ fault: z.string().nullable(), since: z.string().nullable() }),
          sql`SELECT fault, faulty_since AS since FROM alerts WHERE name = 'saved'`,
        )
      )[0];
    expect(await faultOf()).toEqual({ fault: expect.stringContaining('no saved filter'), since: expect.any(String) });
    await putFilter('table', { bundesland: ['Bayern'] });
    await publish(4);
    expect(await faultOf()).toEqual({ fault: null, since: null });
    expect((await told()).toSorted()).toEqual([
      ['others', 2, [6, 7]],
      ['others', 4, [1, 9]],
      ['saved', 4, [1, 9]],
    ]);
  });

  it('is named in the log once after each evaluation, without what it asks', async () => {
    const { id } = await alert('saved', { savedFilterId: FILTER });
    await publish(1);
    stage.publish(2);
    const lines: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
    expect(await evaluateWith({ log })).toBe(true);
    expect(lines).toMatchObject([{ version: versionOf(2), faulty: 1, first: [{ organisation, alert: id }] }]);
  });

  it('asks by the saved filter as it is at that moment', async () => {
    await putFilter('table', { einheitTyp: ['wind'] });
    await alert('saved', { savedFilterId: FILTER });
    await publish(1);
    stage.publish(2);
    await putFilter('table', { einheitTyp: ['solar'] });
    await publish(4);
    expect(await told()).toEqual([
      ['saved', 2, [6, 7]],
      ['saved', 4, [1, 9]],
    ]);
  });
});

it('a change of the alert while it is evaluated counts for later versions', async () => {
  const { id } = await alert('new');
  await publish(1);
  stage.publish(2);
  let isRead = false;
  let isChanged = false;
  const changing = interceptSteps(store, async (step) => {
    isRead ||= step.includes('FROM saved_filters');
    if (!isRead || isChanged || step !== 'begin') return;
    isChanged = true;
    const enabledAt = new Date(Date.parse(moment(1)) + 30_000).toISOString();
    const change = sql`UPDATE alerts SET enabled_at = ${enabledAt}::timestamptz WHERE id = ${id}::uuid`;
    await store.autocommit(z.unknown(), change);
  });
  await stage.evaluate(changing);
  expect([isChanged, await told(), await outcomes()]).toEqual([true, [], []]);
  await publish(4);
  expect(await told()).toEqual([['new', 4, [1, 9]]]);
});

/** A run of the suite tries every other step; CASES=2 tries all of them. */
const EVERY = cases(1) > 1 ? 1 : 2;

describe('a crash', () => {
  const EXPECTED = [
    ['large', 2, [2, 3, 7]],
    ['new', 2, [6, 7]],
  ];
  const claimsLapse = () =>
    store.autocommit(z.unknown(), sql`UPDATE evaluations SET claimed_until = now() - interval '1 second'`);

  /** A store that the process is killed before the given step of. */
  const dyingAt = (last: number) => {
    let steps = 0;
    return interceptSteps(store, () => {
      steps += 1;
      if (steps >= last) throw new Error('the process was killed');
    });
  };

  beforeEach(async () => {
    await alert('new');
    await watching('large');
    await alert('nothing', { criteria: { einheitTyp: ['wind'] } });
    await publish(1);
    stage.publish(2);
  });

  it('keeps others away until the claim is over', async () => {
    await stage.evaluate(dyingAt(12)).catch(() => {});
    expect(await stage.evaluate()).toBe(false);
    expect(await told()).toEqual([]);
    await claimsLapse();
    expect(await stage.evaluate()).toBe(true);
    expect((await told()).toSorted()).toEqual(EXPECTED);
    expect((await evaluations()).at(-1)).toMatchObject({ attempts: 2, evaluatedAlerts: 3, events: 2 });
  });

  it('between any two steps is taken up, and everything is told once', { timeout: 120_000 }, async () => {
    for (let last = 1; ; last += EVERY) {
      const survived = await stage.evaluate(dyingAt(last)).catch(() => false);
      await claimsLapse();
      expect(await stage.evaluate(), `killed before step ${last}`).toBe(true);
      expect((await told()).toSorted(), `killed before step ${last}`).toEqual(EXPECTED);
      if (survived) {
        expect(last).toBeGreaterThan(25);
        break;
      }
      await store.asOperator(async (session) => {
        await session.run(sql`DELETE FROM evaluations WHERE version = ${versionOf(2)}`);
        await session.run(sql`DELETE FROM alert_evaluations`);
        await session.run(sql`DELETE FROM events`);
      });
    }
  });
});
