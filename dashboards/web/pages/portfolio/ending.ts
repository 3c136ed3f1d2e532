import { monthsFrom } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import type { PortfolioUnit } from './use-portfolio.ts';

const MONTHS = 24;

export const ENDING = say(`Förderung endet in ${MONTHS} Monaten`, `Support ends in ${MONTHS} months`);

/** Planned units and those that are gone have no support that could end; the signal of the interface has the same rule. */
const SUPPORTED: readonly (string | null)[] = ['In Betrieb', 'Vorübergehend stillgelegt'];

/** @param asOf day of the register, YYYY-MM-DD */
export const isEnding = (unit: PortfolioUnit | undefined, asOf: string): boolean =>
  unit?.eegFoerderende != null &&
  SUPPORTED.includes(unit.betriebsStatus) &&
  unit.eegFoerderende >= asOf &&
  unit.eegFoerderende <= monthsFrom(asOf, MONTHS);
