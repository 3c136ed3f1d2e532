import { say } from '../format/language.ts';

/** The sentence that the licence of the borders wants beneath a map. Their files say the same, which a test compares. */
export const BOUNDARIES_ATTRIBUTION = say(
  '© GeoBasis-DE / BKG 2016 (Daten verändert: vereinfacht, Kreise auf heutigem Stand)',
  '© GeoBasis-DE / BKG 2016 (data changed: simplified, districts as of today)',
);
