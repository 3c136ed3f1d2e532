/**
 * The days of regions: region_tage once more, by region, as the service adds them up without a statement. It is a checked file
 * (checked-file.ts) of these sections.
 *
 *     days.bytes, days.starts   per row of regionen, of which the first has the number 1: its groups, one after the other
 *
 * A group has its index in the header, the number of its days, and the days. A day has its distance from the day before (of the
 * first from the day 0), its units, their capacity in watts and, of storage, their energy in watt hours, each as a whole number.
 *
 * Whole numbers are in groups of seven bits, the lowest first, with the highest bit set where another group follows; watts and
 * watt hours are doubled first, and one less than that when negative.
 */

export const MAGIC = 'regdays2';

/** Of files of an earlier release, which have no energy. */
export const MAGIC_WITHOUT_ENERGY = 'regdays1';

/** Days of a region that count alike. */
export interface DayGroup {
  /** The day that counts, as in region_tage. */
  readonly serie: string;
  readonly einheitTyp: string;
  /** Catalogue id of the operating status. */
  readonly statusId: number | null;
}

export interface RegionDaysHeader {
  readonly groups: readonly DayGroup[];
  /** The postal code of each region. */
  readonly postcodes: readonly (string | null)[];
}

/** Tells whether the days of a group have energy. */
export const hasEnergy = ({ einheitTyp }: DayGroup): boolean => einheitTyp === 'storage';

/** Catalogue ids of the operating status. */
export const IN_PLANNING = 31;
export const IN_OPERATION = 35;

/** The number of the day of units that have none; it lies before every other. */
export const NO_DAY = 0;

const DAY_MILLISECONDS = 86_400_000;
/** Days are counted from the one before the first of the year 1, on which no unit was commissioned. */
const FIRST_DAY = Date.parse('0000-12-31T00:00:00Z') / DAY_MILLISECONDS;

/** The day from which days are counted, in SQL. */
export const DAY_ZERO = "DATE '0001-01-01' - 1";

/** Returns the number of a day, YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MILLISECONDS - FIRST_DAY;

/** Returns the month of a day, counted from the beginning of year 0. */
export function monthOfDay(day: number): number {
  return MONTHS[day - FIRST_OF_MONTHS] ?? monthByCalendar(day);
}

function monthByCalendar(day: number): number {
  const date = new Date((day + FIRST_DAY) * DAY_MILLISECONDS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The months of the days that most units have: looking one up takes a tenth of what the calendar does. */
const FIRST_OF_MONTHS = dayNumber('1900-01-01');
const MONTHS = Uint16Array.from({ length: dayNumber('2100-01-01') - FIRST_OF_MONTHS }, (_, index) =>
  monthByCalendar(FIRST_OF_MONTHS + index),
);
