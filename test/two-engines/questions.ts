import fc from 'fast-check';
import { TECHNOLOGY_NAMES } from '../../api/tenders/technologies.ts';
import { equivalentQuery } from '../../api/units/equivalent-query.ts';
import { filterConditions } from '../../api/units/filters.ts';
import { unitsQuery } from '../../api/units/query.ts';
import { queryNotation } from '../../api/wire/notation.ts';
import { filtersDigest, syncTokenSigner } from '../../api/wire/sync-token.ts';
import { RULE_IDS } from '../../sql/catalogue/anomalies.ts';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { BLOCKS, type Filter, type UnitField } from '../../sql/catalogue/field.ts';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { BIT_SETS } from '../../sql/query/bit-sets.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { DIMENSIONS } from '../../sql/query/dimensions.ts';
import { PLACE_LEVELS, type PlaceLevel } from '../../sql/query/places.ts';
import { REFERENCE_SETS } from '../../sql/query/reference-sets.ts';
import type { Tile } from '../../sql/query/tile-grid.ts';
import { LISTED_TENDER } from './register.ts';
import { SIGNING_KEY, TODAY } from './services.ts';

/** Random requests to every operation about the register, with values that occur there and others. */

type Criteria = Readonly<Record<string, unknown>>;

/** Units of GET /v1/units, with every block. */
export type Units = readonly Readonly<Record<string, unknown>>[];

/** A triangle; a square with a hole, beside a ring that crosses itself. */
const POLYGONS = [
  [
    [
      [
        [9, 47.5],
        [13.5, 49],
        [10, 54.5],
        [9, 47.5],
      ],
    ],
  ],
  [
    [
      [
        [9, 48],
        [12, 48],
        [12, 51],
        [9, 51],
        [9, 48],
      ],
      [
        [10, 49],
        [11, 49],
        [11, 50],
        [10, 50],
        [10, 49],
      ],
    ],
    [
      [
        [7, 50],
        [9, 54],
        [9, 50],
        [7, 54],
        [7, 50],
      ],
    ],
  ],
];

const days = fc.constantFrom(
  '0001-01-01',
  '0202-02-20',
  '1894-06-30',
  '1899-12-31',
  '1900-01-01',
  '1970-01-01',
  '2000-02-29',
  '2020-01-01',
  '2026-12-12',
  '2299-12-31',
  '9999-12-31',
);

const decimals = fc.constantFrom(
  -1,
  0,
  0.0005,
  0.001,
  9.9,
  29.999,
  30,
  30.0001,
  750,
  1000,
  10_000,
  123456789012.345,
  999_999_999_999_999.9,
  -1e15,
  1e15,
);

const words = fc.constantFrom(
  ...[
    'süd',
    'SUD',
    'strasse',
    'Straße',
    'ähre',
    "o'hara",
    '100 %',
    '_',
    '\\',
    'ωmega',
    'park',
    'wind',
    'a',
    'see9',
    'abr',
  ],
  ...['EEG9', '900000', '2', 'gmbh', 'bayern', '…', 'solar dach'],
);

/** Values of a field, of which some occur and some do not. */
function valuesOf({ name, read }: UnitField, units: Units): fc.Arbitrary<string> {
  const column = read !== null && /^\w+$/.test(read.sql) ? read.sql : name;
  const known = [
    ...new Set(units.flatMap((unit) => (typeof unit[column] === 'string' ? [unit[column] as string] : []))),
  ];
  return known.length === 0 ? fc.constant('gibt es nicht') : fc.constantFrom(...known, 'gibt es nicht', '');
}

const KEYS = { landkreis: 'kreisschluessel', gemeinde: 'gemeindeschluessel' } as const;

/** Places by name, by name and state, and by official key. */
function spellings(level: PlaceLevel, units: Units): fc.Arbitrary<string> {
  const of = (name: string) => valuesOf(UNIT_FIELDS.find((field) => field.name === name)!, units);
  const inState = fc.tuple(of(level), of('bundesland')).map((parts) => parts.join(', '));
  const misspelt = of(level).map((name) => name.slice(1).toUpperCase());
  return fc.oneof(of(level), inState, of(KEYS[level]), misspelt).filter((text) => text !== '');
}

/** Ids of tenders, of which some are of a unit and some of none, or too large for any. */
function tenderIds(units: Units): fc.Arbitrary<string> {
  const known = units.flatMap(({ ausschreibungen }) =>
    ((ausschreibungen ?? []) as { gebotsterminId: number | null }[]).map(({ gebotsterminId }) =>
      String(gebotsterminId),
    ),
  );
  return fc.constantFrom(...known.filter((id) => id !== 'null'), '2017050110', '1', '99999999999999999999');
}

function filterValue(field: UnitField, { compare }: Filter, units: Units): fc.Arbitrary<unknown> {
  const list = (value: fc.Arbitrary<string>) =>
    fc.uniqueArray(
      value.filter((text) => text !== ''),
      { minLength: 1, maxLength: 4 },
    );
  const value = valuesOf(field, units);
  switch (compare) {
    case 'oneOf':
      if (field.values !== null) return list(fc.constantFrom(...field.values));
      return list(field.kind === 'number' ? value.filter((text) => /^[A-Z]{3}\d{12}$/.test(text)) : value);
    case 'carriers':
      return list(fc.constantFrom(...CARRIERS));
    case 'signals':
    case 'anomalies':
      return list(fc.constantFrom(...BIT_SETS[field.kind]!.map(({ id }) => id)));
    case 'min':
    case 'max':
      return decimals;
    case 'from':
    case 'to':
      return days;
    case 'hasAny':
      return list(tenderIds(units));
    case 'is':
    case 'present':
      return fc.boolean();
    case 'place':
      return spellings(field.name as PlaceLevel, units);
    case 'box':
      return fc.constantFrom('9,48,11,50', '5.8,47.2,15.1,55.1', '11.4,48.05,11.7,48.25', '0,0,1,1');
    case 'polygon':
      return fc.constantFrom(...POLYGONS.map((coordinates) => JSON.stringify({ type: 'MultiPolygon', coordinates })));
    case 'circle':
      return fc.constantFrom('11.57,48.14,30', '9.99,53.55,5.5', '10.5,51,200', '0,0,10');
    case 'prefix':
      return fc.tuple(value, fc.nat(5)).map(([text, length]) => text.slice(0, length + 1) || '0');
    case 'search':
      return fc.array(words, { minLength: 1, maxLength: 3 });
  }
}

/** Up to three filters. */
function filters(units: Units): fc.Arbitrary<Criteria> {
  const usable = [...UNIT_FILTERS].filter(
    ([, { field }]) =>
      field.kind !== 'number' || units.some((unit) => typeof unit[field.read?.sql ?? field.name] === 'string'),
  );
  return fc
    .shuffledSubarray(usable, { minLength: 0, maxLength: 3 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(chosen.map(([name, { field, filter }]) => [name, filterValue(field, filter, units)])),
      ),
    );
}

const sorts = fc
  .shuffledSubarray(
    UNIT_FIELDS.filter(({ sortable }) => sortable).map(({ name }) => name),
    { maxLength: 3 },
  )
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(`${name}:asc`, `${name}:desc`))))
  .map((terms) => terms.join(','));

/** Writes a path with its query; undefined parameters are left out. */
function path(
  address: string,
  asked: Readonly<Record<string, unknown>>,
  criteria: Readonly<Record<string, unknown>> = {},
) {
  const search = equivalentQuery(criteria);
  for (const [name, value] of Object.entries(asked)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') search.append(name, String(one));
    }
  }
  return `${address}?${search}`;
}

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const listed = <T extends string>(values: readonly T[]) =>
  fc
    .shuffledSubarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) })
    .map((list) => list.join(','));

/** The beginning of a delta: the time of a publication, or a token of a read of its version. */
export type Anchor = { readonly publishedAt: string } | { readonly version: string };

function deltaFrom(anchor: Anchor | undefined, criteria: Criteria): Readonly<Record<string, string>> {
  if (anchor === undefined) return {};
  if ('publishedAt' in anchor) return { updatedSince: anchor.publishedAt };
  const { data } = unitsQuery(queryNotation).safeParse(Object.fromEntries(equivalentQuery(criteria)));
  if (data === undefined) return {};
  const filters = filtersDigest(filterConditions(data));
  return { syncToken: syncTokenSigner(SIGNING_KEY).sign({ versions: [anchor.version], filters, day: TODAY }) };
}

const auffaellige = some(fc.constantFrom('mit', 'ohne'));

/** First pages of units; the links lead to the next ones. */
export const unitQuestions = (units: Units, anchors: readonly Anchor[]): fc.Arbitrary<string> =>
  fc
    .record({
      criteria: filters(units),
      sort: some(sorts),
      limit: fc.constantFrom(1, 3, 20, 200),
      include: some(listed(BLOCKS)),
      expand: some(fc.constantFrom('marktakteur', 'netzbetreiber,marktakteur')),
      format: some(fc.constant('geojson')),
      anchor: some(fc.constantFrom(...anchors)),
    })
    .map(({ criteria, anchor, ...asked }) => path('/v1/units', { ...asked, ...deltaFrom(anchor, criteria) }, criteria));

/** The conditions that alerts may ask of units; criteria that a search would refuse are left out. */
export const alertQuestions = (units: Units): fc.Arbitrary<Condition[]> =>
  filters(units)
    .map((criteria) => unitsQuery(queryNotation).safeParse(Object.fromEntries(equivalentQuery(criteria))).data)
    .filter((data) => data !== undefined)
    .map(filterConditions);

export const aggregationQuestions = (units: Units): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc
        .uniqueArray(fc.constantFrom(...DIMENSIONS.map(({ name }) => name)), { minLength: 1, maxLength: 2 })
        .map((names) => names.join()),
      auffaellige,
      some(fc.uniqueArray(days, { minLength: 1, maxLength: 4 }).map((list) => list.join())),
      some(fc.constant('anteile,nettonennleistungKw')),
      some(regions(units)),
      filters(units),
    )
    .map(([groupBy, auffaellige, bestandAm, kennzahlen, place, criteria]) =>
      path('/v1/aggregations', { groupBy, auffaellige, bestandAm, kennzahlen, ...place }, criteria),
    );

/** Tiles of the country and of its parts, with any filters. */
export const tileQuestions = (units: Units): fc.Arbitrary<{ readonly tile: Tile; readonly criteria: Criteria }> =>
  fc.record({
    tile: fc
      .tuple(
        fc.constantFrom(0, 4, 5, 6, 8, 11, 16),
        fc.double({ min: 6, max: 15, noNaN: true }),
        fc.constantFrom(0.3, 0.32, 0.35),
      )
      .map(([z, longitude, southwards]) => ({
        z,
        x: Math.floor((longitude / 360 + 0.5) * 2 ** z),
        y: Math.floor(southwards * 2 ** z),
      })),
    criteria: filters(units),
  });

export const tilePath = ({ z, x, y }: Tile, criteria: Criteria): string =>
  path(`/v1/tiles/${z}/${x}/${y}.mvt`, {}, criteria);

export const qualityQuestions = (units: Units): fc.Arbitrary<string> =>
  fc.oneof(
    filters(units).map((criteria) => path('/v1/qualitaet', {}, criteria)),
    fc
      .tuple(
        fc.constantFrom('bundesland', 'landkreis', 'gemeinde', 'einheitTyp', 'energietraeger', 'netzbetreiber'),
        some(listed(RULE_IDS)),
        filters(units),
      )
      .map(([groupBy, regel, criteria]) => path('/v1/qualitaet/gruppen', { groupBy, regel }, criteria)),
    fc
      .record({ regel: some(listed([...RULE_IDS, 'auffaellig'])), von: some(days), bis: some(days) })
      .map((asked) => path('/v1/qualitaet/verlauf', asked)),
  );

/** The grid of an operator, its connection points, and the list of operators. */
export function gridQuestions(units: Units): fc.Arbitrary<string> {
  const operators = valuesOf(UNIT_FIELDS.find(({ name }) => name === 'netzbetreiber')!, units);
  const names = fc.uniqueArray(
    operators.filter((name) => name !== ''),
    { minLength: 1, maxLength: 3 },
  );
  const shared = { auffaellige, netzbetreiber: names.map((list) => list.map((name) => `"${name}"`).join()) };
  // Filters may name operators, too: those of the question count.
  const others = filters(units).map(({ netzbetreiber: _, ...criteria }) => criteria);
  return fc.oneof(
    fc
      .tuple(fc.record({ ...shared, seit: some(days) }), others)
      .map(([asked, criteria]) => path('/v1/netz', asked, criteria)),
    fc
      .tuple(fc.record({ ...shared, limit: fc.constantFrom(1, 3, 200) }), others)
      .map(([asked, criteria]) => path('/v1/netz/netzanschlusspunkte', asked, criteria)),
    fc
      .tuple(fc.record({ auffaellige, q: some(words), limit: some(fc.constantFrom(1, 2000)) }), filters(units))
      .map(([asked, criteria]) => path('/v1/netz/netzbetreiber', asked, criteria)),
  );
}

/** One place or several. */
function regions(units: Units): fc.Arbitrary<{ readonly ebene: string; readonly region: readonly string[] }> {
  const of = (name: string) => valuesOf(UNIT_FIELDS.find((field) => field.name === name)!, units);
  const some = (value: fc.Arbitrary<string>) =>
    fc.uniqueArray(
      value.filter((text) => text !== ''),
      { minLength: 1, maxLength: 3 },
    );
  return fc.oneof(
    fc.record({ ebene: fc.constant('bundesland'), region: some(fc.oneof(of('bundesland'), fc.constant('09'))) }),
    ...PLACE_LEVELS.map((level) => fc.record({ ebene: fc.constant(level), region: some(spellings(level, units)) })),
    fc.record({ ebene: fc.constant('plz'), region: some(of('plz').map((text) => text.slice(0, 2))) }),
  );
}

export function regionQuestions(units: Units): fc.Arbitrary<string> {
  const place = fc.oneof(fc.constant({}), regions(units));
  const carriers = some(listed(CARRIERS));
  const portfolio = some(fc.constant('true'));
  const inTheRegister = some(
    valuesOf(UNIT_FIELDS.find(({ name }) => name === 'energietraeger')!, units).filter((text) => text !== ''),
  );
  return fc.oneof(
    fc
      .record({
        place,
        energietraeger: carriers,
        registerEnergietraeger: inTheRegister,
        periode: some(fc.constantFrom('monat', 'quartal', 'jahr')),
        von: some(days),
        bis: some(days),
        auffaellige,
        portfolio,
      })
      .map(({ place, ...asked }) => path('/v1/region/zeitreihe', { ...place, ...asked })),
    fc
      .tuple(
        fc.constantFrom(
          { name: 'altersstruktur' },
          { name: 'momentaufnahme', bis: '2025-12-31' },
          { name: 'momentaufnahme' },
        ),
        place,
        carriers,
        inTheRegister,
        auffaellige,
        portfolio,
      )
      .map(([{ name, bis }, place, energietraeger, registerEnergietraeger, auffaellige, portfolio]) =>
        path(`/v1/region/${name}`, { ...place, bis, energietraeger, registerEnergietraeger, auffaellige, portfolio }),
      ),
  );
}

/** Tender dates, and the awards of one: of a loaded list, without a list, and of no date at all. */
export const tenderQuestions: fc.Arbitrary<string> = fc.oneof(
  fc
    .record({
      technologie: some(listed(TECHNOLOGY_NAMES)),
      status: some(listed(['IMPORTED', 'PENDING', 'FAILED'])),
      von: some(days),
      bis: some(days),
    })
    .map((asked) => path('/v1/ausschreibungen', asked)),
  fc
    .record({
      id: fc.constantFrom(LISTED_TENDER, LISTED_TENDER, 2017050110, 2026120120, 1),
      bundesland: some(listed(['Bayern', 'Niedersachsen', 'Brandenburg', 'Atlantis'])),
      limit: fc.constantFrom(1, 3, 200),
    })
    .map(({ id, ...asked }) => path(`/v1/ausschreibungen/${id}/zuschlaege`, asked)),
);

export function searchQuestions(units: Units): fc.Arbitrary<string> {
  const names = valuesOf(UNIT_FIELDS.find(({ name }) => name === 'name')!, units);
  const numbers = valuesOf(UNIT_FIELDS.find(({ name }) => name === 'mastrNummer')!, units);
  const pieces = fc
    .tuple(names, fc.nat(6), fc.nat(8))
    .map(([name, from, length]) => name.slice(from, from + length + 2));
  return fc
    .record({
      q: fc.oneof(pieces, words, numbers),
      typ: some(fc.constantFrom('marktakteur', 'anlage')),
      bundesland: some(listed(['Bayern', 'Niedersachsen', 'Hessen'])),
      einheitTyp: some(listed(CARRIERS)),
      portfolio: some(fc.constant('true')),
      limit: some(fc.constantFrom(1, 5, 50)),
    })
    .map((asked) => path('/v1/search', asked));
}

export const referenceQuestions: fc.Arbitrary<string> = fc
  .record({
    set: fc.constantFrom(...REFERENCE_SETS.keys()),
    q: some(fc.oneof(words, fc.constantFrom(' ', '\0', '\u0308', '\u00a0a'))),
    einheitTyp: some(listed(CARRIERS)),
    limit: some(fc.constantFrom(1, 7, 100)),
  })
  .map(({ set, ...asked }) => path(`/v1/reference/${set}`, asked));

export const olderQuestions: fc.Arbitrary<string> = fc.oneof(
  fc
    .record({
      limit: fc.constantFrom(1, 10, 100),
      energyType: some(listed(['WIND', 'SOLAR', 'STORAGE'])),
      bundesland: some(listed(['Bayern', 'Niedersachsen'])),
      leistungMin: some(fc.constantFrom(0, 10, 30.5)),
      inbetriebnahmeVon: some(days),
      cursor: some(fc.constantFrom(':SEE900000000001', '999999999999999.999:SEE900000000001', '30.5:SEE900000000001')),
    })
    .map((asked) => path('/api/v1/units', asked)),
  fc
    .record({ groupBy: fc.constantFrom('energyType', 'bundesland'), bundesland: some(fc.constant('Bayern')) })
    .map((asked) => path('/api/v1/aggregations', asked)),
);
