import type { ReferenceValue } from '../v1/answers.ts';

/**
 * How many units have each value of a filter, among those that the other filters leave: the interface counts units by these
 * properties. Values of other filters have the number of all units.
 */
export const COUNTED: readonly string[] = [
  'einheitTyp',
  'energietraeger',
  'bundesland',
  'betriebsStatus',
  'einspeisungsart',
  'spannungsebene',
  'regelzone',
  'windHersteller',
  'solarLage',
  'hauptbrennstoff',
  'biomasseart',
  'speichertechnologie',
  'speichersegment',
  'eegAbleitbarkeit',
  'signals',
  'auffaelligkeit',
];

interface CountedValue {
  readonly value: string;
  readonly name?: string | null | undefined;
  readonly count: number | null;
}

interface Group {
  readonly key: string | null;
  readonly count: number;
}

/** @param groups of the units that the other filters leave; null = they are not known, and no number is better than a wrong one */
export const countedAnew = (values: readonly ReferenceValue[], groups: readonly Group[] | null): CountedValue[] => {
  const counts = new Map(groups?.map(({ key, count }) => [key, count]));
  return values.map(({ name, value }) => ({ value, name, count: groups === null ? null : (counts.get(value) ?? 0) }));
};
