import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { Middleware } from './context.ts';

/** Lets the request read one dataset version: taken when first asked for, kept, and given back at the end. */
export const pinDataset =
  ({ warehouse }: Service): Middleware =>
  async (context, next) => {
    let taken: Dataset | null = null;
    context.state.dataset = () => {
      taken ??= warehouse.acquire({ operation: context.state.operation!.id, request: context.state.requestId });
      if (taken !== null) return taken;
      throw new Problem('DATASET_NOT_READY', 'No dataset version has been published yet', {
        retryAt: Date.now() + 10_000,
      });
    };
    try {
      await next();
    } finally {
      (taken as Dataset | null)?.release();
    }
  };
