import { afterAll, beforeAll, expect, test } from 'vitest';
import { OLDER_OPERATIONS } from '../../api/older/operations.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { pathOf } from '../support/requests.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** Reversed ranges are 400 FILTER_CONFLICT wherever a range stands (decisions, reversed ranges). */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

/** The pairs of names that bound something from below and from above, as the interface names them. */
function pairs(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((low) => {
    const high = low.replace('Min', 'Max').replace(/Von$/, 'Bis').replace(/^von$/, 'bis');
    return high !== low && names.includes(high) ? [[low, high] as const] : [];
  });
}

/** Changes are known from the day of the first version on. */
const valuesOf = (name: string, path = ''): [number | string, number | string] =>
  path.startsWith('/v1/aenderungen') && name === 'von'
    ? ['2026-03-15', '2026-03-14']
    : /von$/i.test(name)
      ? ['2024-02-29', '2024-02-28']
      : [0.5, 0.4];

const RANGES = [...OPERATIONS, ...OLDER_OPERATIONS].flatMap((operation) =>
  pairs(Object.keys(operation.query.shape)).map(([low, high]) => [pathOf(operation), low, high] as const),
);

/** What these need beside a range. */
const NEEDED: Readonly<Record<string, string>> = {
  '/v1/aggregations': 'groupBy=einheitTyp&',
  '/v1/qualitaet/gruppen': 'groupBy=einheitTyp&',
  '/v1/netz': 'netzbetreiber=Netz Nord AG&',
  '/v1/netz/netzanschlusspunkte': 'netzbetreiber=Netz Nord AG&',
};

test('ranges exist where the interface has them', () => {
  const count = (path: string) => RANGES.filter(([one]) => one === path).length;
  expect(
    ['/v1/units', '/v1/aggregations', '/v1/region/zeitreihe', '/v1/audit-log', '/api/v1/units'].map(count),
  ).toEqual([13, 13, 1, 1, 3]);
});

test.each(RANGES)('%s: %s beyond %s', async (path, low, high) => {
  const [more, less] = valuesOf(low, path);
  const older = path.startsWith('/api/');
  const sendRange = async (from: string | number, to: string | number) => {
    const need = NEEDED[path] ?? '';
    const address = `${service.url}${path}?${need}${low}=${from}&${high}=${to}`;
    const response = await fetch(address, { headers: { 'X-API-Key': service.key } });
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, json: isJson ? await response.json() : null };
  };
  expect(await sendRange(more, less)).toMatchObject({
    status: 400,
    json: { errors: [{ parameter: low, code: older ? 'INVALID_PARAMS' : 'FILTER_CONFLICT' }] },
  });
  expect((await sendRange(less, more)).status).toBe(200);
  expect((await sendRange(less, less)).status).toBe(200);
});

test.each(RANGES.filter(([path]) => path === '/v1/units'))('in a body, %s: %s beyond %s', async (_, low, high) => {
  const [more, less] = valuesOf(low);
  const seen = await service.send('POST', '/v1/units/search', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ [low]: more, [high]: less }),
  });
  expect([seen.status, seen.json.errors]).toMatchObject([400, [{ pointer: `#/${low}`, code: 'FILTER_CONFLICT' }]]);
});
