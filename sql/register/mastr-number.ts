const LETTER_A = 65;
const LETTERS = 26n;
const DIGITS_SPAN = 1_099_511_627_776n; // 2^40, above twelve digits

/**
 * A MaStR number as 64 bits: its three letters as a number, times 2^40, plus its twelve digits. Keeps the order.
 * @param number three capital letters and twelve digits
 */
export function mastrBits(number: string): bigint {
  const letters = [...number.slice(0, 3)].reduce(
    (value, letter) => value * LETTERS + BigInt(letter.charCodeAt(0) - LETTER_A),
    0n,
  );
  return letters * DIGITS_SPAN + BigInt(number.slice(3));
}
