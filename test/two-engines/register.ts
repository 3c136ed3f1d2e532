import { join } from 'node:path';
import type { PublicationTarget } from '../../ingest/destination/target.ts';
import { storeRound } from '../../ingest/tenders/store.ts';
import { tenderKey } from '../../sql/tenders/technologies.ts';
import { generateExport, RegisterExport, type Row } from '../support/exports.ts';
import { buildIn } from '../support/warehouse.ts';

/** A generated register in three versions, with values that the engines might treat differently. */

/** Days at the limits of the engines, and at the ends of months and leap years. */
const DAYS = [
  '0202-02-20',
  '1582-10-15',
  '1894-06-30',
  '1899-12-31',
  '1970-01-01',
  '2000-02-29',
  '2299-12-31',
  '9999-12-31',
];

const NAMES = [
  'Ähre & Söhne',
  'STRASSE',
  'Straße 100 %',
  "O'Hara \\ Töchter",
  'Ωmega _x',
  'Süd-Ost/West',
  'süd 2',
  '"Quer"\nZeile 2, €;',
];

/** Capacities with all digits, zero, and more digits than a float has. */
const CAPACITIES = ['0.000', '0.001', '29.999', '30.000', '12345678.905', '24999999.999'];

/** Town and district of one name, and a name that holds a comma. */
const TOWN_AND_DISTRICT = [
  { Landkreis: 'Rosenheim', Gemeinde: 'Rosenheim', Gemeindeschluessel: '09163000' },
  { Landkreis: 'Rosenheim', Gemeinde: 'Kolbermoor', Gemeindeschluessel: '09187150' },
  { Landkreis: 'Köln, Stadt', Gemeinde: 'Köln, Stadt', Gemeindeschluessel: '05315000' },
];

/** A place in which versions are built: a warehouse folder, and their target if that is not the folder. */
export interface Place {
  readonly warehouse: string;
  readonly target?: PublicationTarget;
}

/** Builds and publishes the versions in each place, each based on the one before. */
export async function buildRegister(folder: string, places: readonly Place[]): Promise<void> {
  const first = await generateExport(folder, '2026-11-01');
  const second = await generateExport(folder, '2026-11-20', first);
  const third = await generateExport(folder, '2026-12-10', second);
  for (const [index, path] of [first, second, third].entries()) {
    const register = await RegisterExport.read(path);
    for (const document of register.starting('Einheiten')) document.records.forEach(odd);
    shrink(register, index);
    if (index === 1) register.of('EinheitenSolar').records.splice(10, 5);
    const source = register.write(join(folder, String(index)), ['2026-11-01', '2026-11-20', '2026-12-10'][index]!);
    for (const { warehouse, ...target } of places) {
      loadAwards(warehouse, register, index);
      await buildIn(warehouse, source, { force: true, keep: 9, ...target });
    }
  }
}

/** Where a unit lies that has 120 kW first, and 12 kW in the last version: nobody may be told any more. */
export const SHRUNK = {
  number: 'SEE999900000001',
  longitude: 13.98948,
  latitude: 51.563676,
  kw: [120, 120, 12],
} as const;

function shrink(register: RegisterExport, version: number): void {
  const { records } = register.of('EinheitenWind');
  records.push({
    ...records[0],
    EinheitMastrNummer: SHRUNK.number,
    Laengengrad: SHRUNK.longitude.toFixed(6),
    Breitengrad: SHRUNK.latitude.toFixed(6),
    Bruttoleistung: `${SHRUNK.kw[version]}.000`,
  });
}

export const LISTED_TENDER = 2020060110;

/** A list whose awards differ in what they have; from version to version, they belong to other units. */
function loadAwards(warehouse: string, register: RegisterExport, version: number): void {
  const units = register.of('EinheitenWind').records.slice(version, version + 4);
  const nothing = { bundesland: null, landkreis: null, plz: null, gemeinde: null, gemarkung: null, flurstueck: null };
  const zuschlaege = units.map(({ EinheitMastrNummer: number }, place) => ({
    ...nothing,
    id: LISTED_TENDER * 100_000 + place + 1,
    gebotstermin: LISTED_TENDER,
    zuschlagsnummer: place === 3 ? null : `WIN20-3/00${place + 1}`,
    gebotsmengeKw: place === 1 ? 12345678.905 : null,
    bundesland: place === 2 ? 'Bayern' : null,
    flurstueckRoh: place === 2 ? 'Bayern, "Ähre" \\ Flur 1:\n14/1, €' : null,
    mastrNummern: place === 0 ? [number!, 'SEE999999999999'] : place === 3 ? [] : [number!],
    foerderNummern: place === 0 ? ['EEG999999999999'] : [],
  }));
  const liste = { quelle: 'Liste', pruefsumme: '', bekanntgabe: '2020-07-01', kalender: [], zuschlaege, befunde: [] };
  storeRound(warehouse, { ...tenderKey(LISTED_TENDER)!, id: LISTED_TENDER, listen: [liste], statistik: null });
}

/** Every tenth unit has something odd. */
function odd(record: Row, place: number): void {
  const turn = Math.floor(place / 10);
  if (place % 10 === 3) record.NameStromerzeugungseinheit = escaped(NAMES[turn % NAMES.length]!);
  if (place % 10 === 5) record.Inbetriebnahmedatum = DAYS[turn % DAYS.length]!;
  if (place % 10 === 6) record.GeplantesInbetriebnahmedatum = DAYS[(turn + 3) % DAYS.length]!;
  if (place % 10 === 7) record.Bruttoleistung = CAPACITIES[turn % CAPACITIES.length]!;
  if (place % 10 === 8) record.DatumEndgueltigeStilllegung = DAYS[(turn + 5) % DAYS.length]!;
  if (place % 10 === 9) delete record.Bruttoleistung;
  if (place % 10 === 2) delete record.Gemeindeschluessel;
  if (place % 10 === 4) Object.assign(record, TOWN_AND_DISTRICT[turn % TOWN_AND_DISTRICT.length]);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;');
