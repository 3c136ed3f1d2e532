import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Problem } from '../../../api/problem/problem.ts';
import { putSavedFilters } from '../../../sql/org/records/saved-filters.ts';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import { drawn } from '../../support/cases.ts';
import { interceptSteps } from '../../support/intercepted-store.ts';
import { evaluating } from './evaluating.ts';
import { moment, versionOf } from './stage.ts';

/** Evaluations that fail or are broken off, and alerts that cannot be asked or are changed meanwhile. */

const subject = evaluating();
const { alert, watching, publish, evaluateWith, told, evaluations, outcomes } = subject;

describe('an evaluation that fails', () => {
  const failingWith = (error: Error) =>
    evaluateWith({ warehouse: { ...subject.stage.parts.warehouse, openBeside: () => Promise.reject(error) } });
  const set = (columns: StoreStatement) =>
    subject.store.autocommit(
      z.unknown(),
      sql`UPDATE evaluations SET ${columns}, claimed_until = NULL WHERE version = ${versionOf(2)}`,
    );
  const last = async () => (await evaluations()).at(-1)!;

  beforeEach(async () => {
    await alert('new');
    await publish(1);
    subject.stage.publish(2);
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
    expect(await subject.stage.evaluate()).toBe(true);
    expect(await told()).toEqual([['new', 2, [6, 7]]]);
    expect(await last()).toMatchObject({ error: null, failures: 19 });
  });
});

describe('an alert that cannot be asked', () => {
  const FILTER = '01900000-0000-7000-8000-000000000001';
  const putFilter = (kind: 'table' | 'map', criteria: Record<string, unknown>) => {
    const times = { createdAt: moment(0), updatedAt: moment(0) };
    const row = { id: FILTER, name: 'Filter', kind, criteria, view: null, ...times };
    return subject.store.asOperator((session) => session.run(putSavedFilters(subject.organisation, [row])));
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
        await subject.store.autocommit(
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
    subject.stage.publish(2);
    const lines: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
    expect(await evaluateWith({ log })).toBe(true);
    expect(lines).toMatchObject([
      { version: versionOf(2), faulty: 1, first: [{ organisation: subject.organisation, alert: id }] },
    ]);
  });

  it('asks by the saved filter as it is at that moment', async () => {
    await putFilter('table', { einheitTyp: ['wind'] });
    await alert('saved', { savedFilterId: FILTER });
    await publish(1);
    subject.stage.publish(2);
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
  subject.stage.publish(2);
  let isRead = false;
  let isChanged = false;
  const changing = interceptSteps(subject.store, async (step) => {
    isRead ||= step.includes('FROM saved_filters');
    if (!isRead || isChanged || step !== 'begin') return;
    isChanged = true;
    const enabledAt = new Date(Date.parse(moment(1)) + 30_000).toISOString();
    const change = sql`UPDATE alerts SET enabled_at = ${enabledAt}::timestamptz WHERE id = ${id}::uuid`;
    await subject.store.autocommit(z.unknown(), change);
  });
  await subject.stage.evaluate(changing);
  expect([isChanged, await told(), await outcomes()]).toEqual([true, [], []]);
  await publish(4);
  expect(await told()).toEqual([['new', 4, [1, 9]]]);
});

/** A run of the suite tries every fifth step, from one of the first five, which SEED draws; CASES=2 tries all of them. */
const STARTS = drawn([1, 2, 3, 4, 5], 1);
const EVERY = 5 / STARTS.length;

describe('a crash', () => {
  const EXPECTED = [
    ['large', 2, [2, 3, 7]],
    ['new', 2, [6, 7]],
  ];
  const claimsLapse = () =>
    subject.store.autocommit(z.unknown(), sql`UPDATE evaluations SET claimed_until = now() - interval '1 second'`);

  /** A store that the process is killed before the given step of. */
  const dyingAt = (last: number) => {
    let steps = 0;
    return interceptSteps(subject.store, () => {
      steps += 1;
      if (steps >= last) throw new Error('the process was killed');
    });
  };

  beforeEach(async () => {
    await alert('new');
    await watching('large');
    await alert('nothing', { criteria: { einheitTyp: ['wind'] } });
    await publish(1);
    subject.stage.publish(2);
  });

  it('keeps others away until the claim is over', async () => {
    await subject.stage.evaluate(dyingAt(12)).catch(() => {});
    expect(await subject.stage.evaluate()).toBe(false);
    expect(await told()).toEqual([]);
    await claimsLapse();
    expect(await subject.stage.evaluate()).toBe(true);
    expect((await told()).toSorted()).toEqual(EXPECTED);
    expect((await evaluations()).at(-1)).toMatchObject({ attempts: 2, evaluatedAlerts: 3, events: 2 });
  });

  it('between any two steps is taken up, and everything is told once', { timeout: 120_000 }, async () => {
    for (let last = STARTS[0]!; ; last += EVERY) {
      const survived = await subject.stage.evaluate(dyingAt(last)).catch(() => false);
      await claimsLapse();
      expect(await subject.stage.evaluate(), `killed before step ${last}`).toBe(true);
      expect((await told()).toSorted(), `killed before step ${last}`).toEqual(EXPECTED);
      if (survived) {
        expect(last).toBeGreaterThan(25);
        break;
      }
      await subject.store.asOperator(async (session) => {
        await session.run(sql`DELETE FROM evaluations WHERE version = ${versionOf(2)}`);
        await session.run(sql`DELETE FROM alert_evaluations`);
        await session.run(sql`DELETE FROM events`);
      });
    }
  });
});
