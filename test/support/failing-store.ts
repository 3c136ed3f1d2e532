import { pino } from 'pino';
import { readSettings } from '../../runtime/settings.ts';
import { type OrgStore, openOrgStore, StoreUnavailable } from '../../sql/org/store.ts';
import { storeAnywhere } from './prepared-store.ts';

/** An organisation store that can be made to fail, and that counts how often keys were looked up in it. */
export interface FailingStore extends OrgStore {
  /** Lets work happen while every question to the store fails with this. */
  failing<Result>(error: Error, work: () => Promise<Result>): Promise<Result>;
  readonly lookUps: number;
}

/** The fault of a store that cannot be reached. */
export const STORE_UNREACHABLE = new StoreUnavailable(
  'The organisation store does not answer: connect ECONNREFUSED 10.1.2.3:5432',
);

/** On whichever engine, it belongs to the test alone: a service knows what it has counted and looked up there, as embedded. */
export async function openFailingStore(): Promise<FailingStore> {
  const settings = readSettings({ ORG_STORE_URL: await storeAnywhere() });
  const store = await openOrgStore(settings, pino({ level: 'silent' }));
  let fault: Error | null = null;
  let lookUps = 0;
  const mayFail = () => {
    if (fault !== null) throw fault;
  };
  return {
    ...store,
    exclusive: true,
    async asOrganisation(id, work) {
      mayFail();
      return store.asOrganisation(id, work);
    },
    async asOperator(work) {
      mayFail();
      return store.asOperator(work);
    },
    async autocommit(shape, statement) {
      if (statement.text.includes('FROM api_keys')) lookUps += 1;
      mayFail();
      return store.autocommit(shape, statement);
    },
    async failing(error, work) {
      fault = error;
      try {
        return await work();
      } finally {
        fault = null;
      }
    },
    get lookUps() {
      return lookUps;
    },
  };
}
