/** The 38 kinds of files: the objects of the world that they contain, and how each is written. */

import { itemAt } from '../../runtime/present.ts';
import {
  deactivatedRecord,
  gasOperatorRecord,
  gridOperatorRecord,
  isDeactivated,
  OTHER_ACTORS,
  otherRecord,
  poolRecord,
  roleRecords,
  siteOperatorRecord,
} from './files/actors.ts';
import { consumerUnit, gasConsumerUnit, gasProducerUnit, gasStorageUnit } from './files/consumption.ts';
import {
  areaRecord,
  assignmentCount,
  assignmentRecord,
  GAS_GRIDS,
  gasGridRecord,
  locationRecord,
  POWER_GRIDS,
  pointRecord,
  powerGridRecord,
} from './files/grid.ts';
import { hydroUnit } from './files/hydro.ts';
import { categoryRecords, type SystemList, systemRecords, valueRecords } from './files/lists.ts';
import { permitRecord } from './files/permits.ts';
import {
  biomassPlant,
  chpPlant,
  eegStoragePlant,
  gasStoragePlant,
  hydroPlant,
  hydroUpgrade,
  mixedPlant,
  solarPlant,
  storagePlant,
  upgradeCount,
  windPlant,
} from './files/plants.ts';
import { solarUnit } from './files/solar.ts';
import { storageUnit } from './files/storage.ts';
import { biomassUnit, combustionUnit, mixedUnit, nuclearUnit } from './files/thermal.ts';
import { windUnit } from './files/wind.ts';
import { BIOMASS, CARRIERS, COMBUSTION, GAS_STORAGE, HYDRO, MIXED, SOLAR, STORAGE, WIND } from './world/carriers.ts';
import { isDeleted, isInFile, leftAlone } from './world/deletion.ts';
import { drawsEeg, hasChp, hasOwnPlant, hasPermit, leads, pointCount } from './world/links.ts';
import { foreignOwner } from './world/operators.ts';
import { baseOf, bits, roll } from './world/random.ts';
import { PLANNED } from './world/status.ts';
import { NONE, timeText } from './world/text.ts';
import { operatorChange, Unit, unitNumber } from './world/unit.ts';
import { STREAM, type World } from './world/world.ts';

/** Objects that a file is made of. */
interface Source {
  readonly size: number;
  /** Records of the object with this index; often 0 or 1. */
  count(index: number): number;
  /** Content of one of its records. */
  write(index: number, nth: number): string;
}

export interface Table {
  /** Name of the file and of its root element. */
  readonly file: string;
  readonly record: string;
  /** True when the name has a number even with a single part. */
  readonly numbered: boolean;
  readonly sources: readonly Source[];
}

type UnitWriter = (world: World, unit: Unit, number: string) => string;

/** Writers by carrier code. */
const UNIT_WRITERS: readonly UnitWriter[] = [
  solarUnit,
  storageUnit,
  combustionUnit,
  windUnit,
  biomassUnit,
  hydroUnit,
  mixedUnit,
  nuclearUnit,
  consumerUnit,
  gasProducerUnit,
  gasStorageUnit,
  gasConsumerUnit,
];

/** Share of units that come a second time, in an older state, this many records away. */
const TWIN_SHARE = 0.0003;
const TWIN_DISTANCE = 137;
const TWIN_AGE = 40;

function unitSource(world: World, unit: Unit, carrier: number): Source {
  const size = itemAt(world.counts, carrier);
  const write = itemAt(UNIT_WRITERS, carrier);
  /** Index of the unit that is repeated at this one, -1 for none; half of the repetitions come before, half after. */
  const twin = (index: number): number => {
    const base = baseOf(world.seed, STREAM.quirk + carrier, index);
    if (roll(base, 1) >= TWIN_SHARE) return -1;
    const other = index + (bits(base, 2) % 2 === 0 ? TWIN_DISTANCE : -TWIN_DISTANCE);
    return other >= 0 && other < size && isInFile(world, carrier, other) ? other : -1;
  };
  return {
    size,
    count: (index) => (isInFile(world, carrier, index) ? 1 : 0) + (twin(index) >= 0 ? 1 : 0),
    write: (index, nth) => {
      const own = nth === 0 && isInFile(world, carrier, index);
      const at = own ? index : twin(index);
      const day = own ? world.day : Math.max(world.registration(carrier, at), world.day - TWIN_AGE);
      return write(world, unit.load(carrier, at, day), unitNumber(world, carrier, at));
    },
  };
}

/** One record per site or unit of a carrier, for those that `has` accepts. */
function single(
  world: World,
  carrier: number,
  has: (index: number) => boolean,
  write: (index: number) => string,
): Source {
  return { size: itemAt(world.counts, carrier), count: (index) => (has(index) ? 1 : 0), write };
}

function eegSource(world: World, unit: Unit, carrier: number, write: (world: World, unit: Unit) => string): Source {
  const has = (index: number): boolean => {
    if (isDeleted(world, carrier, index)) return false;
    if (hasOwnPlant(carrier)) return drawsEeg(carrier, world.unitBase(carrier, index));
    return leads(world, carrier, index) && drawsEeg(carrier, world.siteBase(carrier, index));
  };
  return single(world, carrier, has, (index) => write(world, unit.load(carrier, index)));
}

/** Returns true when a unit leads a location. Storage next to a solar unit is at the location of that unit. */
function leadsLocation(world: World, unit: Unit, carrier: number, index: number): boolean {
  if (carrier === STORAGE && world.solarBeside(index) >= 0) return false;
  if (!leads(world, carrier, index) || leftAlone(world, carrier, index)) return false;
  return unit.load(carrier, index).status !== PLANNED;
}

function fixed(size: number, write: (index: number) => string): Source {
  return { size, count: () => 1, write };
}

function listed(records: readonly string[]): Source {
  return fixed(records.length, (index) => itemAt(records, index));
}

/** Returns true when the first operator of a site has left the register. */
const isGone = (world: World, carrier: number, leader: number, changed: number): boolean =>
  isDeactivated(world.siteBase(carrier, leader), changed, world.day) || leftAlone(world, carrier, leader);

/** Operators of the sites of a carrier: the first one and its successor. */
function operatorSource(world: World, unit: Unit, carrier: number): Source {
  /** 1 = first operator, 2 = successor. */
  const present = (index: number): number => {
    if (carrier === STORAGE && world.solarBeside(index) >= 0) return 0;
    if (!leads(world, carrier, index)) return 0;
    const base = world.siteBase(carrier, index);
    const changed = operatorChange(carrier, index, base) === NONE ? NONE : unit.load(carrier, index).changeRegistered;
    const first = foreignOwner(world, carrier, index) < 0 && !isGone(world, carrier, index, changed);
    return (first ? 1 : 0) + (changed !== NONE ? 2 : 0);
  };
  return {
    size: itemAt(world.counts, carrier),
    count: (index) => itemAt([0, 1, 1, 2], present(index)),
    write: (index, nth) => {
      const successor = nth === 1 || present(index) === 2;
      unit.load(carrier, index);
      const registered = successor ? unit.changeRegistered : unit.first;
      return siteOperatorRecord(world, unit, index * 32 + carrier * 2 + (successor ? 1 : 0), registered);
    },
  };
}

function deactivatedSource(world: World, unit: Unit, carrier: number): Source {
  const changeOf = (index: number): number =>
    operatorChange(carrier, index, world.siteBase(carrier, index)) === NONE
      ? NONE
      : unit.load(carrier, index).changeRegistered;
  const has = (index: number): boolean =>
    !(carrier === STORAGE && world.solarBeside(index) >= 0) &&
    leads(world, carrier, index) &&
    foreignOwner(world, carrier, index) < 0 &&
    isGone(world, carrier, index, changeOf(index));
  return single(world, carrier, has, (index) =>
    deactivatedRecord(world, index * 32 + carrier * 2, world.siteBase(carrier, index), changeOf(index)),
  );
}

function removedRecord(unit: Unit): string {
  return (
    `<DatumLetzteAktualisierung>${timeText(unit.deleted, unit.base)}</DatumLetzteAktualisierung>` +
    `<EinheitMastrNummer>${unit.number}</EinheitMastrNummer><Einheittyp>${itemAt(CARRIERS, unit.carrier).unitType}</Einheittyp>` +
    `<EinheitSystemstatus>${unit.systemStatus}</EinheitSystemstatus><EinheitBetriebsstatus>${unit.status}</EinheitBetriebsstatus>`
  );
}

/** Carriers whose units may have permits. */
const PERMITTED = [SOLAR, STORAGE, COMBUSTION, WIND, BIOMASS, HYDRO, MIXED, 7];

function permitSource(world: World, unit: Unit, carrier: number): Source {
  const has = (index: number): boolean => {
    // At most half of the ground-mounted plants can match, so most sites are skipped without the costly check.
    if (carrier === SOLAR && roll(world.siteBase(carrier, index), 82) > 0.5) return false;
    if (carrier === STORAGE && world.solarBeside(index) >= 0) return false;
    return leads(world, carrier, index) && hasPermit(unit.load(carrier, index)) && !isDeleted(world, carrier, index);
  };
  return single(world, carrier, has, (index) => permitRecord(world, unit.load(carrier, index)));
}

/** All tables of a world. The functions share one unit that they load anew for every record. */
export function tablesOf(world: World): Table[] {
  const unit = new Unit(world);
  const codes = CARRIERS.map(({ code }) => code);
  const table = (file: string, record: string, sources: Source[], numbered = false): Table => ({
    file,
    record,
    numbered,
    sources,
  });
  const eeg = (kind: string, carrier: number, write: (world: World, unit: Unit) => string): Table =>
    table(`AnlagenEeg${kind}`, `AnlageEeg${kind}`, [eegSource(world, unit, carrier, write)]);
  const system = (file: SystemList, record: string): Table => table(file, record, [listed(systemRecords(file))]);

  const chp = [COMBUSTION, BIOMASS, MIXED].map((carrier) =>
    single(
      world,
      carrier,
      (index) => hasChp(unit.load(carrier, index)) && unit.deleted === NONE,
      (index) => chpPlant(world, unit.load(carrier, index)),
    ),
  );
  const storagePlants = single(
    world,
    STORAGE,
    (index) => (world.solarBeside(index) >= 0 || leads(world, STORAGE, index)) && !isDeleted(world, STORAGE, index),
    (index) => storagePlant(world, unit.load(STORAGE, index)),
  );
  const upgrades: Source = {
    size: itemAt(world.counts, HYDRO),
    count: (index) =>
      leads(world, HYDRO, index) && !isDeleted(world, HYDRO, index) && drawsEeg(HYDRO, world.siteBase(HYDRO, index))
        ? upgradeCount(world.siteBase(HYDRO, index))
        : 0,
    write: (index, nth) => hydroUpgrade(world, unit.load(HYDRO, index), nth),
  };
  const assignments = codes.map(
    (carrier): Source => ({
      size: carrier < 8 ? itemAt(world.counts, carrier) : 0,
      count: (index) =>
        roll(world.unitBase(carrier, index), 445) < 0.012 ? assignmentCount(unit.load(carrier, index), world.day) : 0,
      write: (index, nth) => assignmentRecord(world, unit.load(carrier, index), nth),
    }),
  );
  const locations = codes.map((carrier) =>
    single(
      world,
      carrier,
      (index) => leadsLocation(world, unit, carrier, index),
      (index) => locationRecord(world, unit.load(carrier, index)),
    ),
  );
  const points = codes.map(
    (carrier): Source => ({
      size: itemAt(world.counts, carrier),
      count: (index) => {
        const count = pointCount(world.siteBase(carrier, index));
        return count > 0 && leadsLocation(world, unit, carrier, index) ? count : 0;
      },
      write: (index, nth) => pointRecord(world, unit.load(carrier, index), nth),
    }),
  );
  const removed = codes.map((carrier) =>
    single(
      world,
      carrier,
      (index) => isDeleted(world, carrier, index),
      (index) => removedRecord(unit.load(carrier, index)),
    ),
  );
  const actors = [
    ...codes.map((carrier) => operatorSource(world, unit, carrier)),
    fixed(world.poolSize, (index) => poolRecord(world, index)),
    fixed(POWER_GRIDS, (index) => gridOperatorRecord(world, index)),
    fixed(GAS_GRIDS, (index) => gasOperatorRecord(world, index)),
    fixed(OTHER_ACTORS, (index) => otherRecord(world, index)),
  ];
  const roles: Source = {
    size: POWER_GRIDS + OTHER_ACTORS,
    count: (index) => roleRecords(world, index).length,
    write: (index, nth) => itemAt(roleRecords(world, index), nth),
  };

  return [
    ...CARRIERS.map(({ code, file, record }) => table(file, record, [unitSource(world, unit, code)])),
    eeg('Wind', WIND, windPlant),
    eeg('Solar', SOLAR, solarPlant),
    eeg('Biomasse', BIOMASS, biomassPlant),
    eeg('Wasser', HYDRO, hydroPlant),
    eeg('GeothermieGrubengasDruckentspannung', MIXED, mixedPlant),
    eeg('Speicher', STORAGE, eegStoragePlant),
    table('AnlagenKwk', 'AnlageKwk', chp),
    table('AnlagenStromSpeicher', 'AnlageStromSpeicher', [storagePlants]),
    table('AnlagenGasSpeicher', 'AnlageGasSpeicher', [
      single(
        world,
        GAS_STORAGE,
        (index) => !isDeleted(world, GAS_STORAGE, index),
        (index) => gasStoragePlant(world, unit.load(GAS_STORAGE, index)),
      ),
    ]),
    table(
      'EinheitenGenehmigung',
      'EinheitGenehmigung',
      PERMITTED.map((carrier) => permitSource(world, unit, carrier)),
    ),
    table('EinheitenAenderungNetzbetreiberzuordnungen', 'EinheitenAenderungNetzbetreiberzuordnung', assignments, true),
    table('GeloeschteUndDeaktivierteEinheiten', 'GeloeschteUndDeaktivierteEinheit', removed, true),
    table(
      'GeloeschteUndDeaktivierteMarktakteure',
      'GeloeschterUndDeaktivierterMarktakteur',
      codes.map((carrier) => deactivatedSource(world, unit, carrier)),
      true,
    ),
    table('Ertuechtigungen', 'Ertuechtigung', [upgrades]),
    table('Marktakteure', 'Marktakteur', actors),
    table('MarktakteureUndRollen', 'MarktakteurUndRolle', [roles]),
    table('Lokationen', 'Lokation', locations),
    table('Netzanschlusspunkte', 'Netzanschlusspunkt', points),
    table('Netze', 'Netz', [
      fixed(POWER_GRIDS, (index) => powerGridRecord(world, index)),
      fixed(GAS_GRIDS, (index) => gasGridRecord(world, index)),
    ]),
    table('Bilanzierungsgebiete', 'Bilanzierungsgebiet', [fixed(POWER_GRIDS, areaRecord)]),
    table('Katalogkategorien', 'Katalogkategorie', [listed(categoryRecords())]),
    table('Katalogwerte', 'Katalogwert', [listed(valueRecords())]),
    system('Einheitentypen', 'Einheitentyp'),
    system('Lokationstypen', 'Lokationstyp'),
    system('Marktfunktionen', 'Marktfunktion'),
    system('Marktrollen', 'Marktrolle'),
  ];
}
