import type { Settings } from '../../runtime/settings.ts';
import type { Archive } from '../archive/archive.ts';
import type { CarrierCounts, Measure, MeasuredCheck } from '../run/build-report.ts';
import { STAGED_TABLES } from '../stage/tables.ts';

/** Bounds of the checks that a version must pass before it is served, as shares, e.g. 0.05; see the settings of these names. */
export interface Bands {
  readonly shrink: number;
  readonly grow: number;
  readonly vanish: number;
  readonly references: number;
  readonly labels: number;
  readonly names: number;
  readonly gaps: number;
  readonly firstBuild: number;
}

export const bandsOf = (settings: Settings): Bands => ({
  shrink: settings.BAND_SHRINK,
  grow: settings.BAND_GROW,
  vanish: settings.BAND_VANISH,
  references: settings.BAND_REFERENCES,
  labels: settings.BAND_LABELS,
  names: settings.BAND_NAMES,
  gaps: settings.BAND_GAPS,
  firstBuild: settings.FIRST_BUILD_CEILING,
});

/** Kinds of files that the service needs and the archive lacks. */
export function missingKinds(archive: Archive): string[] {
  const present = new Set(archive.members.map(({ kind }) => kind));
  const missing = STAGED_TABLES.filter((table) => table.needed)
    .flatMap((table) => table.kinds)
    .filter((kind) => !present.has(kind));
  return missing.map((kind) => `The export has no file ${kind}.xml, which the service needs`);
}

/** Below this many units in the previous version a share says nothing. */
const MIN_UNITS = 200;

/** A sentence for each carrier whose number of units leaves its band against the previous version. */
export function countsOutOfBand(
  before: CarrierCounts,
  now: CarrierCounts,
  band: Pick<Bands, 'shrink' | 'grow'>,
): string[] {
  const faults: string[] = [];
  for (const [carrier, was] of Object.entries(before)) {
    const is = now[carrier] ?? 0;
    if (was > 0 && is === 0) faults.push(`${carrier}: ${was} units before, none now`);
    if (is === 0 || was < MIN_UNITS) continue;
    const change = (is - was) / was;
    if (change >= -band.shrink && change <= band.grow) continue;
    faults.push(
      `${carrier}: ${is} units after ${was}, ${signed(change)}; allowed are ${signed(-band.shrink)} to ${signed(band.grow)}`,
    );
  }
  return faults;
}

/** An export without a single unit is none, whatever was there before. */
export const noUnits = (now: CarrierCounts): string[] =>
  Object.values(now).some((count) => count > 0) ? [] : ['The export holds no units'];

interface BandRule {
  readonly band: Exclude<keyof Bands, 'shrink' | 'grow' | 'firstBuild'>;
  /** True for a measure that is a comparison with the version before in itself; others are compared with its measures. */
  readonly comparesVersions: boolean;
  readonly describe: (measure: Measure) => string;
}

/** The band and the message of each measure. */
const BAND_RULES: Readonly<Record<MeasuredCheck, BandRule>> = {
  vanished: {
    band: 'vanish',
    comparesVersions: true,
    describe: ({ where }) => `${where}: units vanished without a word of the register`,
  },
  references: {
    band: 'references',
    comparesVersions: false,
    describe: ({ where, what }) => `${where}: ${what} names what is not in the export`,
  },
  labels: {
    band: 'labels',
    comparesVersions: false,
    describe: ({ where, what }) => `${where}: ${what} has ids without a text in the catalogues`,
  },
  names: {
    band: 'names',
    comparesVersions: false,
    describe: ({ where, what }) => `${where}: organisations have no ${what}`,
  },
  'lost names': {
    band: 'names',
    comparesVersions: true,
    describe: ({ where }) => `${where}: operators of units have lost their names`,
  },
  gaps: { band: 'gaps', comparesVersions: false, describe: ({ where, what }) => `${where}: units have no ${what}` },
};

export const MEASURED_CHECKS = Object.keys(BAND_RULES) as readonly MeasuredCheck[];

/** This many may always change, whatever their share of a small carrier or kind. */
const ALWAYS_ALLOWED = 20;

/** Maximum number of faults reported per check; a truncated catalogue causes one for each element that it labels. */
const MAX_REPORTED = 5;

/**
 * Measures out of their bands: shares may rise by their band against the version before. Where there are no measures of
 * it, no share may be above the ceiling of a first build, all carriers and kinds taken together: one that has just begun
 * may lack much.
 * @param before measures of the version before; empty for the first one, and after one of an older release
 */
export function measuresOutOfBand(before: readonly Measure[], now: readonly Measure[], bands: Bands): string[] {
  const limits =
    before.length > 0 ? now.map((measure) => againstBefore(before, measure, bands)) : firstLimits(now, bands);
  const faults = limits
    .map((limit) => ({ ...limit, excess: limit.measure.count - limit.expected * limit.measure.of }))
    .filter(({ measure, allowed, excess }) => excess > Math.max(allowed * measure.of, ALWAYS_ALLOWED))
    .sort((a, b) => b.excess - a.excess);
  return [...Map.groupBy(faults, ({ measure }) => measure.check)].flatMap(([check, all]) => [
    ...all.slice(0, MAX_REPORTED).map(sentence),
    ...(all.length > MAX_REPORTED
      ? [`${check}: ${all.length - MAX_REPORTED} more are out of their bands, see the report`]
      : []),
  ]);
}

interface Limit {
  readonly measure: Measure;
  /** Share that is no news. */
  readonly expected: number;
  /** Share by which it may be more. */
  readonly allowed: number;
}

function againstBefore(before: readonly Measure[], measure: Measure, bands: Bands): Limit {
  const { comparesVersions, band } = BAND_RULES[measure.check];
  const was = before.find(({ check, what, where }) => isSame(measure, check, what) && where === measure.where);
  return { measure, expected: comparesVersions || was === undefined ? 0 : shareOf(was), allowed: bands[band] };
}

/** Comparisons with the version before keep their band: its rows can be compared, whatever its report says. */
function firstLimits(now: readonly Measure[], bands: Bands): Limit[] {
  const isComparison = ({ check }: Measure) => BAND_RULES[check].comparesVersions;
  const own = now.filter((measure) => !isComparison(measure));
  return [
    ...now.filter(isComparison).map((measure) => againstBefore([], measure, bands)),
    ...mergeMeasures(own).map((measure) => ({ measure, expected: 0, allowed: bands.firstBuild })),
  ];
}

const isSame = (measure: Measure, check: MeasuredCheck, what: string): boolean =>
  measure.check === check && measure.what === what;

const shareOf = ({ count, of }: Measure): number => (of === 0 ? 0 : count / of);

/** Measures of the same thing in several carriers or kinds as one. */
export const mergeMeasures = (measures: readonly Measure[]): Measure[] =>
  measures
    .filter(({ check, what }, index) => measures.findIndex((other) => isSame(other, check, what)) === index)
    .map(({ check, what }) => {
      const all = measures.filter((other) => isSame(other, check, what));
      return {
        check,
        what,
        where: all.map(({ where }) => where).join(', '),
        count: all.reduce((sum, { count }) => sum + count, 0),
        of: all.reduce((sum, { of }) => sum + of, 0),
      };
    });

function sentence({ measure, expected, allowed }: Limit): string {
  const { count, of, check } = measure;
  const was = expected > 0 ? `, ${percent(expected)} before` : '';
  return (
    `${BAND_RULES[check].describe(measure)}: ${count} of ${of}, ${percent(shareOf(measure))}${was}; ` +
    `allowed are ${percent(expected + allowed)}, or ${ALWAYS_ALLOWED} more`
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
