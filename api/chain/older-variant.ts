import { deprecationHeaders, olderProblem } from '../older/variant.ts';
import type { KeyOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { Step } from './step.ts';

/** Adds to answers of the older variant when it ends, and gives its problems the codes of the variant. */
export const olderVariant: Step<KeyOperation> = {
  name: 'older variant',
  problems: () => [],
  open:
    ({ settings }) =>
    () =>
    async (context, next) => {
      context.set(deprecationHeaders(settings.BASE_URL, context.path.replace(/^\/api/, '')));
      try {
        await next();
      } catch (error) {
        throw error instanceof Problem ? olderProblem(error) : error;
      }
    },
};
