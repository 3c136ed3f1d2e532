import type { Question } from './question.ts';
import { AGGREGATION_QUESTIONS } from './questions/aggregations.ts';
import { PAGE_QUESTIONS } from './questions/pages.ts';
import { REGION_QUESTIONS } from './questions/regions.ts';
import { SEARCH_QUESTIONS } from './questions/search.ts';
import { UNIT_QUESTIONS } from './questions/units.ts';

/** Every row of the table of measurements. */
export const QUESTIONS: readonly Question[] = [
  ...PAGE_QUESTIONS,
  ...UNIT_QUESTIONS,
  ...AGGREGATION_QUESTIONS,
  ...REGION_QUESTIONS,
  ...SEARCH_QUESTIONS,
];
