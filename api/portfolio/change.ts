import {
  changeTime,
  lockPortfolio,
  type PortfolioRow,
  portfolioOf,
  portfolioRow,
  timeOfChange,
} from '../../sql/org/records/portfolio.ts';
import type { Session } from '../../sql/org/store.ts';

/** Entries of a portfolio, locked until the transaction ends. */
interface EntriesToChange {
  /** Time of the change, RFC 3339: later than every earlier change. */
  readonly at: string;
  /** Entries by MaStR number, including removed ones. */
  readonly present: ReadonlyMap<string, PortfolioRow>;
}

export async function entriesToChange(
  session: Session,
  organisationId: string,
  mastrNumbers: readonly string[],
): Promise<EntriesToChange> {
  // Each statement sees what was committed before it began, so the lock comes first, in a statement of its own.
  await session.run(lockPortfolio(organisationId));
  const change = await session.row(changeTime, timeOfChange(organisationId));
  if (change === null) throw new Error('The store has returned no time of the change');
  const rows = await session.rows(portfolioRow, portfolioOf(organisationId, mastrNumbers));
  return { at: change.at, present: new Map(rows.map((row) => [row.mastrNumber, row])) };
}
