import { unitNumberOf } from '../../sql/register/mastr-number.ts';

/** The first and the last number that a unit can have. */
export const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };
