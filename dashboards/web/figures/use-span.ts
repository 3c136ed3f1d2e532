import { useDayOfRegister } from '../frame/source.ts';
import { type Span, spanBefore } from './months.ts';

/** The two years before the day of the register; null until that day is known. */
export function useSpan(): Span | null {
  const day = useDayOfRegister();
  return day === null ? null : spanBefore(day);
}
