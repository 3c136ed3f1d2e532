import { deprecationHeaders, olderProblem } from '../older/variant.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import type { Middleware } from './context.ts';

/** Around operations of the older variant: their answers tell of its end, and their problems have its codes. */
export const olderVariant =
  ({ settings }: Service): Middleware =>
  async (context, next) => {
    if (context.state.operation?.older !== true) return next();
    context.set(deprecationHeaders(settings.BASE_URL, context.path.replace(/^\/api/, '')));
    try {
      await next();
    } catch (error) {
      throw error instanceof Problem ? olderProblem(error) : error;
    }
  };
