import { text } from '../../address/address.ts';

/** `alarm`: the one whose runs are shown. */
export const CHOICES = { alarm: text };
