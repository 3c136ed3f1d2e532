import { CARRIERS, type Carrier, carrierRank } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import type { AgeCohortRow } from '../../v1/answers.ts';

/** Cohorts of the interface, young to old, with their shares. */

export type Measure = 'mw' | 'anzahl';

export const COHORTS = [
  {
    id: '0-20',
    name: say('unter 20 Jahre', 'under 20 years'),
    short: say('unter 20', 'under 20'),
    color: 'var(--age-young)',
  },
  {
    id: '20-25',
    name: say('20 bis unter 25 Jahre', '20 to under 25 years'),
    short: say('20 bis 24', '20 to 24'),
    color: 'var(--age-middle)',
  },
  {
    id: '25+',
    name: say('25 Jahre und älter', '25 years and older'),
    short: say('ab 25', 'from 25'),
    color: 'var(--age-old)',
  },
] as const;

export type Cohort = (typeof COHORTS)[number]['id'];

export interface CohortPart {
  readonly cohort: Cohort;
  readonly carrier: Carrier;
  readonly anzahl: number;
  readonly mw: number;
}

/** Rows of the carriers that are shown, in the order of cohorts and carriers. */
export const partsOf = (rows: readonly AgeCohortRow[], carriers: readonly Carrier[]): readonly CohortPart[] =>
  rows
    .flatMap(({ kohorte, energietraeger, anzahl, mw }) => {
      const cohort = COHORTS.find(({ id }) => id === kohorte)?.id;
      const carrier = carriers.find((one) => one === energietraeger);
      return cohort === undefined || carrier === undefined ? [] : [{ cohort, carrier, anzahl, mw }];
    })
    .sort(
      (one, other) => place(one.cohort) - place(other.cohort) || carrierRank(one.carrier) - carrierRank(other.carrier),
    );

const place = (cohort: Cohort): number => COHORTS.findIndex(({ id }) => id === cohort);

export const totalOf = (parts: readonly CohortPart[], measure: Measure): number =>
  parts.reduce((sum, part) => sum + part[measure], 0);

/** A share of 1, or null where there is nothing to have a share of. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Carriers that have units in operation, in their order. */
export const carriersIn = (rows: readonly AgeCohortRow[]): readonly Carrier[] => {
  const found = new Set(rows.map(({ energietraeger }) => energietraeger));
  return CARRIERS.filter((id) => found.has(id));
};
