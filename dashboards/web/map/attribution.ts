/** The sentence that the licence of the borders wants beneath a map. Their files say the same, which a test compares. */
export const BOUNDARIES_ATTRIBUTION =
  '© GeoBasis-DE / BKG 2016 (Daten verändert: vereinfacht, Kreise auf heutigem Stand)';
