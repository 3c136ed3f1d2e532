import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROW_COLUMNS } from '../../../sql/warehouse/duckdb/rows.ts';
import { openRowFile } from '../../../sql/warehouse/rows/reader.ts';
import type { UnitTexts } from '../../../sql/warehouse/rows/texts.ts';
import { currentPublication, rowFile } from '../../../sql/warehouse/versions.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** Values at the limits of what columns, pages and rows hold, through a whole build: each unit has its own. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const DAY = '2026-11-01';

/** More than two bytes can number. */
const LOCATIONS = 70_000;

const numbered = (prefix: string) => (place: number) => `${prefix}9${String(place).padStart(11, '0')}`;
const unitNumber = numbered('SEE');
const locationNumber = numbered('SEL');
const pointNumber = numbered('SAN');

const PLAIN: Row = {
  EinheitBetriebsstatus: '35',
  EinheitSystemstatus: '472',
  Registrierungsdatum: '2019-02-01',
  Inbetriebnahmedatum: '2015-12-31',
  Bruttoleistung: '3000.000',
  Laengengrad: '9.000001',
  Breitengrad: '51.000001',
  DatumLetzteAktualisierung: '2026-01-01T00:00:00',
};

let units = 0;
const wind: Row[] = [];
/** Adds a unit and returns its number. */
function unit(changes: Row): string {
  const number = unitNumber(units++);
  wind.push({ ...PLAIN, EinheitMastrNummer: number, ...changes });
  return number;
}

const locations: Row[] = [];
/** Adds a location with these points, and a unit in it, whose number it returns. */
function unitAt(points: string): string {
  const MastrNummer = locationNumber(locations.length);
  locations.push({ MastrNummer, NetzanschlusspunkteMaStRNummern: points });
  return unit({ LokationMaStRNummer: MastrNummer });
}

const points: Row[] = [];
/** Adds a point that names no location. 348 is the highest voltage, 354 the lowest. */
function point(Spannungsebene: string): string {
  const number = pointNumber(1_000_000 + points.length);
  points.push({ NetzanschlusspunktMastrNummer: number, Spannungsebene });
  return number;
}

const [low, high, lonely] = [point('354'), point('348'), point('354')];
const atBoth = unitAt(`${low}, ${high}`);
const atOne = unitAt(low);
const atTwice = unitAt(`${lonely},${lonely}`);

/** Units at the first and last places of a dictionary of two bytes, and behind it. */
const wide = [10, 65_535, 65_536, 65_537, LOCATIONS - 1].map(
  (place) => [place, unit({ LokationMaStRNummer: locationNumber(place) })] as const,
);

const almostThirty = unit({ Bruttoleistung: '29.9996' });
const almostThirtyToo = unit({ Bruttoleistung: '2.99999999E1' });
const thirty = unit({ Bruttoleistung: '30.000' });
const endOfTime = unit({ DatumLetzteAktualisierung: '9999-12-31T23:59:59.9999999' });
const largest = unit({ Bruttoleistung: '25000000.000', Bundesland: '1403' });
const beyond = Array.from({ length: 1_100 }, () =>
  unit({ Bruttoleistung: '999999999999.999', Nettonennleistung: '25000000.001', Bundesland: '1403' }),
);
const controlled = unit({ Hersteller: '77001', NameStromerzeugungseinheit: 'Wind\u001erad &#31;Nord' });

const RAW_CONTROLS = 'A\u001eB\u001fC\u001dD\u001bE\u0000F';

let rows: ReadonlyMap<string, UnitTexts | null>;

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, DAY));
  register.shorten(30, 'Katalogwerte');
  register.of('EinheitenWind').records.push(...wind);
  const home = register.of('Katalogwerte').records;
  const KatalogKategorieId = home[0]!.KatalogKategorieId!;
  home.push(
    { Id: '77001', KatalogKategorieId, Wert: RAW_CONTROLS },
    { Id: '99999999999', KatalogKategorieId, Wert: 'zu viel' },
  );
  for (let place = locations.length; place < LOCATIONS; place++) {
    locations.push({ MastrNummer: locationNumber(place), NetzanschlusspunkteMaStRNummern: pointNumber(place) });
  }
  for (const [place] of wide) points.push({ NetzanschlusspunktMastrNummer: pointNumber(place), Spannungsebene: '354' });
  register.of('Lokationen').records = locations;
  register.of('Netzanschlusspunkte').records = points;
  // Its locations and points are not those that the units name.
  await buildIn(warehouse, register.write(join(folder.path, 'first'), DAY), { force: true });

  const file = openRowFile(rowFile(warehouse, currentPublication(warehouse)!.version));
  const numbers = (await queryServed<{ n: string }>(warehouse, 'SELECT mastrNummer AS n FROM units')).map(({ n }) => n);
  const texts = file.read(numbers, new Set(ROW_COLUMNS.map(({ name }) => name)));
  rows = new Map(numbers.map((number, at) => [number, texts[at] ?? null]));
  file.close();
});

afterAll(() => folder.remove());

const value = (number: string, field: string): string | undefined => rows.get(number)?.get(field);
const pointOf = (number: string) => value(number, 'netzanschlusspunktMastrNummer');
const finding = (befund: string, feld: string) =>
  queryServed(
    warehouse,
    `SELECT sum(anzahl)::INTEGER AS n FROM befunde WHERE befund = '${befund}' AND feld = '${feld}'`,
  );

describe('connection points', () => {
  it.each(wide)('location %i of 70,000 has its own', (place, number) => {
    expect(pointOf(number)).toBe(pointNumber(place));
  });

  it('one that two locations name is skipped only where there is a better one', () => {
    expect([pointOf(atBoth), pointOf(atOne)]).toEqual([high, low]);
  });

  it('one that a location names twice is kept', () => {
    expect(pointOf(atTwice)).toBe(lonely);
  });
});

describe('numbers and times at their limits', () => {
  it('there are no coordinates below 30 kW before rounding', () => {
    const located = (number: string) => [
      value(number, 'bruttoleistungKw'),
      value(number, 'latitude'),
      value(number, 'longitude'),
    ];
    expect(located(almostThirty)).toEqual(['30.000', undefined, undefined]);
    expect(located(almostThirtyToo)).toEqual(['30.000', undefined, undefined]);
    expect(located(thirty)).toEqual(['30.000', '51.000001', '9.000001']);
  });

  it('the last moment of the year 9999 stays in it', () => {
    expect(value(endOfTime, 'datumLetzteAktualisierung')).toBe('9999-12-31T23:59:59.999Z');
  });

  it('an impossible capacity is null, so that no sum is too large for its column', async () => {
    expect(value(largest, 'bruttoleistungKw')).toBe('25000000.000');
    expect(beyond.filter((number) => value(number, 'bruttoleistungKw') !== undefined)).toEqual([]);
    expect(value(beyond[0]!, 'latitude')).toBeUndefined();
    expect(await finding('wert_unlesbar', 'Bruttoleistung')).toEqual([{ n: beyond.length }]);
    expect(await finding('wert_unlesbar', 'Nettonennleistung')).toEqual([{ n: beyond.length }]);
  });

  it('a catalogue id beyond 32 bits is a finding', async () => {
    expect(await finding('schluessel_ungueltig', 'Id')).toEqual([{ n: 1 }]);
  });
});

describe('control characters', () => {
  it('are removed from names and catalogue texts, and counted', async () => {
    expect(value(controlled, 'windHerstellerRegister')).toBe('ABCDEF');
    expect(value(controlled, 'name')).toBe('Windrad Nord');
    expect(await finding('zeichen_verboten', 'Wert')).toEqual([{ n: 5 }]);
    expect(await finding('zeichen_verboten', 'NameStromerzeugungseinheit')).toEqual([{ n: 2 }]);
  });

  it('each unit is answered with its own row', () => {
    expect([...rows].filter(([number, texts]) => texts?.get('mastrNummer') !== number)).toEqual([]);
  });
});
