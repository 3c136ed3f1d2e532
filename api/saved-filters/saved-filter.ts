import { z } from 'zod';
import type { SavedFilterRow } from '../../sql/org/records/saved-filters.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';
import { criteriaShape } from './criteria.ts';
import { viewShape } from './view.ts';

/** Saved filters as they go over the wire. Their criteria come in and are executed, and never go out. */

/** The id in examples of operations that name a saved filter. */
export const EXAMPLE_FILTER = '019a0f6e-7c1b-7d52-9f0e-00000000f001';

/** The path parameter of operations about one saved filter. A text that is no UUID is an unknown id, and answered so. */
export const filterPath = z.strictObject({
  id: z.string().describe('Id of the saved filter, from GET /v1/saved-filters'),
});

/** The members of a saved filter that its organisation writes. */
export const writtenMembers = {
  name: line(NAME_LENGTH).describe('Name, which no other saved filter of the organisation has'),
  criteria: criteriaShape,
};

export const savedFilterShape = z
  .strictObject({
    id: z.uuid().describe('For savedFilterId of GET /v1/units and POST /v1/units/search'),
    name: z.string(),
    ansicht: viewShape.optional().describe('The view that it opens; absent where it is a filter alone'),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime(),
  })
  .meta({ id: 'SavedFilter' });

export const shownFilter = (row: SavedFilterRow): z.infer<typeof savedFilterShape> => ({
  id: row.id,
  name: row.name,
  // The store has what was checked when it was written.
  ...(row.view === null ? {} : { ansicht: viewShape.parse(row.view) }),
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
});
