import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { interceptSteps } from '../../support/intercepted-store.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openStore, POSTGRES } from '../../support/store-engines.ts';
import { buildSmall, makeAlert, openStage, type Stage, versionOf } from './stage.ts';

/** Several instances over one store: the first to claim a version evaluates it, and each alert tells once. */

const ORGANISATIONS = 4;
const ALERTS = 30;

describe.skipIf(!POSTGRES.here)(`two instances: ${POSTGRES.name}`, () => {
  const folder = temporaryFolder();
  const stores: OrgStore[] = [];
  const stages: Stage[] = [];
  beforeAll(async () => {
    const warehouse = join(folder.path, 'warehouse');
    await buildSmall(warehouse, 1, [], { 1: {} });
    await buildSmall(warehouse, 2, [1], { 1: {}, 2: {} });
    await buildSmall(warehouse, 3, [1, 2], { 1: {}, 2: {}, 3: {} });
    const place = await POSTGRES.place();
    for (let instance = 0; instance < 2; instance++) {
      const store = await openStore(place);
      if (instance === 0) await store.migrate('apply');
      stores.push(store);
      stages.push(openStage(warehouse, store));
    }
    for (let organisation = 0; organisation < ORGANISATIONS; organisation++) {
      const { id } = await makeOrganisation(stores[0]!);
      for (let place = 0; place < ALERTS; place++) await makeAlert(stores[0]!, id, { name: `${place}` });
    }
  }, 120_000);
  afterAll(async () => {
    for (const store of stores) await store.close();
    folder.remove();
  });

  const publish = (build: number) => stages.map((stage) => stage.publish(build));

  /** Events of each alert for a version, and how many alerts have as many. */
  const eventsPerAlert = async (build: number) => {
    const rows = await stores[0]!.autocommit(
      z.strictObject({ events: z.int(), alerts: z.int() }),
      sql`SELECT events, count(*) AS alerts FROM (
            SELECT a.id, count(e.id) AS events FROM alerts a
            LEFT JOIN alert_evaluations o ON o.alert_id = a.id AND o.version = ${versionOf(build)}
            LEFT JOIN events e ON e.payload::jsonb -> 'data' -> 'alert' ->> 'id' = a.id::text AND e.id = o.event_id
            GROUP BY a.id) AS counted GROUP BY events`,
    );
    const [all] = await stores[0]!.autocommit(z.strictObject({ n: z.int() }), sql`SELECT count(*) AS n FROM events`);
    return { rows, all: all!.n };
  };

  it('that evaluate at the same time store exactly one event for each alert', async () => {
    publish(1);
    for (const stage of stages) await stage.evaluate();
    publish(2);
    const together = await Promise.all(stages.map((stage) => stage.evaluate()));
    expect(together).toContain(true);
    for (const stage of stages) expect(await stage.evaluate()).toBe(true);
    expect(await eventsPerAlert(2)).toEqual({
      ...{ rows: [{ events: 1, alerts: ORGANISATIONS * ALERTS }], all: ORGANISATIONS * ALERTS },
    });
  });

  it('share the work: one that was asleep for longer than its claim finds everything done', async () => {
    publish(3);
    const woken = Promise.withResolvers<void>();
    const asleep = Promise.withResolvers<void>();
    let isAsleep = false;
    const sleeper = interceptSteps(stores[0]!, async (step) => {
      if (isAsleep || !step.includes('INSERT INTO alert_evaluations')) return;
      isAsleep = true;
      asleep.resolve();
      await woken.promise;
    });
    const slept = stages[0]!.evaluate(sleeper);
    await asleep.promise;
    await stores[1]!.autocommit(z.unknown(), sql`UPDATE evaluations SET claimed_until = now() - interval '1 second'`);
    const other = await stages[1]!.evaluate();
    woken.resolve();
    await slept;
    expect(other).toBe(true);
    expect(await eventsPerAlert(3)).toEqual({
      ...{ rows: [{ events: 1, alerts: ORGANISATIONS * ALERTS }], all: 2 * ORGANISATIONS * ALERTS },
    });
    const evaluated = await stores[0]!.autocommit(
      z.strictObject({ attempts: z.int(), events: z.int() }),
      sql`SELECT attempts, events FROM evaluations WHERE version = ${versionOf(3)}`,
    );
    expect(evaluated).toEqual([{ attempts: 2, events: ORGANISATIONS * ALERTS }]);
  });
});
