import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Pace } from '../../../../api/webhooks/delivery/dispatcher.ts';
import type { OrganisationRow } from '../../../../sql/org/organisations.ts';
import { sql } from '../../../../sql/org/statement.ts';
import type { OrgStore } from '../../../../sql/org/store.ts';
import { type EndpointRow, endpointOf, endpointRow } from '../../../../sql/org/webhooks/endpoints.ts';
import {
  attemptsOf,
  deliveriesOf,
  dispatchTo,
  type Receiver,
  type SetClock,
  setClock,
  type TestDispatcher,
} from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { type Engine, openFresh } from '../../../support/store-engines.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';

/** Waits for what comes about, on a busy machine too. */
export const eventually = <Seen>(look: () => Seen | Promise<Seen>) => expect.poll(look);

/** Dispatchers over a store of this engine. Each test has an organisation and a clock of its own. */
export function dispatching(engine: Engine) {
  let store: OrgStore;
  let organisation: OrganisationRow;
  let clock: SetClock;
  const running: TestDispatcher[] = [];

  beforeAll(async () => {
    store = await openFresh(engine);
  });
  afterAll(() => store?.close());
  beforeEach(async () => {
    organisation = await makeOrganisation(store);
    clock = setClock();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop(0)));
    await store.asOperator((session) => session.run(sql`DELETE FROM organisations`));
  });

  const dispatch = (receiver: Receiver, pace: Partial<Pace> = {}, over = store): TestDispatcher => {
    const dispatcher = dispatchTo(receiver, over, { now: clock.now, ...pace });
    running.push(dispatcher);
    return dispatcher;
  };
  const add = (choices: Parameters<typeof makeEndpoint>[2] = {}) => makeEndpoint(store, organisation.id, choices);
  const happen = () => storeAlertEvent(store, organisation);
  const endpointNow = (row: EndpointRow) =>
    store.asOperator((session) => session.row(endpointRow, endpointOf(row.organisationId, row.id)));
  const deliveries = () => deliveriesOf(store, organisation);
  const states = async () => (await deliveries()).map(({ state }) => state);
  /** Waits until the attempts so far have been written. */
  const attempted = (count: number) =>
    eventually(async () => (await attemptsOf(store, organisation)).length).toBe(count);

  return {
    get store() {
      return store;
    },
    get organisation() {
      return organisation;
    },
    clock: { forward: (seconds: number) => clock.forward(seconds) },
    ...{ dispatch, add, happen, endpointNow, deliveries, states, attempted },
  };
}
