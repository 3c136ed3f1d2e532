import type { OrgStore, Session, Work } from '../../sql/org/store.ts';

/** What a store is about to do: `begin`, the text of a statement, `commit`; and `committed`, when it has. */
type StoreStep = string;

/** @param door by which of its doors */
export type StepListener = (
  step: StoreStep,
  driver: 'asOrganisation' | 'asOperator' | 'autocommit',
) => void | Promise<void>;

/**
 * The store, with a look at each step before it is taken. A look that throws fails the step as the store itself would,
 * one that waits delays it.
 */
export function interceptSteps(store: OrgStore, look: StepListener): OrgStore {
  const stepped = (session: Session, driver: Parameters<StepListener>[1]): Session => ({
    async rows(shape, statement) {
      await look(statement.text, driver);
      return session.rows(shape, statement);
    },
    async row(shape, statement) {
      await look(statement.text, driver);
      return session.row(shape, statement);
    },
    async run(statement) {
      await look(statement.text, driver);
      return session.run(statement);
    },
  });
  const transact = async <Result>(
    driver: Parameters<StepListener>[1],
    inTransaction: (work: Work<Result>) => Promise<Result>,
    work: Work<Result>,
  ): Promise<Result> => {
    await look('begin', driver);
    const result = await inTransaction(async (session) => {
      const done = await work(stepped(session, driver));
      await look('commit', driver);
      return done;
    });
    await look('committed', driver);
    return result;
  };
  return {
    ...store,
    asOrganisation: (id, work) => transact('asOrganisation', (inside) => store.asOrganisation(id, inside), work),
    asOperator: (work) => transact('asOperator', (inside) => store.asOperator(inside), work),
    async autocommit(shape, statement) {
      await look(statement.text, 'autocommit');
      return store.autocommit(shape, statement);
    },
  };
}
