/**
 * A bound for a column of three decimals that says the same as this one: `up` for the least value, `down` for the most.
 * @returns a text of digits, as `12.345`
 */
export function atMostThreeDecimals(value: number, direction: 'up' | 'down'): string {
  const [whole = '', fraction = ''] = value.toFixed(FRACTION_DIGITS).split('.');
  const kept = BigInt(whole + fraction.slice(0, 3)); // cut towards zero, in thousandths
  const rest = /[1-9]/.test(fraction.slice(3));
  const negative = value < 0;
  const away = rest && negative === (direction === 'down') ? 1n : 0n;
  const magnitude = (kept < 0n ? -kept : kept) + away;
  const digits = String(magnitude).padStart(4, '0');
  return `${negative && magnitude > 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** More than a filter can carry. */
const FRACTION_DIGITS = 15;
