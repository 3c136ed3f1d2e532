import { type Parameters, pageNumber, text } from '../../address/address.ts';
import { filterChoices, oneOfThese, such } from '../../filters/filter-choices.ts';
import { say } from '../../format/language.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import type { UnitFilter } from '../../units/filters.ts';
import { ROLES } from '../../units/roles.ts';
import { listItems } from '../../v1/request.ts';

/** Everything that the address of the list may say: what the catalogue has as filters and fields, and places in the list. */

export function listChoices({ fields, byName }: Catalogue, filters: readonly UnitFilter[]): Parameters {
  const blocks = [...new Set(fields.flatMap(({ block }) => block ?? []))];
  const isColumn = (name: string): boolean => {
    const field = byName.get(name);
    return field?.lesbar === true && field.typ !== 'object';
  };
  return {
    ...filterChoices(filters),
    savedFilterId: text,
    eventId: text,
    portfolio: such('true', (value) => value === 'true' || value === 'ja'),
    portfolioRelationType: oneOfThese(ROLES),
    portfolioExternalRef: text,
    portfolioCustomField: text,
    sort: text,
    cursor: text,
    fields: such(say('Felder, die der Katalog als lesbar nennt', 'fields that the catalogue calls readable'), (value) =>
      listItems(value).every(isColumn),
    ),
    include: oneOfThese(blocks),
    seite: pageNumber,
    limit: pageNumber,
  };
}
