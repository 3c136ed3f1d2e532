import { portfolioNumberRow, portfolioNumbers } from '../../sql/org/records/portfolio.ts';
import { mustHaveModule, mustHaveScope } from '../access/rights.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { Notation } from '../wire/notation.ts';

/** The portfolio of the caller's organisation as a filter of units. */

/** Most units that a portfolio may have to be one: every statement names them. */
const MOST_UNITS = 10_000;

export const portfolioShape = (notation: Notation) => ({
  portfolio: notation
    .flag()
    .refine((value) => value, 'must be true; leave it out for units of whatever portfolio')
    .optional()
    .describe(
      `\`true\`: only units that are in the portfolio now, of which there may be ${MOST_UNITS.toLocaleString('en')}; needs the scope portfolio:read and the module portfolio. A cursor ends when the portfolio changes`,
    ),
});

/**
 * Returns the numbers of the units in the portfolio.
 * @throws Problem MISSING_MODULE or MISSING_SCOPE where the caller may not read it
 * @throws Problem FILTER_CONFLICT where it has too many
 */
export async function portfolioUnits({ caller, records }: Pick<Call, 'caller' | 'records'>): Promise<string[]> {
  mustHaveModule(caller, 'portfolio', 'The parameter portfolio');
  mustHaveScope(caller, 'portfolio:read', 'The parameter portfolio');
  const { id } = caller.organisation;
  const rows = await records((session) => session.rows(portfolioNumberRow, portfolioNumbers(id, MOST_UNITS + 1)));
  if (rows.length <= MOST_UNITS) return rows.map(({ mastrNumber }) => mastrNumber);
  throw new Problem(
    'FILTER_CONFLICT',
    `The portfolio has more than ${MOST_UNITS.toLocaleString('en')} units, the most that can be a filter: send numbers of GET /v1/portfolio as mastrNummern`,
  );
}
