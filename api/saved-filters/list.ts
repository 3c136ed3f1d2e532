import { z } from 'zod';
import { inGermanOrder } from '../../sql/org/records/german-order.ts';
import { savedFilterRow, savedFiltersOf } from '../../sql/org/records/saved-filters.ts';
import { operation } from '../operation/operation.ts';
import { savedFilterShape, shownFilter } from './saved-filter.ts';

/** The saved filters of the unit table. They can be executed, but not read. */
export const listSavedFilters = operation({
  id: 'saved-filters.list',
  method: 'GET',
  path: '/v1/saved-filters',
  summary: 'Saved filters, by name',
  description:
    'The criteria are not part of the answer: a filter can be executed, but not read. Filters of the map are not listed.',
  access: 'api',
  scope: 'saved_filters:read',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({ data: z.array(savedFilterShape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ caller, records }) {
    const rows = await records((session) => session.rows(savedFilterRow, savedFiltersOf(caller.organisation.id)));
    const data = inGermanOrder(rows.filter(({ kind }) => kind === 'table')).map(shownFilter);
    return { body: { data, meta: { count: data.length } } };
  },
});
