/** In thousandths: no value of DECIMAL(18,3) lies beyond, and none that the register has comes near. */
const MAX_VALUE = 999_999_999_999_999_999n;

/**
 * A bound for a column of three decimals that says the same as this one: `up` for the least value, `down` for the most.
 * @returns a text of digits that the column can hold, as `12.345`
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

/** As it was written: the shortest digits that are this number, where they are written without an exponent. */
const plain = (value: number): string => (String(value).includes('e') ? value.toFixed(20) : String(value));
