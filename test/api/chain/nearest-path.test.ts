import { describe, expect, test } from 'vitest';
import { isPage, nearestPath, withoutTrailingSlashes } from '../../../api/chain/nearest-path.ts';
import { OPERATIONS } from '../../../api/operations.ts';

describe('a path that no operation has', () => {
  test.each([
    ['/v1/unit', '/v1/units'],
    ['/v1/Units', '/v1/units'],
    ['/v1/units/', '/v1/units'],
    ['/units', '/v1/units'],
    ['/units/SEE900000000001', '/v1/units/SEE900000000001'],
    ['/v1/unit/SEE900000000001', '/v1/units/SEE900000000001'],
    ['/v1/region/zeitreihen', '/v1/region/zeitreihe'],
    ['/openapi.json', '/v1/openapi.json'],
    ['/v1/portfolio//', '/v1/portfolio'],
    ['/doc', '/docs'],
    ['/v1/aggregations/units', '/v1/aggregations'],
    ['/v1/tiles/0/0/0.pbf', '/v1/tiles/0/0/0.mvt'],
    ['/v1/tiles/0/0/0', '/v1/tiles/0/0/0.mvt'],
    ['/v1/tiles/6/33/21/.mvt', '/v1/tiles/6/33/21.mvt'],
  ])('%s probably means %s', (path, meant) => {
    expect(nearestPath(path, OPERATIONS)).toBe(meant);
  });

  test.each([
    '/v1/nothing/units',
    '/v1/tenders/rounds',
    '/wp-login.php',
    '/.env',
    `/v1/${'x'.repeat(5000)}`,
    '/a/b/c/d/e',
  ])('%s means none', (path) => {
    expect(nearestPath(path, OPERATIONS)).toBeNull();
  });
});

test('slashes at the end are taken away, however many; the root has none', () => {
  expect(['/docs/', '/docs///', '/docs/guides/x/', '/docs', '/', '//'].map(withoutTrailingSlashes)).toEqual([
    '/docs',
    '/docs',
    '/docs/guides/x',
    null,
    null,
    null,
  ]);
});

test('pages are what a browser can be shown', () => {
  const pages = [
    '/docs',
    '/docs/errors',
    '/docs/guides/glossary',
    '/v1',
    '/v1/units',
    '/docs/files/page.js',
    '/nothing',
  ];
  expect(pages.filter((path) => isPage(path, OPERATIONS))).toEqual(pages.slice(0, 4));
});
