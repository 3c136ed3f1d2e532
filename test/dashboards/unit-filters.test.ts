import { beforeAll, expect, test } from 'vitest';
import { catalogueOf } from '../../dashboards/web/units/catalogue.ts';
import { filtersOf, isOnePlace, type UnitFilter } from '../../dashboards/web/units/filters.ts';
import { listItems, listText } from '../../dashboards/web/v1/request.ts';
import type { CatalogField, ReferenceSet } from '../../dashboards/web/v1/unit-answers.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** The forms of filters, which the pages derive from the catalogue alone, against what the interface says it takes. */

let service: OwnSubject;
let fields: readonly CatalogField[];
let sets: readonly ReferenceSet[];
let schemas: ReadonlyMap<string, Schema>;

interface Schema {
  readonly type: string;
  readonly format?: string;
}

beforeAll(async () => {
  service = await serveSharedFixture();
  fields = (await service.get('/v1/units/fields')).json.data;
  sets = (await service.get('/v1/reference')).json.data;
  const { parameters } = (await service.get('/v1/openapi.json')).json.paths['/v1/units'].get;
  schemas = new Map(parameters.map(({ name, schema }: { name: string; schema: Schema }) => [name, schema]));
});

const filters = (): readonly UnitFilter[] => filtersOf(catalogueOf(fields), sets);

/** The values that each kind of form sends, as JSON Schema says them. */
const SENDS: Readonly<Record<UnitFilter['kind'], readonly string[]>> = {
  choice: ['array'],
  search: ['array', 'string'],
  numbers: ['number'],
  days: ['string date'],
  flag: ['boolean'],
  // Places on the map are numbers with commas between them.
  codes: ['array', 'string'],
  words: ['string'],
};

test('every filter of the catalogue has a form, each of the kind that the interface takes', () => {
  const parameters = filters().flatMap(({ kind, parameters: all }) => all.map(({ name }) => ({ kind, name })));
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(fields.flatMap(({ filter }) => filter).toSorted());
  const wrong = parameters.filter(({ kind, name }) => {
    const { type, format } = schemas.get(name) as Schema;
    return !SENDS[kind].includes(format === undefined ? type : `${type} ${format}`);
  });
  expect(wrong).toEqual([]);
});

test('a filter with a value help takes one value exactly where the interface takes no list', () => {
  const searched = filters().filter(({ kind }) => kind === 'search');
  const single = searched.filter(({ id }) => schemas.get(id)?.type === 'string').map(({ id }) => id);
  expect(searched.map(({ id }) => id).filter(isOnePlace)).toEqual(single);
  expect(single.toSorted()).toEqual(['gemeinde', 'landkreis', 'plz']);
});

test('a pair of bounds is one filter, the lower bound first', () => {
  const bounds = Object.fromEntries(
    filters()
      .filter(({ kind }) => kind === 'numbers' || kind === 'days')
      .map(({ parameters }) => [parameters.map(({ name }) => name).join(' '), parameters.map(({ bound }) => bound)]),
  );
  expect(bounds).toMatchObject({
    'leistungMinKw leistungMaxKw': ['lower', 'upper'],
    'inbetriebnahmeVon inbetriebnahmeBis': ['lower', 'upper'],
    'eegReferenzertragVerhaeltnisMin eegReferenzertragVerhaeltnisMax': ['lower', 'upper'],
    ibnVerspaetungMinTage: ['lower'],
  });
});

test('without the right to look up values, they are typed', () => {
  const typed = filtersOf(catalogueOf(fields), null);
  expect(typed.find(({ id }) => id === 'betreiber')?.kind).toBe('codes');
  expect(typed.find(({ id }) => id === 'einheitTyp')?.kind).toBe('choice');
});

test('names of fields are short, and no two are the same', () => {
  const catalogue = catalogueOf(fields);
  const titles = fields.map(catalogue.titleOf);
  expect(new Set(titles).size).toBe(fields.length);
  const titleOf = (name: string): string | undefined => titles[fields.findIndex((field) => field.name === name)];
  expect(titleOf('betreiberName')).toBe('Name des Betreibers');
  expect(titleOf('windAuflageEiswurf')).toBe('Auflage: Eiswurf');
  expect(titleOf('genehmigungFrist')).toBe('Frist, bis zu der begonnen werden muss');
});

test('lists are written and read as the interface does it', () => {
  for (const items of [['Bayern'], ['Abfall, fest', 'Erdgas'], ['a "b"', 'c,d', ' e ']]) {
    expect(listItems(listText(items))).toEqual(items);
  }
  expect(listText(['Abfall, fest', 'Erdgas'])).toBe('"Abfall, fest",Erdgas');
  expect(listItems('')).toEqual([]);
});
