import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../api/docs/openapi/document.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { Problem, problemDocument } from '../../../api/problem/problem.ts';
import { answerValidator } from '../../support/answer-validator.ts';

/** The check that the conformance suite applies to every answer must be able to fail, and say why. */

const BASE = 'https://energy.example';
const ID = '019a0f6e-7c1b-7d52-9f0e-3b6f1c2d4e5a';
const check = answerValidator(openApiDocument(OPERATIONS, BASE));

const HEALTHY = {
  data: { status: 'ok', checkedAt: '2026-03-15T12:00:00.000Z', dependencies: { database: 'ok', search: 'ok' } },
  meta: {},
};

function answerOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const media = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  return {
    status,
    headers: new Headers({ 'Content-Type': media, 'X-Request-Id': ID, ...headers }),
    text: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const problem = (code: ConstructorParameters<typeof Problem>[0]) => problemDocument(new Problem(code, 'so'), BASE, ID);

describe('accepts', () => {
  test.each([
    ['an answer', 'GET', '/v1/health', answerOf(200, HEALTHY)],
    ['an answer to a query', 'GET', '/v1/health?x=1', answerOf(400, problem('UNKNOWN_PARAMETER'))],
    ['an answer to HEAD', 'HEAD', '/v1/health', answerOf(200, '')],
    ['an answer of a path with parameters', 'GET', '/v1/units/SEE1', answerOf(404, problem('NOT_FOUND'))],
    ['headers of HTTP itself', 'GET', '/v1/health', answerOf(200, HEALTHY, { Date: 'now', Vary: 'Accept-Encoding' })],
    ['headers of every answer', 'GET', '/v1/health', answerOf(200, HEALTHY, { 'Referrer-Policy': 'no-referrer' })],
    ['404 where nothing is', 'GET', '/v1/nothing', answerOf(404, problem('NOT_FOUND'))],
    ['405', 'PUT', '/v1/health', answerOf(405, problem('METHOD_NOT_ALLOWED'), { Allow: 'GET, HEAD, OPTIONS' })],
    ['OPTIONS', 'OPTIONS', '/v1/health', answerOf(204, '', { Allow: 'GET, HEAD, OPTIONS' })],
  ])('%s', (_, method, path, answer) => {
    expect(() => check(method, path, answer)).not.toThrow();
  });
});

describe('refuses', () => {
  const { data } = HEALTHY;
  test.each([
    ['an unknown status', answerOf(418, ''), /answered 418; described are 200, /],
    ['a code that the operation cannot give', answerOf(400, problem('NOT_SORTABLE')), /body \/code/],
    ['a code under another status', answerOf(400, problem('NOT_FOUND')), /body \/code/],
    ['a member too many', answerOf(200, { ...HEALTHY, more: 1 }), /additional properties/],
    ['a member too few', answerOf(200, { data }), /required property 'meta'/],
    ['a value of another type', answerOf(200, { data: { ...data, status: 'well' }, meta: {} }), /body \/data\/status/],
    [
      'a text of another format',
      answerOf(200, { data: { ...data, checkedAt: 'now' }, meta: {} }),
      /format "date-time"/,
    ],
    ['another media type', answerOf(200, 'ok', { 'Content-Type': 'text/plain' }), /media type text\/plain/],
    ['a header that is not described', answerOf(200, HEALTHY, { 'X-Powered-By': 'me' }), /header x-powered-by/],
    ['a header of another operation', answerOf(200, HEALTHY, { RateLimit: '"standard";r=1;t=1' }), /header ratelimit/],
    [
      'a header with a wrong value',
      answerOf(200, HEALTHY, { 'X-Request-Id': '1' }),
      /header x-request-id has the value 1/,
    ],
    ['a problem document without problem media type', { ...answerOf(200, problem('NOT_FOUND')), status: 404 }, /404/],
  ])('%s', (_, answer, message) => {
    expect(() => check('GET', '/v1/health', answer)).toThrow(message);
  });

  test('a missing request id', () => {
    const answer = answerOf(200, HEALTHY);
    answer.headers.delete('X-Request-Id');
    expect(() => check('GET', '/v1/health', answer)).toThrow('header x-request-id is missing');
  });

  test('a body where none is described', () => {
    expect(() => check('HEAD', '/v1/health', answerOf(200, HEALTHY))).toThrow('HEAD has a body');
    expect(() => check('OPTIONS', '/v1/health', answerOf(204, HEALTHY))).toThrow('a body is not described');
  });
});
