import type { Question } from '../question.ts';
import { AGGREGATION_QUESTIONS } from './aggregations.ts';
import { PAGE_QUESTIONS } from './pages.ts';
import { REGION_QUESTIONS } from './regions.ts';
import { SEARCH_QUESTIONS } from './search.ts';
import { SPACE_QUESTIONS } from './space.ts';
import { UNIT_QUESTIONS } from './units.ts';

/** Every row of the table of measurements. */
export const QUESTIONS: readonly Question[] = [
  ...PAGE_QUESTIONS,
  ...UNIT_QUESTIONS,
  ...AGGREGATION_QUESTIONS,
  ...REGION_QUESTIONS,
  ...SEARCH_QUESTIONS,
  ...SPACE_QUESTIONS,
];
