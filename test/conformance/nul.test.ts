import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';

/** No value has NUL, and the store cannot keep it: a text with it was not meant so. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture();
});
afterAll(() => service.stop());

test.each([
  '/v1/region/zeitreihe?ebene=bundesland&region=Bayern%00',
  '/v1/region/momentaufnahme?ebene=landkreis&region=%00',
  '/v1/units?suche=a%00b',
  '/v1/units?bundesland=Bayern%00',
  '/v1/reference/landkreis?q=a%00',
])('%s is refused', async (path) => {
  const answer = await service.get(path);
  expectProblem(answer, 400, 'INVALID_PARAMETER');
  expect(answer.text).toContain('must be well-formed Unicode without NUL');
});
