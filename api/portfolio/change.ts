import {
  changeTime,
  lockPortfolio,
  type PortfolioRow,
  portfolioOf,
  portfolioRow,
  timeOfChange,
} from '../../sql/org/portfolio.ts';
import type { Session } from '../../sql/org/store.ts';

/** Entries of a portfolio that nobody else can change until the transaction ends. */
interface EntriesToChange {
  /** When the change happens, RFC 3339: later than every change before. */
  readonly at: string;
  /** By MaStR number, removed ones included. */
  readonly present: ReadonlyMap<string, PortfolioRow>;
}

export async function entriesToChange(
  session: Session,
  organisationId: string,
  mastrNumbers: readonly string[],
): Promise<EntriesToChange> {
  // Each statement sees what was committed before it began: so the lock comes first, alone.
  await session.run(lockPortfolio(organisationId));
  const { at } = (await session.row(changeTime, timeOfChange(organisationId)))!;
  const rows = await session.rows(portfolioRow, portfolioOf(organisationId, mastrNumbers));
  return { at, present: new Map(rows.map((row) => [row.mastrNumber, row])) };
}
