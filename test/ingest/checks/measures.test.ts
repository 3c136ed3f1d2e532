import { describe, expect, it } from 'vitest';
import { bandsOf, measuresOutOfBand } from '../../../ingest/checks/bands.ts';
import type { Measure, MeasuredCheck } from '../../../ingest/run/build-report.ts';
import { readSettings } from '../../../runtime/settings.ts';

/** Measures are judged against the version before, or, without one, against a ceiling. */

const BANDS = bandsOf(readSettings({}));

const measured = (check: MeasuredCheck, count: number, of: number, where = 'solar', what = 'x'): Measure => ({
  ...{ check, what, where, count, of },
});

/** Checks by the setting that gives them room. */
const SETTINGS: readonly [MeasuredCheck, string][] = [
  ['vanished', 'BAND_VANISH'],
  ['references', 'BAND_REFERENCES'],
  ['labels', 'BAND_LABELS'],
  ['names', 'BAND_NAMES'],
  ['lost names', 'BAND_NAMES'],
  ['gaps', 'BAND_GAPS'],
];

it.each(SETTINGS)('%s: %s sets by how much it may rise', (check, setting) => {
  const before = [measured(check, 0, 100_000)];
  const now = [measured(check, 3000, 100_000)];
  expect(measuresOutOfBand(before, now, BANDS)).toHaveLength(1);
  expect(measuresOutOfBand(before, now, bandsOf(readSettings({ [setting]: '0.03' })))).toEqual([]);
  expect(measuresOutOfBand(before, now, bandsOf(readSettings({ [setting]: '0.0299' })))).toHaveLength(1);
});

describe('a share that may rise', () => {
  it('is compared with the previous one, large or small', () => {
    const before = [measured('references', 17_000, 100_000)];
    expect(measuresOutOfBand(before, [measured('references', 17_900, 100_000)], BANDS)).toEqual([]);
    expect(measuresOutOfBand(before, [measured('references', 18_100, 100_000)], BANDS)).toEqual([
      'solar: x names what is not in the export: 18100 of 100000, 18.1 %, 17.0 % before; allowed are 18.0 %, or 20 more',
    ]);
    expect(measuresOutOfBand(before, [measured('references', 0, 100_000)], BANDS)).toEqual([]);
  });

  it('counts as zero where the previous version did not have it', () => {
    const before = [measured('labels', 30, 1000, 'EinheitenWind')];
    const now = [...before, measured('labels', 30, 1000, 'EinheitenSolar')];
    expect(measuresOutOfBand(before, now, BANDS)).toEqual([expect.stringMatching(/^EinheitenSolar: /)]);
  });

  it('is not judged for a handful: five units of nuclear energy are no share', () => {
    const before = [measured('gaps', 0, 5, 'nuclear')];
    expect(measuresOutOfBand(before, [measured('gaps', 4, 5, 'nuclear')], BANDS)).toEqual([]);
    expect(measuresOutOfBand([measured('gaps', 0, 50)], [measured('gaps', 20, 50)], BANDS)).toEqual([]);
    expect(measuresOutOfBand([measured('gaps', 0, 50)], [measured('gaps', 21, 50)], BANDS)).toHaveLength(1);
  });
});

describe('vanished units and lost names', () => {
  it.each(['vanished', 'lost names'] as const)('is judged without the previous share: %s', (check) => {
    const again = [measured(check, 3000, 100_000)];
    expect(measuresOutOfBand(again, again, BANDS)).toHaveLength(1);
    // Also after a version of an older release, whose report measured nothing.
    expect(measuresOutOfBand([], again, BANDS)).toHaveLength(1);
  });
});

describe('a first build', () => {
  it('may lack much, but not most, over all carriers', () => {
    const now = [measured('gaps', 4000, 6000, 'wind'), measured('gaps', 4000, 11_000, 'solar')];
    expect(measuresOutOfBand([], now, BANDS)).toEqual([]);
    expect(measuresOutOfBand([], now, bandsOf(readSettings({ FIRST_BUILD_CEILING: '0.4' })))).toEqual([
      'wind, solar: units have no x: 8000 of 17000, 47.1 %; allowed are 40.0 %, or 20 more',
    ]);
  });
});
