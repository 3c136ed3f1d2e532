import { today } from '../format/dates.ts';
import { DATASETS, UNITS_DATASET } from '../frame/source.ts';
import type { DatasetList } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type Span, spanBefore } from './months.ts';

/** The two years before the day of the register; null until that day is known. A key that may not read it gets those before today. */
export function useSpan(): Span | null {
  const loaded = useAnswer<DatasetList>(DATASETS);
  const known = shown(loaded);
  if (known === null && loaded.state === 'loading') return null;
  const day = known?.data.find(({ name }) => name === UNITS_DATASET)?.asOf;
  return spanBefore(day ?? today());
}
