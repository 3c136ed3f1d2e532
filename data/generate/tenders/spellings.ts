/** Award numbers as they are printed in lists and typed into the register. */

import { bits, pick, roll } from '../world/random.ts';
import { date } from '../world/text.ts';
import type { Round } from './calendar.ts';

/** An award number in its normal form: three digits and a slash; CHP numbers with a dash, without leading zeros. */
export function awardNumber({ code, technology }: Round, sequence: number): string {
  return technology === 'KWK' ? `${code}-${sequence}` : `${code}/${String(sequence).padStart(3, '0')}`;
}

/** The number as its list prints it: `Gem` and, at first, `Inn`; with a dash until the autumn of 2019. */
export function listedNumber(round: Round, sequence: number): string {
  const number = awardNumber(round, sequence).replace(/^GEM/, 'Gem');
  const innovation = round.day < date(2021) ? number.replace(/^INN/, 'Inn') : number;
  return round.day < date(2019, 12) ? innovation.replace('/', '-') : innovation;
}

/** Numbers of rounds that never were, and texts that are no award number, as people type them into the register. */
const GHOST_NUMBERS = ['FFA12-2/090', 'FAV15-1/015', 'SOL19-8/312', 'SDA24-6/152', 'BIO19-3/015', '102002', '13/2014'];

export function ghostNumber(base: number): string {
  return pick(base, 920, GHOST_NUMBERS);
}

/** Lower-case L instead of I, which looks the same. */
function lookAlike(number: string): string {
  return number.replace(/^WIN/, 'WlN').replace(/^INN/, 'lnn').replace(/^iKWK/, 'lKWK');
}

/** Text of the register's field for these award numbers, in one of the spellings that occur. */
export function registeredNumbers(base: number, numbers: readonly string[]): string {
  const spelling = roll(base, 921);
  const [first = ''] = numbers;
  if (numbers.length > 1) {
    if (spelling < 0.5) return numbers.join(';');
    return spelling < 0.8 ? numbers.join('; ') : `${numbers.join('; ')};`;
  }
  if (spelling < 0.3) return `${first},`;
  if (spelling < 0.37) return first.toLowerCase();
  if (spelling < 0.45) return first.replace(/(\d)/, ' $1');
  if (spelling < 0.49) return ` ${first} `;
  if (spelling < 0.55) return lookAlike(first);
  if (spelling < 0.59) return first.replace('/', '-');
  if (spelling < 0.62) return `${first}; ${first}`;
  return bits(base, 922) % 12 === 0 ? first.charAt(0) + first.slice(1).toLowerCase() : first;
}
