import { LOCALE, say } from './language.ts';

/** Numbers as readers of the language expect them: 1.234,5 or 1,234.5, with a thin space before the unit. */

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });

const formatters = new Map<string, Intl.NumberFormat>();

const formatter = (minimum: number, maximum: number): Intl.NumberFormat => {
  const id = `${minimum} ${maximum}`;
  const known = formatters.get(id);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: minimum, maximumFractionDigits: maximum });
  formatters.set(id, made);
  return made;
};

/**
 * A number without the noise of the calculation: six decimals, which are all that whole watts have in MW and that degrees have
 * in the register; the interface rounds its sums alike.
 */
export const exact = (value: number): number => Number(value.toFixed(6));

/** Stands where there is no value. */
export const NOTHING = '–';

/** A whole number: 19.389 */
export const count = (value: number): string => minus(whole.format(value));

/** A number with at most `digits` decimals. */
export const decimal = (value: number, digits = 1): string => minus(formatter(0, digits).format(value));

/** About three significant digits, however small a value is. */
export const significant = (value: number): string =>
  decimal(value, value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));

/** A number with exactly `digits` decimals, for columns that line up. */
export const fixed = (value: number, digits = 1): string => minus(formatter(digits, digits).format(value));

/** The typographic minus is as wide as a plus. */
const minus = (text: string): string => text.replace(/^-/, '−');

/** Stands after a number: 12,3 % or 12.3% */
const PERCENT = say('\u202f%', '%');

/** A share of 1 as per cent. */
export const share = (value: number | null): string => (value === null ? NOTHING : `${decimal(value * 100)}${PERCENT}`);

/** Decimals that leave about three significant digits. */
const digitsFor = (value: number): number => {
  const size = Math.abs(value);
  return size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
};

/** Power in the unit that suits its size. @param kilowatts null = not known */
export function power(kilowatts: number | null): string {
  if (kilowatts === null) return NOTHING;
  const size = Math.abs(kilowatts);
  const [value, unit] =
    size >= 1e6 ? [kilowatts / 1e6, 'GW'] : size >= 1e3 ? [kilowatts / 1e3, 'MW'] : [kilowatts, 'kW'];
  return `${decimal(value, digitsFor(value))}\u202f${unit}`;
}

/** Energy in the unit that suits its size. @param kilowattHours null = not known */
export function energy(kilowattHours: number | null): string {
  return kilowattHours === null ? NOTHING : `${power(kilowattHours)}h`;
}

/** Power in MW, whatever its size, for columns and axes that say so. */
export const megawatts = (value: number): string => decimal(value, digitsFor(value));

/** A change with its sign: +1.234, −5, ±0 */
export const signed = (value: number, digits = 1): string =>
  value > 0 ? `+${decimal(value, digits)}` : value < 0 ? decimal(value, digits) : '±0';

/** „1 Einheit“, „2 Einheiten“. */
export const unitCount = (value: number): string => plural(value, say('Einheit', 'unit'), say('Einheiten', 'units'));

/** „1 Anlage“, „2 Anlagen“. */
export const plural = (value: number, one: string, many: string): string =>
  `${count(value)}\u00a0${value === 1 ? one : many}`;
