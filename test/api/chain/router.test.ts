import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openRouter } from '../../../api/chain/router.ts';
import { type Operation, publicOperation } from '../../../api/operation/operation.ts';
import { operationsOf } from '../../../api/operations.ts';

const at = (method: Operation['method'], path: string): Operation =>
  publicOperation({
    id: `${method} ${path}`,
    method,
    path,
    summary: '',
    cost: 'cheap',
    source: 'service',
    pathParameters: z.strictObject({}),
    answer: null,
    handle: () => Promise.reject(new Error('not called')),
  });

const routerOf = (...operations: Operation[]) => openRouter(operations, () => []);

describe('at start', () => {
  test.each([
    ['/units/{id}', '/units/{number}'],
    ['/{resource}/fields', '/units/{id}'],
    ['/{a}/b/{c}', '/a/{b}/c'],
  ])('%s and %s are refused: neither is more specific, and both match one address', (one, other) => {
    const open = () => routerOf(at('GET', one), at('GET', other));
    expect(open).toThrow(one);
    expect(open).toThrow(other);
  });

  test('the same method and path twice are refused', () => {
    expect(() => routerOf(at('GET', '/units'), at('POST', '/units'), at('GET', '/units'))).toThrow('GET /units');
  });

  test('the operations of the service are accepted', () => {
    expect(() => routerOf(...operationsOf({ OLDER_API: 'on' }))).not.toThrow();
  });
});

describe('in whichever order operations are declared', () => {
  const declared = [
    at('GET', '/units/{id}'),
    at('POST', '/units/search'),
    at('GET', '/units/fields'),
    at('GET', '/{a}/{b}'),
  ];

  test.each([[declared], [declared.toReversed()]])(
    'a fixed path wins over a parameter, also for another method',
    (operations) => {
      const router = routerOf(...operations);
      const found = (method: string, path: string) => {
        const { path: layers, route } = router.match(path, method);
        return [layers.map((layer) => layer.path), route];
      };
      expect(found('GET', '/units/fields')).toEqual([['/units/fields'], true]);
      expect(found('GET', '/units/search')).toEqual([['/units/search'], false]);
      expect(found('GET', '/units/SEE1')).toEqual([['/units/:id'], true]);
      expect(found('GET', '/other/SEE1')).toEqual([['/:a/:b'], true]);
      expect(found('GET', '/units')).toEqual([[], false]);
    },
  );

  test('upper case and a trailing slash make another path', () => {
    const router = routerOf(...declared);
    for (const path of ['/Units/fields/', '/units/fields/', '/units/'])
      expect(router.match(path, 'GET').path).toEqual([]);
    expect(router.match('/units/Fields', 'GET').path.map((layer) => layer.path)).toEqual(['/units/:id']);
  });
});
