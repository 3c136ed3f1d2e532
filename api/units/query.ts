import { z } from 'zod';
import { standParameter } from '../state/state.ts';
import { bodyNotation, type Notation } from '../wire/notation.ts';
import { pageShape } from '../wire/paging.ts';
import { always, fault } from '../wire/parameters.ts';
import { deltaShape } from './delta.ts';
import { rangesAreOrdered, savedFilterStandsAlone, unitFilterShape } from './filters.ts';
import { portfolioShape } from './portfolio.ts';
import { blockNames, EXPANSIONS, fieldNames, sortTerms } from './selection.ts';

/** The query of the list of units, for both notations: GET /v1/units and POST /v1/units/search. */
export const unitsQuery = (notation: Notation) =>
  z
    .strictObject({
      ...pageShape(notation),
      ...deltaShape(notation),
      stand: standParameter(notation),
      sort: sortTerms(notation)
        .optional()
        .describe('field:asc or field:desc, several comma-separated; nulls last; default mastrNummer:asc'),
      fields: fieldNames(notation)
        .optional()
        .describe('Only these fields; mastrNummer and links always. Replaces `include`'),
      include: blockNames(notation).optional().describe('Blocks beside the base form'),
      expand: notation.list({ closed: EXPANSIONS }).optional().describe('Linked objects, under `expanded`'),
      savedFilterId: notation
        .text()
        .optional()
        .describe('Id of GET /v1/saved-filters: its criteria stand for all filters; none may stand beside it'),
      eventId: notation
        .text()
        .optional()
        .describe('`eventId` of GET /v1/events: only the units of this event that are still served, at most 10,000'),
      ...portfolioShape(notation),
      ...unitFilterShape(notation),
    })
    .superRefine(rangesAreOrdered, always)
    .superRefine(savedFilterStandsAlone, always)
    .superRefine(standIsNoDelta, always);

/** A day's state is read as a whole: a delta leads to the present one. */
function standIsNoDelta(query: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  if (query.stand === undefined) return;
  for (const name of ['syncToken', 'updatedSince']) {
    if (query[name] === undefined) continue;
    context.issues.push(
      fault('FILTER_CONFLICT', 'cannot stand beside stand: a delta leads to the present state', [name]),
    );
  }
}

/** The filters alone, in the notation of a body: a saved filter consists of them. */
export const filterCriteria = z.strictObject(unitFilterShape(bodyNotation)).superRefine(rangesAreOrdered, always);

/** Those of an alert, which may also ask for the units of the portfolio. */
export const alertCriteria = z
  .strictObject({
    portfolio: portfolioShape(bodyNotation).portfolio.describe(
      'true: only units that are in the portfolio when it is evaluated; needs the scope portfolio:read and the module portfolio',
    ),
    ...unitFilterShape(bodyNotation),
  })
  .superRefine(rangesAreOrdered, always);

export type UnitsQuery = z.output<ReturnType<typeof unitsQuery>>;
