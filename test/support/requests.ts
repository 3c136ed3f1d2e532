import { expect } from 'vitest';
import type { Operation } from '../../api/operation/operation.ts';
import { type Code, codeEntry } from '../../api/problem/codes.ts';
import type { ServiceResponse, Subject } from './service.ts';

/** Helpers that call an operation, and check every problem. */

/** Headers of a caller with this key. */
export const withKey = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Headers of a caller without a key. */
export const NO_KEY = { Authorization: '' };

interface Changes {
  readonly method?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Asks an operation by its example, with some of it changed. */
export function callOperation(service: Subject, operation: Operation, changes: Changes = {}): Promise<ServiceResponse> {
  const { example = {}, method } = operation;
  const { query = example.query, body = example.body, headers = {} } = changes;
  const hasBody = operation.body !== undefined;
  return service.send(
    changes.method ?? method,
    pathOf(operation, changes.path) + (query === undefined ? '' : `?${query}`),
    {
      headers: { ...(hasBody ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    },
  );
}

/** The path of an operation with the values of its example. */
export function pathOf({ id, path, example }: Operation, values = example?.path): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values?.[name];
    if (value === undefined) throw new Error(`${id} needs an example of its path parameter ${name}`);
    return value;
  });
}

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A problem document in full (interface.md, Errors), with the headers that belong to it. */
export function expectProblem(response: ServiceResponse, status: number, code: Code): void {
  const { title, retryable = false } = codeEntry(code);
  expect(response.json).toMatchObject({
    type: expect.stringMatching(new RegExp(`^https?://.+/docs/errors#${code}$`)),
    title,
    status,
    code,
    detail: expect.any(String),
    instance: response.headers.get('x-request-id'),
    retryable,
  });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  // The older variant takes no key in Authorization.
  const takesBearer = !response.headers.has('deprecation');
  expect(response.headers.get('www-authenticate')).toBe(status === 401 && takesBearer ? 'Bearer' : null);
  expectRetryAfter(response);
}

/** `Retry-After` has in seconds what `retryAfter` has as a moment; there are both or none. */
function expectRetryAfter({ json, headers, sentAt, receivedAt }: ServiceResponse): void {
  const { retryAfter } = json;
  const header = headers.get('retry-after');
  expect(header === null).toBe(retryAfter === undefined);
  expect(retryAfter !== undefined).toBe([429, 503].includes(json.status) || json.code === 'IDEMPOTENCY_IN_PROGRESS');
  if (retryAfter === undefined) return;
  const secondsFrom = (moment: number) => Math.max(1, Math.ceil((retryAfter - moment) / 1000));
  expect(Number(header)).toBeGreaterThanOrEqual(secondsFrom(receivedAt));
  expect(Number(header)).toBeLessThanOrEqual(secondsFrom(sentAt));
}
