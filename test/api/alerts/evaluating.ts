import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { type EvaluatorParts, evaluatePending } from '../../../api/alerts/evaluator.ts';
import { evaluationRow, evaluationsByAge } from '../../../sql/org/alerts/evaluations.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { sharedFolder } from '../../support/shared-folder.ts';
import { ANYWHERE, openFresh } from '../../support/store-engines.ts';
import { buildSmall, makeAlert, openStage, type Stage, unit } from './stage.ts';

export const LARGE = 'grossspeicher';
export const OVERDUE = 'inbetriebnahme_ueberfaellig';

/** Five versions of a few units. */
async function buildFive(warehouse: string): Promise<void> {
  const second = { 2: {}, 3: { signals: [LARGE] }, 4: {}, 5: { carrier: 'storage' }, 6: {}, 7: { signals: [LARGE] } };
  await buildSmall(warehouse, 1, [], { 1: {}, 2: { signals: [LARGE] }, 3: {}, 4: {}, 5: { carrier: 'storage' } });
  await buildSmall(warehouse, 2, [1], second);
  // A bad export, which is rolled back: 8 does not exist, 9 is no wind turbine, 3 has not lost its signal.
  await buildSmall(warehouse, 3, [1, 2], { ...second, 3: {}, 8: {}, 9: { carrier: 'wind' } });
  await buildSmall(warehouse, 4, [1, 2], { ...second, 1: {}, 3: { signals: [OVERDUE] }, 9: {} });
  await buildSmall(warehouse, 5, [1, 2, 4], { ...second, 1: {}, 3: { signals: [OVERDUE] }, 9: {} });
}

/** Evaluations over five versions, none of which is published. Each test has a stage and an organisation of its own. */
export function evaluating() {
  const folder = temporaryFolder();
  let made: string;
  let store: OrgStore;
  beforeAll(async () => {
    store = await openFresh(ANYWHERE);
    made = await sharedFolder('alert-versions', buildFive);
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

  const watching = (name: string, signals: readonly string[] = [LARGE]) =>
    alert(name, { template: 'SIGNAL_CHANGE', signals: [...signals] });

  /** Gives an organisation the portfolio of these units alone. */
  const owns = (holder: string, ...digits: readonly number[]) =>
    store.asOperator(async (session) => {
      await session.run(sql`DELETE FROM portfolio_entries WHERE organisation_id = ${holder}::uuid`);
      for (const digit of digits) {
        await session.run(sql`
          INSERT INTO portfolio_entries (id, organisation_id, mastr_number, relation_type, external_refs, created_at, updated_at)
          VALUES (gen_random_uuid(), ${holder}::uuid, ${unit(digit)}, 'OWNER', '{}', now(), now())`);
      }
    });

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

  return {
    get stage() {
      return stage;
    },
    get store() {
      return store;
    },
    get organisation() {
      return organisation;
    },
    ...{ alert, watching, owns, publish, evaluateWith, told, evaluations, outcomes },
  };
}
