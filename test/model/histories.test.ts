import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { cases, partOfCases, sameInEveryRun } from '../support/cases.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';
import { drawnEngines, openFresh } from '../support/store-engines.ts';
import { histories, newWorld } from './history.ts';
import { Reality } from './world/reality.ts';

/**
 * Random histories of two to four organisations, through the commands of the operator and the operations of the
 * interface: after every step, every answer to every organisation is the one that the model gives.
 *
 * `npm test` plays one of three histories on one engine. With CASES, they are others in every run: play many after changing
 * what the model is about (`CASES=20 npm test -- test/model/histories`), since a run that passes says little about all
 * others.
 */

const HISTORIES = 3;
const LENGTH = 70;

for (const engine of drawnEngines(8)) {
  describe(engine.name, () => {
    const state = temporaryFolder();
    let service: OwnSubject;
    beforeAll(async () => {
      const store = await openFresh(engine);
      service = await serveOwnFixture({ STATE_DIR: state.path }, store);
    });
    afterAll(async () => {
      await service?.stop();
      await service?.store.close();
      state.remove();
    });

    test('histories and the model agree after every step', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 4 }), histories(LENGTH), async (count, steps) => {
          const setup = async () => {
            const model = newWorld(count);
            const real = new Reality(service, state.path);
            await real.found(model);
            return { model, real };
          };
          await fc.asyncModelRun(setup, steps);
        }),
        // A failure is shown as short as it could be made in this time.
        { ...partOfCases(HISTORIES, HISTORIES, sameInEveryRun), interruptAfterTimeLimit: cases(180_000) },
      );
    });
  });
}
