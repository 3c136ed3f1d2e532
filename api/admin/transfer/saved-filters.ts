import { z } from 'zod';
import {
  FILTER_KINDS,
  putSavedFilters,
  type SavedFilterRow,
  savedFilterRow,
  savedFiltersOf,
} from '../../../sql/org/records/saved-filters.ts';
import { sql } from '../../../sql/org/statement.ts';
import { criteriaShape } from '../../saved-filters/criteria.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { section } from './section.ts';

/** Saved filters with their criteria, which only the operator may read. */
export const savedFilters = section<SavedFilterRow>({
  name: 'savedFilters',
  shape: z.strictObject({
    id: uuid(),
    name: line(NAME_LENGTH),
    kind: z.enum(FILTER_KINDS, `must be one of ${FILTER_KINDS.join(', ')}`),
    criteria: criteriaShape,
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'name',
  defaults: (now) => ({ kind: 'table', createdAt: now, updatedAt: now }),
  read: (session, organisationId) => session.rows(savedFilterRow, savedFiltersOf(organisationId)),
  async write(session, organisationId, items) {
    await session.run(putSavedFilters(organisationId, items));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM saved_filters WHERE id = ANY (${ids}::uuid[])`),
});
