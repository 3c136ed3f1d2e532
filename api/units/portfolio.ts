import type { z } from 'zod';
import { type CustomFieldRow, customFieldRow, customFieldsInUse } from '../../sql/org/records/custom-fields.ts';
import {
  type PortfolioChoice,
  portfolioNumberRow,
  portfolioNumbers,
  RELATION_TYPES,
} from '../../sql/org/records/portfolio.ts';
import { fold } from '../../sql/query/fold.ts';
import { mustHaveModule, mustHaveScope } from '../access/rights.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { suggestion } from '../wire/nearest.ts';
import type { Notation } from '../wire/notation.ts';
import { ILL_FORMED, isStorable } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';

/** The portfolio of the caller's organisation as a filter of units: all of it, or what has a role, an identifier or an own value. */

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
  portfolioRelationType: notation
    .list({ closed: RELATION_TYPES })
    .optional()
    .describe('The same for units of the portfolio to which the organisation has one of these roles'),
  portfolioExternalRef: notation
    .text(200)
    .refine(isStorable, ILL_FORMED)
    .optional()
    .describe(
      'The same for units of the portfolio with this identifier in another system: `system:id`, or `system` for any',
    ),
  portfolioCustomField: notation
    .text(5000)
    .refine(isStorable, ILL_FORMED)
    .optional()
    .describe(
      'The same for units of the portfolio with this value in an own field: `name:value` (days as YYYY-MM-DD), or `name` for any; needs the scope custom_fields:read and the module workspace, too',
    ),
});

type PortfolioQuery = Partial<z.infer<z.ZodObject<ReturnType<typeof portfolioShape>>>>;

const PARAMETERS = [
  'portfolio',
  'portfolioRelationType',
  'portfolioExternalRef',
  'portfolioCustomField',
] as const satisfies readonly (keyof PortfolioQuery)[];

/** Tells whether a query asks for units of the portfolio alone. */
export const asksPortfolio = (query: PortfolioQuery): boolean => PARAMETERS.some((name) => query[name] !== undefined);

/**
 * Returns the numbers of the units of the portfolio that a query asks for.
 * @throws Problem MISSING_MODULE or MISSING_SCOPE where the caller may not read it
 * @throws Problem NOT_FOUND for an own field that the organisation does not have
 * @throws Problem FILTER_CONFLICT where there are too many
 */
export async function portfolioUnits(
  query: PortfolioQuery,
  { caller, records }: Pick<Call, 'caller' | 'records'>,
): Promise<string[]> {
  const named = PARAMETERS.find((name) => query[name] !== undefined) ?? 'portfolio';
  mustHaveModule(caller, 'portfolio', `The parameter ${named}`);
  mustHaveScope(caller, 'portfolio:read', `The parameter ${named}`);
  const { id } = caller.organisation;
  const { portfolioRelationType, portfolioExternalRef, portfolioCustomField } = query;
  if (portfolioCustomField !== undefined) {
    mustHaveModule(caller, 'workspace', 'The parameter portfolioCustomField');
    mustHaveScope(caller, 'custom_fields:read', 'The parameter portfolioCustomField');
  }
  const rows = await records(async (session) => {
    const choice: PortfolioChoice = {
      relationTypes: portfolioRelationType ?? null,
      externalRef: portfolioExternalRef === undefined ? null : externalRefOf(portfolioExternalRef),
      customField:
        portfolioCustomField === undefined
          ? null
          : ownValue(portfolioCustomField, await session.rows(customFieldRow, customFieldsInUse(id))),
    };
    return session.rows(portfolioNumberRow, portfolioNumbers(id, choice, MOST_UNITS + 1));
  });
  if (rows.length <= MOST_UNITS) return rows.map(({ mastrNumber }) => mastrNumber);
  throw new Problem(
    'FILTER_CONFLICT',
    `The portfolio has more than ${MOST_UNITS.toLocaleString('en')} units, the most that can be a filter: send numbers of GET /v1/portfolio as mastrNummern`,
  );
}

/** Splits at the first colon: names of systems have none. */
function externalRefOf(text: string): NonNullable<PortfolioChoice['externalRef']> {
  const [system = '', ...id] = text.split(':');
  return { system, id: id.length === 0 ? null : id.join(':') };
}

/** Names of fields may have colons, so the longest that is one of them is meant. */
function ownValue(text: string, fields: readonly CustomFieldRow[]): NonNullable<PortfolioChoice['customField']> {
  const [field] = fields
    .filter(({ name }) => text === name || text.startsWith(`${name}:`))
    .sort((one, other) => other.name.length - one.name.length);
  if (field !== undefined) {
    const value = text === field.name ? null : text.slice(field.name.length + 1);
    return { fieldId: field.id, value, folded: value === null ? null : fold(value) };
  }
  const asked = text.split(':', 1).join();
  const names = fields.map(({ name }) => name);
  throw new Problem(
    'NOT_FOUND',
    `There is no own field ${quoted(asked)}${suggestion(asked, names)}; GET /v1/custom-fields lists them`,
  );
}
