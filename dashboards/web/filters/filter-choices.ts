import { dayOf, type Parameter, type Parameters, text } from '../address/address.ts';
import { say } from '../format/language.ts';
import { isOnePlace, type UnitFilter } from '../units/filters.ts';
import { listItems, listText } from '../v1/request.ts';

/** What an address may say of filters: their names and values are those of the interface. */

type FilterParameter = Parameter<string>;

/** A text as it is, if it makes sense. */
export const such = (takes: string, makesSense: (value: string) => boolean): FilterParameter => ({
  ...text,
  takes,
  read: (value) => (value !== '' && makesSense(value) ? value : undefined),
});

const anyDay = dayOf(1, 9999);
const NUMBER = such(say('eine Zahl wie 750 oder 0.6', 'a number like 750 or 0.6'), (value) =>
  /^-?\d+(\.\d+)?$/.test(value),
);
const DAY = such(anyDay.takes.replace(/,.*/, ''), (value) => anyDay.read(value) !== undefined);
const FLAG = such(say('true oder false', 'true or false'), (value) => value === 'true' || value === 'false');

export const oneOfThese = (words: readonly string[]): FilterParameter =>
  such(say(`eines oder mehrere von ${words.join(', ')}`, `one or more of ${words.join(', ')}`), (value) =>
    listItems(value).every((item) => words.includes(item)),
  );

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

/** The parameters of filters, each by its name. */
export const filterChoices = (filters: readonly UnitFilter[]): Parameters =>
  Object.fromEntries(
    filters.flatMap((filter) => filter.parameters.map(({ name }) => [name, parameterOf(filter)] as const)),
  );

const LISTS: readonly UnitFilter['kind'][] = ['choice', 'search', 'codes'];

/** The query with each list in one parameter: programs may repeat the parameter instead, and the interface takes both. */
export function withLists(query: URLSearchParams, filters: readonly UnitFilter[]): URLSearchParams {
  const lists = new Set(
    filters.filter(({ kind, id }) => LISTS.includes(kind) && !isOnePlace(id)).flatMap(({ parameters }) => parameters),
  );
  const merged = new URLSearchParams(query);
  // As the pages wrote it in earlier releases.
  if (query.get('portfolio') === 'ja') merged.set('portfolio', 'true');
  for (const { name } of lists) {
    const values = query.getAll(name);
    if (values.length > 1 && !values.includes('')) merged.set(name, listText(values.flatMap(listItems)));
  }
  return merged;
}
