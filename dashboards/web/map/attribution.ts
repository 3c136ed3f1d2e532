/** What the licence wants beneath every map; the files of the boundaries say the same (test/dashboards/map.test.ts). */
export const BOUNDARIES_ATTRIBUTION =
  '© GeoBasis-DE / BKG 2016 (Daten verändert: vereinfacht, Kreise auf heutigem Stand)';
