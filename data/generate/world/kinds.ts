/** The kinds of units within a carrier: capacity, time of planning, operators. */

import { itemAt } from '../../../runtime/present.ts';
import {
  BIOMASS,
  COMBUSTION,
  CONSUMER,
  GAS_CONSUMER,
  GAS_PRODUCER,
  GAS_STORAGE,
  HYDRO,
  MIXED,
  NUCLEAR,
  SOLAR,
  STORAGE,
  WIND,
} from './carriers.ts';
import { logNormal, pick, roll, weighted } from './random.ts';
import type { Spread } from './regions.ts';
import { date } from './text.ts';

/** One kind of unit of a carrier. */
export interface Kind {
  readonly name: string;
  /** Median gross capacity in kW and deviation of its logarithm. */
  readonly median: number;
  readonly spread: number;
  /** Largest believable capacity in kW. */
  readonly largest: number;
  /** Share that is registered before it is built, and median time from registration to the first planned day (days). */
  readonly planned: number;
  readonly lead: number;
  /** Share of sites whose operator is an organisation. */
  readonly legal: number;
}

function kind(
  name: string,
  median: number,
  spread: number,
  largest: number,
  planned: number,
  lead: number,
  legal: number,
): Kind {
  return { name, median, spread, largest, planned, lead, legal };
}

export const PLUG_IN = kind('plug-in', 1.2, 0.3, 2, 0.003, 20, 0.004);
export const HOME_ROOF = kind('home roof', 7.8, 0.45, 30, 0.03, 30, 0.02);
export const MEDIUM_ROOF = kind('medium roof', 22, 0.5, 135, 0.08, 60, 0.3);
export const LARGE_ROOF = kind('large roof', 170, 0.8, 9000, 0.35, 150, 0.8);
export const GROUND = kind('ground', 740, 0.85, 180_000, 0.9, 330, 0.95);
const OTHER_SOLAR = kind('other', 9, 0.8, 750, 0.05, 40, 0.3);

export const PLUG_IN_BATTERY = kind('plug-in battery', 0.8, 0.3, 2, 0.003, 15, 0.004);
export const HOME_BATTERY = kind('home battery', 5.4, 0.5, 30, 0.02, 25, 0.02);
const BUSINESS_BATTERY = kind('business battery', 12, 0.8, 800, 0.12, 90, 0.7);
export const LARGE_BATTERY = kind('large battery', 1100, 1.1, 400_000, 0.97, 480, 0.99);
export const PUMPED_HYDRO = kind('pumped hydro', 55_000, 0.9, 350_000, 0.05, 1500, 1);
export const OTHER_STORAGE = kind('other storage', 30, 1.2, 300_000, 0.1, 200, 0.8);

export const ON_LAND = kind('on land', 2300, 0.5, 7200, 0.97, 780, 0.96);
export const AT_SEA = kind('at sea', 6500, 0.35, 15_000, 0.97, 900, 1);
export const SMALL_WIND = kind('small wind', 6, 0.9, 70, 0.1, 60, 0.15);

export const SMALL_ENGINE = kind('small engine', 6, 0.7, 50, 0.06, 40, 0.5);
export const MEDIUM_ENGINE = kind('medium engine', 140, 1, 20_000, 0.25, 150, 0.9);
export const EMERGENCY = kind('emergency power', 250, 0.9, 4000, 0.15, 120, 0.97);
export const POWER_STATION = kind('power station', 12_000, 0.9, 1_100_000, 0.3, 900, 1);

export const BIOGAS = kind('biogas', 260, 0.8, 5000, 0.3, 200, 0.6);
export const SOLID_BIOMASS = kind('solid biomass', 900, 1.4, 60_000, 0.3, 250, 0.9);
export const LIQUID_BIOMASS = kind('liquid biomass', 45, 0.9, 3000, 0.1, 80, 0.5);

export const RUN_OF_RIVER = kind('run of river', 45, 1.6, 90_000, 0.15, 300, 0.45);
export const RESERVOIR = kind('reservoir', 2500, 1.2, 60_000, 0.1, 600, 0.9);

export const GASES = kind('gases', 320, 1, 12_000, 0.25, 250, 0.97);
export const REACTOR = kind('reactor', 1_400_000, 0.03, 1_485_000, 0, 0, 1);
export const LARGE_CONSUMER = kind('consumer', 60_000, 0.8, 900_000, 0.2, 300, 1);
export const GAS_SITE = kind('gas site', 9000, 1, 4_000_000, 0.2, 300, 1);

const SOLAR_KINDS = [PLUG_IN, HOME_ROOF, MEDIUM_ROOF, LARGE_ROOF, GROUND, OTHER_SOLAR];
const SOLAR_STOCK = [3, 68, 22, 2.8, 0.55, 2.3];
const SOLAR_2021 = [18, 66, 13, 1.1, 0.28, 0.8];
const SOLAR_2023 = [41, 50.5, 6.6, 0.85, 0.3, 0.5];
const SOLAR_JOINT = [0, 30, 44, 15, 4, 2];

/** Kind of a site from its leading unit, its random base, the first registration of its leading unit and whether it has several units. */
export function kindOf(carrier: number, leader: number, base: number, registered: number, joint: boolean): Kind {
  switch (carrier) {
    case SOLAR: {
      const weights = joint
        ? SOLAR_JOINT
        : registered < date(2021, 2)
          ? SOLAR_STOCK
          : registered < date(2023, 3)
            ? SOLAR_2021
            : SOLAR_2023;
      return itemAt(SOLAR_KINDS, weighted(base, 10, weights));
    }
    case STORAGE:
      return itemAt(
        [HOME_BATTERY, BUSINESS_BATTERY, LARGE_BATTERY, OTHER_STORAGE],
        weighted(base, 10, [91, 6.2, 1.8, 1]),
      );
    case WIND:
      // Some of each, and not more at sea, in small worlds too.
      if (leader === 16 || leader === 24 || leader === 40) return AT_SEA;
      if (leader === 32) return SMALL_WIND;
      return itemAt([ON_LAND, SMALL_WIND, AT_SEA], weighted(base, 10, leader < 100 ? [96, 4] : [91.5, 4, 4.5]));
    case COMBUSTION:
      return itemAt([SMALL_ENGINE, MEDIUM_ENGINE, EMERGENCY, POWER_STATION], weighted(base, 10, [60, 28, 8, 4]));
    case BIOMASS:
      return itemAt([BIOGAS, SOLID_BIOMASS, LIQUID_BIOMASS], weighted(base, 10, [88, 9, 3]));
    case HYDRO:
      return itemAt([RUN_OF_RIVER, RESERVOIR], weighted(base, 10, [93, 7]));
    case MIXED:
      return GASES;
    case NUCLEAR:
      return REACTOR;
    case CONSUMER:
      return LARGE_CONSUMER;
    case GAS_PRODUCER:
    case GAS_STORAGE:
    case GAS_CONSUMER:
      return GAS_SITE;
    default:
      throw new Error(`no such carrier: ${carrier}`);
  }
}

/** Kind of the storage unit next to a solar unit. */
export function batteryBeside(solar: Kind, base: number): Kind {
  if (solar === PLUG_IN) return PLUG_IN_BATTERY;
  if (solar === HOME_ROOF || solar === OTHER_SOLAR) return HOME_BATTERY;
  if (solar === GROUND) return roll(base, 11) < 0.08 ? LARGE_BATTERY : BUSINESS_BATTERY;
  return solar === MEDIUM_ROOF && roll(base, 11) < 0.8 ? HOME_BATTERY : BUSINESS_BATTERY;
}

/** Power of one solar module in W by year of commissioning. */
export function moduleWatts(day: number, base: number): number {
  const typical =
    day < date(2006)
      ? 165
      : day < date(2010)
        ? 190
        : day < date(2013)
          ? 225
          : day < date(2017)
            ? 260
            : day < date(2021)
              ? 320
              : day < date(2023)
                ? 395
                : 440;
  return typical + pick(base, 12, [-20, -15, -10, -5, 0, 0, 0, 5, 10, 15, 20]);
}

/** Largest gross capacity in kW that is typed in watts: slips with larger units would be most of a small world's sums. */
export const SLIPS_UP_TO = 2;

/** Gross capacity in kW before rounding to modules. */
export function capacity(of: Kind, base: number): number {
  return Math.min(of.largest, Math.max(0.1, logNormal(base, 13, of.median, of.spread)));
}

/** Sizes that makers offer, kW; small devices are rounded to one of them. */
const STEPS = [0.3, 0.6, 0.8, 1, 1.5, 2, 2.5, 3, 3.68, 4.2, 4.6, 5, 6, 7, 8, 8.5, 9, 10, 12, 15, 17, 20, 25, 30];

/** Rounds a capacity to what people register: usual sizes below 30 kW, whole kW above, tens and hundreds for large ones. */
export function usualSize(kilowatts: number): number {
  if (kilowatts <= 30) return STEPS.find((step) => step >= kilowatts - 0.05) ?? 30;
  if (kilowatts < 500) return Math.round(kilowatts / 5) * 5;
  if (kilowatts < 5000) return Math.round(kilowatts / 50) * 50;
  return Math.round(kilowatts / 500) * 500;
}

/** How units of a kind are spread over the country; what stands in few large units has places of its own. */
export function spreadOf(site: Kind, carrier: number): Spread {
  if (site === GROUND) return 'ground';
  if (site === AT_SEA) return 'sea';
  if (site === POWER_STATION || site === REACTOR) return 'stations';
  if (carrier === WIND) return 'wind';
  if (carrier === BIOMASS) return 'biomass';
  return carrier === HYDRO ? 'hydro' : 'solar';
}

/** The first site at sea lies in the North Sea, the second one in the Baltic Sea. */
export const seaPlace = (leader: number, place: number): number => (leader === 16 ? 0.1 : leader === 24 ? 0.99 : place);
