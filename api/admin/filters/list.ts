import { inGermanOrder } from '../../../sql/org/records/german-order.ts';
import { savedFilterRow, savedFiltersOf } from '../../../sql/org/records/saved-filters.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { criteriaLine, moment, table } from '../common/text-table.ts';

export const listFilters = adminCommand({
  name: 'filters list',
  summary: 'the saved filters of an organisation, with their criteria',
  description:
    'Filters of the map are made and changed by importing a document; see import. Long criteria are shortened; --json has them whole.',
  examples: ['stadtwerk'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => {
      const { id } = await findOrganisation(session, reference);
      return inGermanOrder(await session.rows(savedFilterRow, savedFiltersOf(id)));
    }),
  format: (filters) =>
    filters.length === 0
      ? 'No saved filters'
      : table(
          ['filter', 'kind', 'id', 'changed', 'criteria'],
          filters.map(({ name, kind, id, updatedAt, criteria }) => [
            name,
            kind,
            id,
            moment(updatedAt),
            Object.keys(criteria).length === 0 ? 'every unit' : criteriaLine(criteria),
          ]),
        ),
});
