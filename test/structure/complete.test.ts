import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { missingOf } from './complete.ts';

/** `npm run check` names what an operation lacks. */

test('nothing is missing of the operations that there are', () => {
  expect(missingOf(OPERATIONS)).toEqual([]);
});

test('of a new one, each thing is named with what to do', () => {
  const added = operation({
    id: 'saved-filters.show',
    method: 'GET',
    path: '/v1/saved-filters/{id}',
    summary: 'One saved filter',
    access: 'api',
    scope: 'saved_filters:read',
    cost: 'cheap',
    source: 'service',
    pathParameters: z.strictObject({ id: z.string() }),
    answer: null,
    handle: async () => ({ body: {} }),
  });
  expect(missingOf([added])).toEqual([
    expect.stringContaining('operation saved-filters.show: write api/docs/openapi/prose/saved-filters.show.md'),
    expect.stringContaining('api/docs/openapi/examples/saved-filters.show.json'),
    expect.stringContaining('name GET /v1/saved-filters/{id} in README.md'),
    expect.stringContaining("an entry 'saved-filters.show'"),
  ]);
});
