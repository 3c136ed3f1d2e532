import { z } from 'zod';
import type { Notation } from '../wire/notation.ts';
import { pageShape } from '../wire/paging.ts';
import { always, oneWord } from '../wire/parameters.ts';
import { EXPANSIONS } from './expand.ts';
import { rangesAreOrdered, unitFilterShape } from './filters.ts';
import { blockNames, fieldNames } from './selection.ts';
import { sortTerms } from './sort.ts';

/** What can be asked of the list of units, once for both notations: GET /v1/units and POST /v1/units/search. */
export const unitQuestion = (notation: Notation) =>
  z
    .strictObject({
      ...pageShape(notation),
      sort: sortTerms(notation)
        .optional()
        .describe('field:asc or field:desc, several comma-separated; nulls last; default mastrNummer:asc'),
      format: oneWord(['json', 'geojson']).optional().describe('Form of the answer; it wins over `Accept`'),
      fields: fieldNames(notation)
        .optional()
        .describe('Only these fields; mastrNummer and links always. Replaces `include`'),
      include: blockNames(notation).optional().describe('Blocks beside the base form'),
      expand: notation.list({ closed: EXPANSIONS }).optional().describe('Linked objects, under `expanded`'),
      ...unitFilterShape(notation),
    })
    .superRefine(rangesAreOrdered, always);

export type UnitsQuestion = z.output<ReturnType<typeof unitQuestion>>;
