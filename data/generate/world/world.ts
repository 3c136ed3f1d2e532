/** The world of one export: how many units of every carrier there are on its day, how they form sites, who operates them. */

import { itemAt } from '../../../runtime/present.ts';
import { CARRIERS, NUCLEAR, SOLAR, STORAGE, WIND } from './carriers.ts';
import { type Changes, type Night, NO_CHANGES } from './changes.ts';
import { Growth } from './growth.ts';
import { NumberSeries } from './numbers.ts';
import { baseOf, roll } from './random.ts';

/** These values determine a world. Days are numbers since 1970-01-01. */
export interface WorldKey {
  readonly seed: number;
  /** Units (SEE numbers) that exist on the first day. */
  readonly units: number;
  /** Day of the first export of this world. */
  readonly firstDay: number;
  /** Day of this export; of the last one before its nights. */
  readonly day: number;
  /** The nights with a chosen number of changes since then. */
  readonly nights?: readonly Night[];
}

export const exportDay = ({ day, nights = [] }: WorldKey): number => nights.at(-1)?.day ?? day;

/** Streams of random numbers; carriers use stream + code. */
export const STREAM = {
  unit: 100,
  group: 200,
  site: 300,
  actor: 400,
  grid: 500,
  pool: 600,
  quirk: 700,
  role: 800,
  award: 900,
  place: 1120,
  night: 1220,
} as const;

/** Blocks of sites that cover the country once. */
const ROUND = 11;

/** The traces of an award in the register. */
export interface Imprint {
  /** Text of the award number field of the plant; empty when the register does not know the award. */
  readonly numbers: string;
  /** Elements of cadastral district and parcels of the units; empty when their own address stays. */
  readonly place: string;
}

/** Key of the imprint on an EEG plant: that of its unit where each unit has its own plant, else that of the leading unit. */
export function imprintKey(carrier: number, index: number): number {
  return index * 32 + carrier;
}

/** Key of the imprint on a CHP plant. */
export function chpImprintKey(carrier: number, index: number): number {
  return imprintKey(carrier + 16, index);
}

/** Share of units that are deleted by the first day; the world holds as many more. */
const DELETED = 0.011;

/** Ways to split a block of indices into sites of several units; chosen with the block's share of joint sites. */
const SPLITS_OF_4: readonly (readonly number[])[] = [[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2], [3, 1], [4]];
const SPLITS_OF_8: readonly (readonly number[])[] = [
  [8],
  [3, 5],
  [1, 2, 5],
  [4, 4],
  [1, 1, 6],
  [2, 3, 3],
  [7, 1],
  [6, 2],
];
/** Share of blocks with joint sites, by carrier code. */
const JOINT = [0.06, 0.008, 0.35, 0.85, 0.7, 0.4, 0.4, 0, 0, 0, 0, 0];

/** Pumped hydro and reactors, as shares of all units. */
const PUMPED_SHARE = 100 / 9_500_000;
const NUCLEAR_SHARE = 6 / 9_500_000;

/** Stretch of indices that form one site. */
export interface Group {
  leader: number;
  size: number;
}

/** Sites are stretches of such a block. */
const blockLength = (carrier: number): number => (carrier === WIND ? 8 : 4);

export class World {
  readonly key: WorldKey;
  readonly seed: number;
  readonly day: number;
  /** Registered units by carrier code on the day, deleted ones included. */
  readonly counts: readonly number[];
  /** Large operators with many units, in addition to the operators of single sites. */
  readonly poolSize: number;
  /** Traces of the awards of this world, by `imprintKey` and `chpImprintKey`. */
  readonly imprints: ReadonlyMap<number, Imprint>;
  /** What the nights of the key have changed. */
  readonly changes: Changes;
  readonly #pumped: number;
  readonly #growth: readonly Growth[];
  readonly #series = new Map<string, NumberSeries>();

  constructor(key: WorldKey, imprints: ReadonlyMap<number, Imprint> = new Map(), changes = NO_CHANGES) {
    this.key = key;
    this.imprints = imprints;
    this.changes = changes;
    this.seed = key.seed;
    this.day = key.day;
    this.poolSize = Math.min(3000, Math.max(60, Math.round(key.units / 400)));
    this.#pumped = Math.min(100, Math.max(3, Math.round(PUMPED_SHARE * key.units)));
    const sizes = CARRIERS.map(({ share, least }) => Math.max(least, Math.round(share * key.units)));
    const other = CARRIERS.reduce(
      (sum, { code, prefix }) => (prefix === 'SEE' && code !== SOLAR ? sum + itemAt(sizes, code) : sum),
      0,
    );
    sizes[SOLAR] = Math.max(1, key.units - other);
    this.#growth = CARRIERS.map(
      ({ code, growth, least }) =>
        new Growth(growth, least === 6 ? 6 : itemAt(sizes, code) / (1 - DELETED), key.firstDay),
    );
    this.counts =
      changes.arrivals.at(-1)?.counts ??
      CARRIERS.map(({ code, least }) => (least === 6 ? 6 : itemAt(this.#growth, code).count(key.day)));
  }

  /** Units of a carrier at a time after the day of the world, as it would grow on; the day need not be whole. */
  countOn(carrier: number, day: number): number {
    const now = itemAt(this.counts, carrier);
    return carrier === NUCLEAR ? now : Math.max(now, Math.floor(itemAt(this.#growth, carrier).at(day) + 1e-7));
  }

  /** Numbers with this prefix. */
  series(prefix: string): NumberSeries {
    let series = this.#series.get(prefix);
    if (series === undefined) {
      series = new NumberSeries(this.seed, prefix);
      this.#series.set(prefix, series);
    }
    return series;
  }

  /** Day on which a unit was registered for the first time. */
  registration(carrier: number, index: number): number {
    const registered = itemAt(this.#growth, carrier).registration(index);
    if (registered <= this.day) return registered;
    return this.changes.arrivals.find(({ counts }) => index < itemAt(counts, carrier))?.day ?? registered;
  }

  unitBase(carrier: number, index: number): number {
    return baseOf(this.seed, STREAM.unit + carrier, index);
  }

  siteBase(carrier: number, leader: number): number {
    return baseOf(this.seed, STREAM.site + carrier, leader);
  }

  /**
   * Site of a unit: the leading index and how many neighbours belong to it. The wind units that stand for rare kinds in small
   * worlds (see `kindOf`) stand alone.
   */
  group(carrier: number, index: number, into: Group): Group {
    const wide = carrier === WIND;
    const length = blockLength(carrier);
    const start = index - (index % length);
    const base = baseOf(this.seed, STREAM.group + carrier, start);
    const special = wide && start >= 16 && start <= 40;
    if (special || roll(base, 1) >= itemAt(JOINT, carrier)) {
      into.leader = index;
      into.size = 1;
      return into;
    }
    const splits = wide ? SPLITS_OF_8 : SPLITS_OF_4;
    let leader = start;
    for (const size of itemAt(splits, Math.floor(roll(base, 2) * splits.length))) {
      if (index < leader + size) {
        into.leader = leader;
        into.size = size;
        return into;
      }
      leader += size;
    }
    into.leader = index;
    into.size = 1;
    return into;
  }

  /**
   * Solar unit next to a storage unit, -1 for storage without one. Solar units grow faster than storage
   * units at any time, so taking the newest solar unit of the moment never gives one solar unit to two storage units.
   */
  solarBeside(storage: number): number {
    if (this.isPumped(storage)) return -1;
    if (roll(this.unitBase(STORAGE, storage), 90) >= 0.93) return -1;
    return this.#solarAt(storage);
  }

  /** Pumped hydro: about 100 storage units of the early stock; three in small worlds. */
  isPumped(storage: number): boolean {
    const step = Math.max(80, Math.floor(this.key.units / 3500));
    return storage % step === 7 && storage < this.#pumped * step;
  }

  /**
   * Small worlds have more units of the rarest kinds than their share of the country's, so that every kind occurs. These are
   * smaller by as much: the power of all is in proportion in a world of any size.
   */
  sizeShare(carrier: number, pumped: boolean): number {
    const { units } = this.key;
    if (pumped) return Math.min(1, (PUMPED_SHARE * units) / this.#pumped);
    const { share, least } = itemAt(CARRIERS, carrier);
    if (carrier === NUCLEAR) return Math.min(1, (NUCLEAR_SHARE * units) / least);
    return Math.min(1, (share * units) / least);
  }

  /**
   * Number in [0, 1) for the place of a site. Sites are strewn evenly, not by chance: each round of blocks covers the country
   * once, so that the few of a small world give each state its share.
   */
  evenPlace(carrier: number, leader: number, size: number): number {
    const length = blockLength(carrier);
    const block = Math.floor(leader / length);
    const nth = (block * 9) % ROUND;
    const start = roll(baseOf(this.seed, STREAM.place + carrier, Math.floor(block / ROUND)), 1);
    return (start + (nth + ((leader % length) + size / 2) / length) / ROUND) % 1;
  }

  #solarAt(storage: number): number {
    const day = itemAt(this.#growth, STORAGE).dayOf(storage + 1);
    return Math.floor(itemAt(this.#growth, SOLAR).at(day) + 1e-6) - 1;
  }

  /** Storage unit next to a solar unit, -1 if there is none on the day of the export. */
  storageBeside(solar: number): number {
    const day = itemAt(this.#growth, SOLAR).dayOf(solar + 1);
    const near = Math.floor(itemAt(this.#growth, STORAGE).at(day));
    for (let storage = Math.max(0, near - 1); storage <= near + 1; storage++) {
      if (
        storage < itemAt(this.counts, STORAGE) &&
        this.#solarAt(storage) === solar &&
        this.solarBeside(storage) === solar
      )
        return storage;
    }
    return -1;
  }
}
