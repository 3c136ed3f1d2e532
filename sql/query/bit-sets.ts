import { bitOfRule, RULE_IDS } from '../catalogue/anomalies.ts';
import type { Kind } from '../catalogue/field.ts';
import { SIGNAL_IDS, signalMask } from '../catalogue/signals.ts';

/** An id with the bit that stands for it. */
export interface Bit {
  readonly bit: number;
  readonly id: string;
}

/** Kinds of values that are stored as the bits of one number. */
export const BIT_SETS: Readonly<Partial<Record<Kind, readonly Bit[]>>> = {
  signals: SIGNAL_IDS.map((id) => ({ bit: signalMask([id]), id })),
  anomalies: RULE_IDS.map((id) => ({ bit: bitOfRule(id), id })),
};

/** Bits as a table `one`. */
export const bitTable = (bits: readonly Bit[]): string =>
  `(VALUES ${bits.map(({ bit, id }) => `(${bit}, '${id}')`).join(', ')}) AS one (bit, id)`;
