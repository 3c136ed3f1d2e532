import { z } from 'zod';
import { violated } from '../problem/problem.ts';
import { alertCriteria, filterCriteria } from '../units/query.ts';
import { suggestion } from '../wire/nearest.ts';
import { MEANINGS } from '../wire/parameters.ts';
import { readableInputSchema } from '../wire/readable-schema.ts';
import { messageOf } from '../wire/violations.ts';

const unitFilters = z.record(z.string(), z.unknown(), 'must be an object with unit filters, such as einheitTyp');

/** Unit filters in the notation of the body of POST /v1/units/search. They are checked, and stored as they were written. */
const shapeOf = (criteria: typeof filterCriteria | typeof alertCriteria) =>
  unitFilters
    .superRefine((written, context) => {
      for (const issue of criteria.safeParse(written).error?.issues ?? []) {
        if (issue.code !== 'unrecognized_keys') {
          context.issues.push({ code: 'custom', path: [...issue.path], message: messageOf(issue), input: undefined });
          continue;
        }
        for (const name of issue.keys) {
          const message = `is no unit filter${suggestion(name, Object.keys(criteria.shape))}`;
          context.issues.push({ code: 'custom', path: [name], message, input: undefined });
        }
      }
    })
    .register(MEANINGS, readableInputSchema(criteria));

/** The criteria of a saved filter. */
export const criteriaShape = shapeOf(filterCriteria).meta({
  id: 'UnitFilters',
  description: 'Unit filters as the body of POST /v1/units/search has them; {} is every unit',
});

/** The criteria of an alert. */
export const alertCriteriaShape = shapeOf(alertCriteria).meta({
  id: 'AlertFilters',
  description: 'Unit filters as a saved filter has them, or `portfolio` beside them; {} is every unit',
});

/** Longer criteria would make each list of an organisation's filters long to read. All numbers that one may name are a third of it. */
const MAX_CRITERIA = 32 * 1024;

/** @throws Problem UNPROCESSABLE when criteria are too long for a caller to keep */
export function mustBeKeepable(criteria: Readonly<Record<string, unknown>> | undefined): void {
  if (criteria === undefined || JSON.stringify(criteria).length <= MAX_CRITERIA) return;
  const detail = `criteria must have at most ${MAX_CRITERIA} characters as JSON; ask by fewer values`;
  throw violated([{ pointer: '#/criteria', code: 'UNPROCESSABLE', detail }]);
}
