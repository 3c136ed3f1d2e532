import type { OrgStore, Session, Work } from '../../sql/org/store.ts';

/** A step that a store is about to take: `begin`, the text of a statement, or `commit`; `committed` follows it. */
type StoreStep = string;

/** @param driver the method of the store that takes the step */
export type StepListener = (
  step: StoreStep,
  driver: 'asOrganisation' | 'asOperator' | 'autocommit',
) => void | Promise<void>;

/**
 * Returns the store with a listener that is called before each step. A listener that throws makes the step fail as the
 * store itself would; one that waits delays it.
 */
export function interceptSteps(store: OrgStore, listener: StepListener): OrgStore {
  const stepped = (session: Session, driver: Parameters<StepListener>[1]): Session => ({
    async rows(shape, statement) {
      await listener(statement.text, driver);
      return session.rows(shape, statement);
    },
    async row(shape, statement) {
      await listener(statement.text, driver);
      return session.row(shape, statement);
    },
    async run(statement) {
      await listener(statement.text, driver);
      return session.run(statement);
    },
  });
  const transact = async <Result>(
    driver: Parameters<StepListener>[1],
    inTransaction: (work: Work<Result>) => Promise<Result>,
    work: Work<Result>,
  ): Promise<Result> => {
    await listener('begin', driver);
    const result = await inTransaction(async (session) => {
      const done = await work(stepped(session, driver));
      await listener('commit', driver);
      return done;
    });
    await listener('committed', driver);
    return result;
  };
  return {
    ...store,
    asOrganisation: (id, work) => transact('asOrganisation', (inside) => store.asOrganisation(id, inside), work),
    asOperator: (work) => transact('asOperator', (inside) => store.asOperator(inside), work),
    async autocommit(shape, statement) {
      await listener(statement.text, 'autocommit');
      return store.autocommit(shape, statement);
    },
  };
}
