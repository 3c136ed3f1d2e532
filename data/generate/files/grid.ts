/** Grid side: grid operators and their grids, balancing areas, locations, connection points, changes of the grid operator. */

import { entryOf, itemAt } from '../../../runtime/present.ts';
import { CARRIERS } from '../world/carriers.ts';
import { locationNumber, namesLocation, pointCount, pointNumber, unitsOfLocation } from '../world/links.ts';
import { baseOf, bits, pick, roll } from '../world/random.ts';
import { GRIDS, REGIONS, type Region, STATES, ZONES, zoneOf } from '../world/regions.ts';
import { PLANNED } from '../world/status.ts';
import { date, dayText, decimal, digits, element, escapeText, flag, timeText } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import { STREAM, type World } from '../world/world.ts';
import { has } from './optional.ts';

/** Federal states that have a high voltage grid, by position. */
const LAND_STATES = [...STATES.keys()].filter((state) => state !== 1416);
const FIRST_HIGH = ZONES.length;
const FIRST_LOCAL = FIRST_HIGH + LAND_STATES.length;

/** Electricity grids: transmission, high voltage of a state, one per district. Every grid has an operator of the same index. */
export const POWER_GRIDS = FIRST_LOCAL + GRIDS.length;
/** Gas grids: one for every eighth district. */
export const GAS_GRIDS = Math.ceil(GRIDS.length / 8);

const firstRegionOf = new Map<number, Region>();
for (const region of REGIONS) if (!firstRegionOf.has(region.state)) firstRegionOf.set(region.state, region);
const ZONE_SEATS = [1401, 1409, 1403, 1402];

/** Region where a grid operator has its seat. */
export function seat(grid: number): Region {
  if (grid < FIRST_HIGH) return entryOf(firstRegionOf, itemAt(ZONE_SEATS, grid));
  if (grid < FIRST_LOCAL) return entryOf(firstRegionOf, itemAt(LAND_STATES, grid - FIRST_HIGH));
  return itemAt(GRIDS, grid - FIRST_LOCAL).region;
}

export function gasSeat(grid: number): Region {
  return itemAt(GRIDS, grid * 8).region;
}

function gridName(grid: number): string {
  if (grid < FIRST_HIGH) return `Übertragungsnetz ${itemAt(ZONES, grid).name}`;
  if (grid < FIRST_LOCAL) return `Hochspannungsnetz ${entryOf(STATES, itemAt(LAND_STATES, grid - FIRST_HIGH)).name}`;
  return `Verteilnetz ${itemAt(GRIDS, grid - FIRST_LOCAL).district}`;
}

/** Invented name of a grid operator; some are renamed some day. */
export function gridOperatorName(world: World, grid: number): string {
  const base = baseOf(world.seed, STREAM.grid, grid);
  if (grid < FIRST_HIGH) return `${itemAt(ZONES, grid).name} Netzbetrieb GmbH`;
  if (grid < FIRST_LOCAL)
    return `Hochspannungsnetze ${entryOf(STATES, itemAt(LAND_STATES, grid - FIRST_HIGH)).name} AG`;
  const { district } = itemAt(GRIDS, grid - FIRST_LOCAL);
  const names = [
    'Netze {d} GmbH',
    'Stadtwerke {d} Netz GmbH',
    'Verteilnetz {d} GmbH & Co. KG',
    'Energienetze {d} AG',
    'Kreiswerke {d} Netzgesellschaft mbH',
  ];
  const renamed = world.day >= date(2025) + (bits(base, 3) % 4000);
  return pick(base, renamed ? 2 : 1, names).replace('{d}', district);
}

/** Number of a grid operator. */
export function gridOperator(world: World, grid: number): string {
  return world.series('SNB').of(grid);
}

/** Grid of a site at a voltage level. */
function gridAt(region: Region, voltage: number): number {
  if (voltage <= 349 || region.grid < 0)
    return Math.max(
      0,
      ZONES.findIndex(({ id }) => id === zoneOf(region)),
    );
  if (voltage <= 351) return FIRST_HIGH + LAND_STATES.indexOf(region.state);
  return FIRST_LOCAL + region.grid;
}

/** Voltage level (348 highest … 354 low) for the power at a location in kW. */
function voltageFor(kilowatts: number, base: number): number {
  const chance = roll(base, 410);
  if (kilowatts <= 135) return chance < 0.995 ? 354 : 353;
  if (kilowatts <= 1000) return chance < 0.3 ? 353 : chance < 0.7 ? 354 : 352;
  if (kilowatts <= 12_000) return chance < 0.97 ? 352 : 351;
  if (kilowatts <= 30_000) return chance < 0.4 ? 351 : 350;
  if (kilowatts <= 150_000) return chance < 0.9 ? 350 : 349;
  return chance < 0.1 ? 349 : 348;
}

/** Grid operators upload most changes of their side in batches, every so many days. */
const BATCHES = 0.8;
const BATCH_DAYS = 30;

/** Time of the last change of a location or connection point; all changes of one batch have the same. */
function changedAt(unit: Unit, day: number, base: number): string {
  const at = unit.first + (bits(unit.siteBase, 411) % 400);
  const batch = at - (at % BATCH_DAYS);
  if (roll(base, 409) < BATCHES && batch > unit.first && batch <= day) return timeText(batch, 1);
  return timeText(at <= day ? at : unit.first, base);
}

function locationName(unit: Unit): string {
  const base = unit.siteBase;
  const form = roll(base, 412);
  if (!has('NameDerTechnischenLokation', unit, base)) return '';
  if (form < 0.3) return `NEA_ID ${1000 + (bits(base, 413) % 9000)}`;
  if (form < 0.6) return `Anschlussobjekt_${digits(base, 414, 10)}`;
  return digits(base, 414, 9);
}

/** Location led by this unit. */
export function locationRecord(world: World, unit: Unit): string {
  const points = Array.from({ length: pointCount(unit.siteBase) }, (_, i) =>
    pointNumber(world, unit.siteCarrier, unit.siteKey, i),
  );
  return (
    `<DatumLetzteAktualisierung>${changedAt(unit, world.day, unit.siteBase)}</DatumLetzteAktualisierung>` +
    `<MastrNummer>${locationNumber(world, unit)}</MastrNummer>` +
    element('NameDerTechnischenLokation', locationName(unit)) +
    `<Lokationtyp>${itemAt(CARRIERS, unit.carrier).locationType}</Lokationtyp>` +
    `<VerknuepfteEinheitenMaStRNummern>${unitsOfLocation(world, unit.carrier, unit.leader)}</VerknuepfteEinheitenMaStRNummern>` +
    element('NetzanschlusspunkteMaStRNummern', points.join(', '))
  );
}

/** Connection point of the location led by this unit. */
export function pointRecord(world: World, unit: Unit, point: number): string {
  const base = unit.siteBase ^ (point * 0x51ed27);
  const type = itemAt(CARRIERS, unit.carrier).locationType;
  const gas = type > 2;
  const power = unit.gross * unit.size;
  const voltage = Math.max(348, voltageFor(power, base) - (point > 0 && roll(base, 415) < 0.5 ? 1 : 0));
  const grid = gridAt(unit.region, voltage);
  const head =
    `<NetzanschlusspunktMastrNummer>${pointNumber(world, unit.siteCarrier, unit.siteKey, point)}</NetzanschlusspunktMastrNummer>` +
    (has('NetzanschlusspunktBezeichnung', unit, base)
      ? `<NetzanschlusspunktBezeichnung>NA-${digits(base, 417, 7)}</NetzanschlusspunktBezeichnung>`
      : '') +
    `<LetzteAenderung>${changedAt(unit, world.day, base)}</LetzteAenderung>` +
    `<LokationMaStRNummer>${locationNumber(world, unit)}</LokationMaStRNummer>` +
    element('NameDerTechnischenLokation', locationName(unit)) +
    `<Lokationtyp>${type}</Lokationtyp>`;
  // Country, grid operator, postal code, running number.
  const meter = `<Messlokation>DE${digits(unit.region.grid + 1, 420, 11)}${unit.region.postcode || '00000'}${digits(base, 426, 7).padStart(15, '0')}</Messlokation>`;
  if (gas) {
    return (
      head +
      `<MaximaleEinspeiseleistung>${decimal(power)}</MaximaleEinspeiseleistung><MaximaleAusspeiseleistung>${decimal(power * 0.8)}</MaximaleAusspeiseleistung>` +
      `<Gasqualitaet>${roll(base, 431) < 0.2 ? 766 : 767}</Gasqualitaet>${meter}<Marktgebiet>${roll(base, 432) < 0.9 ? 1001667 : 1536}</Marktgebiet>` +
      `<NetzMaStRNummer>${world.series('GNE').of(unit.region.grid >> 3)}</NetzMaStRNummer><NochInPlanung>0</NochInPlanung>` +
      `<NetzbetreiberMaStRNummer>${world.series('GNB').of(unit.region.grid >> 3)}</NetzbetreiberMaStRNummer>`
    );
  }
  return (
    head +
    (has('Messlokation', unit, base) ? meter : '') +
    `<Spannungsebene>${voltage}</Spannungsebene>` +
    (has('Nettoengpassleistung', unit, base)
      ? `<Nettoengpassleistung>${decimal(unit.net * unit.size)}</Nettoengpassleistung>`
      : '') +
    `<BilanzierungsgebietNetzanschlusspunktId>${grid + 1}</BilanzierungsgebietNetzanschlusspunktId>` +
    (has('Netzanschlusskapazitaet', unit, base)
      ? `<Netzanschlusskapazitaet>${decimal(Math.ceil(power * 1.1))}</Netzanschlusskapazitaet>`
      : '') +
    `<RegelzoneNetzanschlusspunkt>${zoneOf(unit.region)}</RegelzoneNetzanschlusspunkt>` +
    `<NetzMaStRNummer>${world.series('SNE').of(grid)}</NetzMaStRNummer>` +
    (has('NochInPlanung', unit, base) ? flag('NochInPlanung', base, 435, 0.01) : '') +
    `<NetzbetreiberMaStRNummer>${gridOperator(world, grid)}</NetzbetreiberMaStRNummer>`
  );
}

/** Y code of a balancing area. */
function areaCode(grid: number): string {
  return `11YN1${digits(baseOf(7, STREAM.grid, grid), 440, 7)}-0${'ABCDEFGHKLMNPRSTUVWXYZ'[grid % 22]}${grid % 10}`;
}

export function areaRecord(grid: number): string {
  return (
    `<Id>${grid + 1}</Id><Yeic>${areaCode(grid)}</Yeic><BilanzierungsgebietNetzanschlusspunkt>${escapeText(gridName(grid))}</BilanzierungsgebietNetzanschlusspunkt>` +
    `<RegelzoneNetzanschlusspunkt>${grid < FIRST_HIGH ? itemAt(ZONES, grid).id : zoneOf(seat(grid))}</RegelzoneNetzanschlusspunkt>`
  );
}

/** Federal states of a grid in the list of the actors. */
function statesOf(grid: number): string {
  if (grid >= FIRST_HIGH) return String(seat(grid).actorState);
  const zone = itemAt(ZONES, grid).id;
  return [...STATES.values()]
    .filter((state) => state.zone === zone && state.actorId > 0)
    .map(({ actorId }) => actorId)
    .join(', ');
}

export function powerGridRecord(world: World, grid: number): string {
  const base = baseOf(world.seed, STREAM.grid, grid);
  const areas =
    grid < FIRST_LOCAL && grid + 1 < POWER_GRIDS && roll(base, 441) < 0.3
      ? `${areaCode(grid)}, ${areaCode(grid + 1)}`
      : areaCode(grid);
  return (
    `<DatumLetzteAktualisierung>${timeText(date(2022) + (bits(base, 442) % 1500), base)}</DatumLetzteAktualisierung>` +
    `<MastrNummer>${world.series('SNE').of(grid)}</MastrNummer><Sparte>20</Sparte><KundenAngeschlossen>${grid < FIRST_HIGH ? 0 : 1}</KundenAngeschlossen>` +
    `<GeschlossenesVerteilnetz>${grid >= FIRST_LOCAL && roll(base, 443) < 0.04 ? 1 : 0}</GeschlossenesVerteilnetz><Bezeichnung>${escapeText(gridName(grid))}</Bezeichnung>` +
    `<Bundesland>${statesOf(grid)}</Bundesland><Bilanzierungsgebiete>${areas}</Bilanzierungsgebiete>`
  );
}

export function gasGridRecord(world: World, grid: number): string {
  const base = baseOf(world.seed, STREAM.grid, 10_000 + grid);
  const region = gasSeat(grid);
  return (
    `<DatumLetzteAktualisierung>${timeText(date(2022) + (bits(base, 442) % 1500), base)}</DatumLetzteAktualisierung>` +
    `<MastrNummer>${world.series('GNE').of(grid)}</MastrNummer><Sparte>21</Sparte><KundenAngeschlossen>1</KundenAngeschlossen>` +
    `<GeschlossenesVerteilnetz>0</GeschlossenesVerteilnetz><Bezeichnung>Gasnetz ${escapeText(region.district)}</Bezeichnung>` +
    `<Marktgebiet>1001667</Marktgebiet><Bundesland>${region.actorState}</Bundesland>`
  );
}

/** Day on which the grid operator of a unit changed; one unit in a hundred has one. */
function assignmentDay(unit: Unit): number {
  return date(2024, 9) + (bits(unit.base, 446) % 1500);
}

/** Number of changes of the grid operator of a unit up to the day. */
export function assignmentCount(unit: Unit, day: number): number {
  if (roll(unit.base, 445) >= 0.012 || assignmentDay(unit) > day || assignmentDay(unit) < unit.first) return 0;
  return roll(unit.base, 447) < 0.1 ? 2 : 1;
}

export function assignmentRecord(world: World, unit: Unit, nth: number): string {
  const { base } = unit;
  const at = assignmentDay(unit) - nth * 200;
  const grid = gridAt(unit.region, 354);
  const former = FIRST_LOCAL + (bits(base, 448 + nth) % GRIDS.length);
  const points = pointCount(unit.siteBase);
  const list = Array.from({ length: points }, (_, i) => pointNumber(world, unit.siteCarrier, unit.siteKey, i)).join(
    ',',
  );
  const located = unit.status !== PLANNED && namesLocation(unit);
  return (
    `<EinheitMastrNummer>${unit.number}</EinheitMastrNummer>` +
    (located ? `<LokationMastrNummer>${locationNumber(world, unit)}</LokationMastrNummer>` : '') +
    (located ? element('NetzanschlusspunktMastrNummer', list) : '') +
    `<NetzbetreiberMastrNummerAlt>${gridOperator(world, former)}</NetzbetreiberMastrNummerAlt><NetzbetreiberMastrNummerNeu>${gridOperator(world, grid)}</NetzbetreiberMastrNummerNeu>` +
    `<ArtDerAenderung>${roll(base, 449) < 0.7 ? 3085 : 3086}</ArtDerAenderung>` +
    `<RegistrierungsdatumNetzbetreiberzuordnungsaenderung>${timeText(at, base)}</RegistrierungsdatumNetzbetreiberzuordnungsaenderung>` +
    `<Netzbetreiberzuordnungsaenderungsdatum>${dayText(at - (at % 30))}T00:00:00</Netzbetreiberzuordnungsaenderungsdatum>`
  );
}
