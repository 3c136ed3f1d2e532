import { dayOf, type Parameter, type Parameters, pageNumber, text } from '../../address/address.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import { isOnePlace, type UnitFilter } from '../../units/filters.ts';
import { ROLES } from '../../units/roles.ts';
import { listItems, listText } from '../../v1/request.ts';

/** Everything that the address of the list may say: what the catalogue has as filters and fields, and places in the list. */

type FilterParameter = Parameter<string>;

/** A text as it is, if it makes sense. */
const such = (takes: string, makesSense: (value: string) => boolean): FilterParameter => ({
  ...text,
  takes,
  read: (value) => (value !== '' && makesSense(value) ? value : undefined),
});

const anyDay = dayOf(1, 9999);
const NUMBER = such('eine Zahl wie 750 oder 0.6', (value) => /^-?\d+(\.\d+)?$/.test(value));
const DAY = such(anyDay.takes.replace(/,.*/, ''), (value) => anyDay.read(value) !== undefined);
const FLAG = such('true oder false', (value) => value === 'true' || value === 'false');

const oneOfThese = (words: readonly string[]): FilterParameter =>
  such(`eines oder mehrere von ${words.join(', ')}`, (value) => listItems(value).every((item) => words.includes(item)));

function parameterOf({ kind, field }: UnitFilter): FilterParameter {
  switch (kind) {
    case 'numbers':
      return NUMBER;
    case 'days':
      return DAY;
    case 'flag':
      return FLAG;
    case 'choice':
      return field.werte === null ? text : oneOfThese(field.werte);
    default:
      return text;
  }
}

export function listChoices({ fields, byName }: Catalogue, filters: readonly UnitFilter[]): Parameters {
  const blocks = [...new Set(fields.flatMap(({ block }) => block ?? []))];
  const isColumn = (name: string): boolean => {
    const field = byName.get(name);
    return field?.lesbar === true && field.typ !== 'object';
  };
  return {
    ...Object.fromEntries(
      filters.flatMap((filter) => filter.parameters.map(({ name }) => [name, parameterOf(filter)] as const)),
    ),
    savedFilterId: text,
    eventId: text,
    portfolio: such('true', (value) => value === 'true'),
    portfolioRelationType: oneOfThese(ROLES),
    portfolioExternalRef: text,
    portfolioCustomField: text,
    sort: text,
    cursor: text,
    fields: such('Felder, die der Katalog als lesbar nennt', (value) => listItems(value).every(isColumn)),
    include: oneOfThese(blocks),
    seite: pageNumber,
    limit: pageNumber,
  };
}

const LISTS: readonly UnitFilter['kind'][] = ['choice', 'search', 'codes'];

/** The query with each list in one parameter: programs may repeat the parameter instead, and the interface takes both. */
export function withLists(query: URLSearchParams, filters: readonly UnitFilter[]): URLSearchParams {
  const lists = new Set(
    filters.filter(({ kind, id }) => LISTS.includes(kind) && !isOnePlace(id)).flatMap(({ parameters }) => parameters),
  );
  const merged = new URLSearchParams(query);
  for (const { name } of lists) {
    const values = query.getAll(name);
    if (values.length > 1 && !values.includes('')) merged.set(name, listText(values.flatMap(listItems)));
  }
  return merged;
}
