import type { OrgStore, Session, Work } from '../../sql/org/store.ts';

/** A step that a store is about to take: `begin`, the text of a statement, or `commit`; `committed` follows it. */
type StoreStep = string;

/**
 * @param driver the method of the store that takes the step
 * @param before the steps that its transaction has taken; absent where there is none
 */
export type StepListener = (
  step: StoreStep,
  driver: 'asOrganisation' | 'asOperator' | 'autocommit',
  before?: readonly StoreStep[],
) => void | Promise<void>;

/**
 * Returns the store with a listener that is called before each step. A listener that throws makes the step fail as the
 * store itself would; one that waits delays it.
 */
export function interceptSteps(store: OrgStore, listener: StepListener): OrgStore {
  const stepped = (session: Session, take: (step: StoreStep) => Promise<void>): Session => ({
    async rows(shape, statement) {
      await take(statement.text);
      return session.rows(shape, statement);
    },
    async row(shape, statement) {
      await take(statement.text);
      return session.row(shape, statement);
    },
    async run(statement) {
      await take(statement.text);
      return session.run(statement);
    },
  });
  const transact = async <Result>(
    driver: Parameters<StepListener>[1],
    inTransaction: (work: Work<Result>) => Promise<Result>,
    work: Work<Result>,
  ): Promise<Result> => {
    const taken: StoreStep[] = [];
    const take = async (step: StoreStep): Promise<void> => {
      await listener(step, driver, taken);
      taken.push(step);
    };
    await take('begin');
    const result = await inTransaction(async (session) => {
      const done = await work(stepped(session, take));
      await take('commit');
      return done;
    });
    await take('committed');
    return result;
  };
  return {
    ...store,
    asOrganisation: (id, work, access) =>
      transact('asOrganisation', (inside) => store.asOrganisation(id, inside, access), work),
    asOperator: (work) => transact('asOperator', (inside) => store.asOperator(inside), work),
    async autocommit(shape, statement) {
      await listener(statement.text, 'autocommit');
      return store.autocommit(shape, statement);
    },
  };
}
