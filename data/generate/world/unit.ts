import { itemAt } from '../../../runtime/present.ts';
import { CARRIERS, MIXED, NUCLEAR, SOLAR, STORAGE, WIND } from './carriers.ts';
import { applyChange } from './changes.ts';
import { DELETION_DRAW, deletion, isSpecimen } from './deletion.ts';
import { pastCommissioning } from './growth.ts';
import {
  AT_SEA,
  batteryBeside,
  capacity,
  GROUND,
  type Kind,
  kindOf,
  LARGE_BATTERY,
  LARGE_ROOF,
  moduleWatts,
  ON_LAND,
  PLUG_IN,
  POWER_STATION,
  PUMPED_HYDRO,
  REACTOR,
  SLIPS_UP_TO,
  seaPlace,
  spreadOf,
  usualSize,
} from './kinds.ts';
import { operatorKey } from './operators.ts';
import { exponential, logNormal, pick, roll } from './random.ts';
import { REGIONS, type Region, regionFor } from './regions.ts';
import { ACTIVE, CHECKED, CLOSED, IN_CHECK, NO_CHECK, PAUSED, PLANNED, RUNNING } from './status.ts';
import { date, NONE } from './text.ts';
import { modelFor, type WindModel } from './turbines.ts';
import { type Group, imprintKey, type World } from './world.ts';

/** Units registered until then were mostly built before the register opened. */
const STOCK_END = date(2021, 2, 1);

/** Draws of a unit. */
const D = {
  planned: 20,
  lead: 21,
  abandoned: 24,
  moves: 25,
  delay: 26,
  lag: 29,
  past: 30,
  late: 33,
  life: 34,
  pause: 36,
  correction: 40,
  check: 43,
  touched: 47,
  typo: 50,
  odd: 52,
  inverter: 55,
  move: 70,
} as const;

const group: Group = { leader: 0, size: 1 };

/** State of a unit, a pure function of world, index and day. Reused: `load` fills all fields. Days are numbers since 1970-01-01, NONE = absent; capacities are kW. */
export class Unit {
  carrier = 0;
  index = 0;
  base = 0;
  /** Site: carrier and index of its leading unit, number of units of the carrier there, its random base. */
  siteCarrier = 0;
  leader = 0;
  size = 1;
  siteBase = 0;
  kind: Kind = REACTOR;
  region: Region = itemAt(REGIONS, 0);
  model: WindModel | undefined = undefined;
  /** First registration, which the register forgets when a planned unit is commissioned. */
  first = 0;
  registered = 0;
  updated = 0;
  status = RUNNING;
  planned = NONE;
  commissioned = NONE;
  closed = NONE;
  paused = NONE;
  resumed = NONE;
  gross = 0;
  net = 0;
  modules = 0;
  inverter = 0;
  checkStatus = CHECKED;
  checked = NONE;
  /** Operator change: effective and registered day, NONE while the first operator runs the unit. */
  change = NONE;
  changeRegistered = NONE;
  operator = 0;
  formerOperator = 0;
  systemStatus = ACTIVE;
  deleted = NONE;

  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  get number(): string {
    return unitNumber(this.#world, this.carrier, this.index);
  }

  /**
   * The first units of the rare carriers are specimens: each has some of the rare events, so that every element of the
   * format occurs in small exports too. Index of the specimen, -1 for all other units.
   */
  get specimen(): number {
    if (this.kind === PUMPED_HYDRO) return this.index < 80 ? 0 : this.index < 160 ? 1 : -1;
    return isSpecimen(this.carrier, this.index) ? this.index : -1;
  }

  /** Key of the site in all number series that name a site. */
  get siteKey(): number {
    return this.leader * 16 + this.siteCarrier;
  }

  /** Sets all fields to the state of a unit on a day (default: the day of the world). */
  load(carrier: number, index: number, day: number = this.#world.day): this {
    const world = this.#world;
    const base = world.unitBase(carrier, index);
    this.carrier = carrier;
    this.index = index;
    this.base = base;
    this.first = world.registration(carrier, index);
    this.#place();
    this.#life(day);
    this.#power(day);
    this.#operatorAndCheck(day);
    this.deleted = deletion(carrier, index, base, this.first);
    if (this.deleted > day) this.deleted = NONE;
    this.systemStatus = this.deleted === NONE ? ACTIVE : roll(base, DELETION_DRAW + 3) < 0.35 ? 473 : 572;
    if (this.deleted !== NONE) this.updated = this.deleted;
    const change = day < world.day ? undefined : world.changes.units.get(imprintKey(carrier, index));
    if (change !== undefined) applyChange(this, change);
    return this;
  }

  #place(): void {
    const world = this.#world;
    const beside = this.carrier === STORAGE ? world.solarBeside(this.index) : -1;
    this.siteCarrier = beside >= 0 ? SOLAR : this.carrier;
    world.group(this.siteCarrier, beside >= 0 ? beside : this.index, group);
    this.leader = group.leader;
    this.size = beside >= 0 ? 1 : group.size;
    this.siteBase = world.siteBase(this.siteCarrier, this.leader);
    const registered = this.leader === this.index ? this.first : world.registration(this.siteCarrier, this.leader);
    const site = kindOf(this.siteCarrier, this.leader, this.siteBase, registered, group.size > 1);
    this.kind = beside >= 0 ? batteryBeside(site, this.base) : site;
    if (this.carrier === STORAGE && world.isPumped(this.index)) this.kind = PUMPED_HYDRO;
    const spread = spreadOf(site, this.siteCarrier);
    const byChance = spread === 'solar' || spread === 'ground';
    const place = byChance ? roll(this.siteBase, 1) : world.evenPlace(this.siteCarrier, this.leader, group.size);
    this.region = regionFor(spread, this.kind === AT_SEA ? seaPlace(this.leader, place) : place);
  }

  /** Registration, planning, commissioning, closing. */
  #life(day: number): void {
    const { base, first, kind, carrier } = this;
    const stock = first < STOCK_END;
    this.planned = NONE;
    this.closed = NONE;
    this.paused = NONE;
    this.resumed = NONE;
    this.registered = first;
    this.updated = first;
    this.status = RUNNING;
    const abandoned = this.specimen === 3 && carrier !== NUCLEAR;
    if (abandoned || roll(base, D.planned) < kind.planned * (stock ? 0.06 : 1)) this.#build(day);
    else this.commissioned = this.#builtBefore(stock);
    if (this.status === PLANNED) return;
    if (carrier === NUCLEAR && this.specimen !== 0) {
      this.#close(this.index < 3 ? date(2021, 12, 31) : date(2023, 4, 15), day);
      return;
    }
    const start = Math.max(this.registered, date(2019, 3, 1));
    const since = this.commissioned === NONE ? start : this.commissioned;
    const share = carrier === SOLAR || carrier === STORAGE || kind === AT_SEA ? 0.022 : 0.12;
    const life = roll(base, D.life);
    if (this.specimen === 1) this.#close(start + 200, day);
    else if (life < share) this.#close(Math.max(since + 30, start - 20 + Math.floor((life / share) * 5500)), day);
    if (this.specimen === 0 || (this.status === RUNNING && roll(base, D.pause) < 0.012)) this.#pause(start, day);
    if (carrier === NUCLEAR) this.#close(date(2021, 12, 31), day);
  }

  /** A unit that was registered before it was built: planned day, its moves, commissioning. */
  #build(day: number): void {
    const { base, first, kind } = this;
    const large = kind.lead > 100;
    const abandoned = this.specimen === 3 || roll(base, D.abandoned) < 0.05;
    const chance = roll(base, D.moves);
    const moves = abandoned
      ? 6
      : large
        ? chance < 0.45
          ? 0
          : chance < 0.7
            ? 1
            : chance < 0.85
              ? 2
              : 4
        : chance < 0.85
          ? 0
          : 1;
    let planned = first + 5 + Math.round(logNormal(base, D.lead, kind.lead, 0.7));
    const shifts: number[] = [];
    for (let move = 0; move < moves; move++) {
      const later = roll(base, D.move + 3 * move) < 0.98;
      const shift = later
        ? Math.round(logNormal(base, D.move + 3 * move + 1, 68, 0.8))
        : -Math.round(exponential(base, D.move + 3 * move + 1, 30));
      shifts.push(shift);
    }
    const last = shifts.reduce((sum, shift) => sum + shift, planned);
    const delay = Math.round((roll(base, D.delay) + roll(base, D.delay + 1) + roll(base, D.delay + 2) - 1.4) * 70);
    const commissioned = abandoned ? 1_000_000 : Math.max(first + 1, last + delay);
    const registered = commissioned + Math.min(60, Math.floor(exponential(base, D.lag, 12)));
    if (day >= registered) {
      this.commissioned = commissioned;
      this.registered = registered;
      this.updated = registered;
      return;
    }
    this.status = PLANNED;
    this.commissioned = NONE;
    const span = abandoned ? 2200 : commissioned - first;
    shifts.forEach((shift, move) => {
      const at = first + Math.floor((span * (move + 1)) / (shifts.length + 1.5));
      if (at > day) return;
      planned += shift;
      this.updated = at;
    });
    this.planned = planned;
  }

  /** Commissioning day of a unit that was built when it was registered. */
  #builtBefore(stock: boolean): number {
    const { base, first, carrier } = this;
    if (carrier === NUCLEAR) return date(1984 + Math.floor(this.index / 2) * 2, 4 + this.index, 10 + this.index);
    if (carrier === SOLAR && this.kind === PLUG_IN) return first - Math.floor(exponential(base, D.past, 18));
    const late = this.kind === POWER_STATION || roll(base, D.late) < 0.06;
    if (!stock && !late) return first - Math.floor(exponential(base, D.past, 24));
    const known = ['solar', 'storage', 'combustion', 'wind', 'biomass', 'hydro'][carrier] ?? 'combustion';
    const profile = this.kind === PUMPED_HYDRO ? 'hydro' : known;
    if (this.kind === AT_SEA) return date(2010) + Math.floor(roll(base, D.past) * 3900);
    return pastCommissioning(profile, base, D.past, first);
  }

  #close(at: number, day: number): void {
    const wait = this.carrier === NUCLEAR ? 0 : Math.floor(exponential(this.base, D.life + 1, 15));
    const registered = Math.max(at, this.registered) + wait;
    if (registered > day) return;
    this.status = CLOSED;
    this.closed = at;
    this.updated = Math.max(this.updated, registered);
  }

  #pause(start: number, day: number): void {
    const at = start + Math.floor(roll(this.base, D.pause + 1) * (this.specimen === 0 ? 100 : 2500));
    if (at > day) return;
    this.paused = at;
    this.updated = Math.max(this.updated, at);
    const back = at + 20 + Math.min(400, Math.floor(exponential(this.base, D.pause + 2, 250)));
    if (back > day) {
      this.status = PAUSED;
      return;
    }
    this.resumed = back;
    this.updated = Math.max(this.updated, back);
  }

  /** Capacities, corrections and the usual slips of those who type them. */
  #power(day: number): void {
    const { base, carrier, kind } = this;
    this.model = undefined;
    this.modules = 0;
    this.inverter = 0;
    if (carrier === SOLAR) this.#solarPower();
    else if (carrier === WIND && (kind === ON_LAND || kind === AT_SEA)) {
      this.model = modelFor(
        this.siteBase,
        this.commissioned === NONE ? this.planned : this.commissioned,
        kind === AT_SEA,
      );
      this.gross = this.model.kilowatts;
      this.net = this.gross;
    } else {
      // Units of one site are alike.
      const share = this.#world.sizeShare(carrier, kind === PUMPED_HYDRO);
      this.gross = usualSize(share * capacity(kind, this.size > 1 ? this.siteBase : base));
      // Reserves are named from 1 MW on.
      if (this.specimen === 0 || this.specimen === 1) this.gross = Math.max(1200, this.gross);
      this.net =
        roll(base, D.inverter) < 0.8
          ? this.gross
          : Math.round(this.gross * (0.9 + 0.1 * roll(base, D.inverter + 1)) * 1000) / 1000;
      if (carrier === STORAGE)
        this.inverter = roll(base, D.inverter + 2) < 0.9 ? this.gross : usualSize(this.gross * 1.3);
      if (carrier === MIXED || carrier === NUCLEAR) this.net = Math.round(this.gross * 0.96);
    }
    this.#correct(day);
    const typo = roll(base, D.typo);
    if (typo < 0.0012 && this.gross < SLIPS_UP_TO) this.net *= 1000;
    else if (typo < 0.0018 && this.gross < SLIPS_UP_TO) this.gross *= 1000;
    else if (typo > 0.997 && kind === LARGE_BATTERY) this.gross /= 1000;
    this.#oddDate();
  }

  #solarPower(): void {
    const { base, kind } = this;
    const watts = moduleWatts(this.commissioned === NONE ? this.planned : this.commissioned, this.siteBase);
    if (kind === PLUG_IN) {
      this.modules = pick(base, D.inverter, [1, 2, 2, 2, 2, 2, 3, 4, 4]);
      this.inverter =
        this.modules === 1
          ? 0.3
          : this.first < date(2024, 5, 16)
            ? 0.6
            : pick(base, D.inverter + 1, [0.6, 0.8, 0.8, 0.8]);
      this.gross = Math.min(2, Math.max(0.3, (this.modules * watts) / 1000));
    } else {
      this.modules = Math.max(1, Math.round((capacity(kind, base) * 1000) / watts));
      this.gross = (this.modules * watts) / 1000;
      const ratio = 0.72 + 0.3 * roll(base, D.inverter);
      this.inverter =
        kind === GROUND || kind === LARGE_ROOF ? Math.round(this.gross * ratio) : usualSize(this.gross * ratio);
    }
    this.net = Math.min(this.gross, this.inverter);
  }

  #correct(day: number): void {
    const { base } = this;
    const at = this.registered + Math.floor(roll(base, D.correction + 1) * 2400);
    if (roll(base, D.correction) >= 0.07 || this.status === PLANNED || this.model !== undefined) return;
    if (at <= day) {
      this.updated = Math.max(this.updated, at);
      return;
    }
    const factor = 0.8 + 0.4 * roll(base, D.correction + 2);
    this.gross = Math.max(0.1, Math.round(this.gross * factor * 100) / 100);
    this.net = Math.min(this.net, this.gross);
  }

  #oddDate(): void {
    const odd = roll(this.base, D.odd);
    if (odd > 0.0003 || this.commissioned === NONE) return;
    this.commissioned = odd < 0.0001 ? date(1026, 5, 1) : odd < 0.0002 ? date(2206, 1, 1) : date(1900, 1, 1);
  }

  #operatorAndCheck(day: number): void {
    const { base, siteBase } = this;
    this.operator = operatorKey(this.#world, this.siteCarrier, this.leader, 0);
    this.formerOperator = 0;
    this.change = NONE;
    this.changeRegistered = NONE;
    const change = operatorChange(this.siteCarrier, this.leader, siteBase);
    if (change !== NONE && change > this.registered && change + 20 <= day && this.status !== PLANNED) {
      this.formerOperator = this.operator;
      this.operator = operatorKey(this.#world, this.siteCarrier, this.leader, 1);
      this.change = change;
      this.changeRegistered = change + 20;
      this.updated = Math.max(this.updated, this.changeRegistered);
    }
    if (roll(base, D.touched) < 0.3) {
      const touched = this.registered + Math.floor(roll(base, D.touched + 1) * 2500);
      if (touched <= day) this.updated = Math.max(this.updated, touched);
    }
    // Checks do not touch the time of the last change.
    const open = roll(base, D.check + 3) < 0.03 ? 1_000_000 : 0;
    const check = this.registered + open + 3 + Math.floor(exponential(base, D.check, 70));
    const second = check + Math.floor(roll(base, D.check + 2) * 8000);
    this.checked = check <= day ? check : NONE;
    if (second <= day) this.checked = second;
    this.checkStatus = this.checked === NONE ? IN_CHECK : CHECKED;
    if (this.kind === PLUG_IN && roll(base, D.check + 1) < 0.5) this.checkStatus = NO_CHECK;
    if (this.status === PLANNED) {
      this.checkStatus = IN_CHECK;
      this.checked = NONE;
    }
  }
}

export function unitNumber(world: World, carrier: number, index: number): string {
  return world.series(itemAt(CARRIERS, carrier).prefix).of(index * 16 + carrier);
}

/** Day on which the operator of a site changes, NONE for most. */
export function operatorChange(carrier: number, leader: number, siteBase: number): number {
  if (carrier !== SOLAR && carrier !== STORAGE && leader === (carrier === WIND ? 8 : 4)) return date(2022, 3, 1);
  return roll(siteBase, 5) < 0.06 ? date(2019, 6, 1) + Math.floor(roll(siteBase, 6) * 4500) : NONE;
}
