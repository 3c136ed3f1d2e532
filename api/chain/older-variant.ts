import { farewell, olderProblem } from '../older/variant.ts';
import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import type { Step } from './step.ts';

/** Around operations of the older variant: their answers tell of its end, and their problems have its codes. */
export const olderVariant =
  ({ settings }: Service): Step =>
  async (exchange, next) => {
    if (exchange.state.operation?.older !== true) return next();
    exchange.set(farewell(settings.BASE_URL, exchange.path.replace(/^\/api/, '')));
    try {
      await next();
    } catch (error) {
      throw error instanceof Problem ? olderProblem(error) : error;
    }
  };
