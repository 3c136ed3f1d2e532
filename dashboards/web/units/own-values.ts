import { day } from '../format/dates.ts';
import { decimal, NOTHING } from '../format/numbers.ts';
import type { OwnValue } from '../v1/unit-answers.ts';

/** The value of an own field as people read it. */
export function writtenValue({ text, zahl, datum, datumsgenauigkeit }: OwnValue): string {
  if (text !== null) return text;
  if (zahl !== null) return decimal(zahl, 6);
  if (datum === null) return NOTHING;
  return datumsgenauigkeit === 'MONTH' ? day(datum).slice(3) : day(datum);
}
