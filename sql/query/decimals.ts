/** The largest value of DECIMAL(18,3), in thousandths; values of the register are far below. */
const MAX_VALUE = 999_999_999_999_999_999n;

/**
 * Rounds a bound for a column of three decimals so that it selects the same values: `up` for a minimum, `down` for a maximum.
 * @returns digits that the column can hold, as `12.345`
 */
export function atMostThreeDecimals(value: number, direction: 'up' | 'down'): string {
  const [whole = '', fraction = ''] = plain(value).split('.');
  const kept = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0')); // cut towards zero, in thousandths
  const rest = /[1-9]/.test(fraction.slice(3));
  const negative = value < 0;
  const away = rest && negative === (direction === 'down') ? 1n : 0n;
  const magnitude = (kept < 0n ? -kept : kept) + away;
  const digits = String(magnitude > MAX_VALUE ? MAX_VALUE : magnitude).padStart(4, '0');
  return `${negative && magnitude > 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** Writes the shortest digits that are this number, without an exponent. */
const plain = (value: number): string => (String(value).includes('e') ? value.toFixed(20) : String(value));
