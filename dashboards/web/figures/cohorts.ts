import { carrierRank } from '../charts/carriers.ts';
import { say } from '../format/language.ts';
import type { AgeStructure } from '../v1/answers.ts';

/** The ages of units, as shares of the capacity of their carrier. */

/** From the youngest to the oldest, each with the colour of text on it. */
const COLORS = [
  { color: 'var(--age-young)', ink: 'var(--ink)' },
  { color: 'var(--age-middle)', ink: 'var(--on-bright)' },
  { color: 'var(--age-old)', ink: 'var(--on-deep)' },
] as const;
const OLDER = COLORS[2];

export interface Cohort {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly ink: string;
}

/** The cohorts that the interface makes, the youngest first. */
export const cohortsOf = ({ meta }: AgeStructure): readonly Cohort[] =>
  meta.kohorten.map(({ name, vonJahre, bisJahre }, index) => ({
    id: name,
    name:
      bisJahre === null
        ? say(`${vonJahre} Jahre und älter`, `${vonJahre} years and older`)
        : vonJahre === 0
          ? say(`unter ${bisJahre} Jahre`, `under ${bisJahre} years`)
          : say(`${vonJahre} bis unter ${bisJahre} Jahre`, `${vonJahre} to under ${bisJahre} years`),
    ...(COLORS[index] ?? OLDER),
  }));

/** One cohort of one carrier, or of all carriers together. */
export interface AgePart {
  readonly carrier: string;
  readonly cohort: string;
  readonly mw: number;
  readonly units: number;
  /** Of the capacity of the carrier; 0 where it has none. */
  readonly share: number;
}

/** Carriers in their order, each with its cohorts; sums over rows of the answer. */
export function agePartsOf({ data }: AgeStructure): readonly AgePart[] {
  const whole = new Map<string, number>();
  for (const { energietraeger, mw } of data) whole.set(energietraeger, (whole.get(energietraeger) ?? 0) + mw);
  return data
    .map(({ energietraeger, kohorte, anzahl, mw }) => {
      const total = whole.get(energietraeger) ?? 0;
      return { carrier: energietraeger, cohort: kohorte, mw, units: anzahl, share: total === 0 ? 0 : mw / total };
    })
    .toSorted((a, b) => carrierRank(a.carrier) - carrierRank(b.carrier));
}
