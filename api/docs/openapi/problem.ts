import { z } from 'zod';
import { CODES, type Code, codeEntry } from '../../problem/codes.ts';
import { Problem, type ProblemDocument, problemDocument } from '../../problem/problem.ts';
import type { JsonSchema } from './shape.ts';

/** The documentation of problem documents. */

const code = z.enum(Object.keys(CODES) as [Code, ...Code[]]);

const violation = { code, detail: z.string().describe('What is wrong, and what is expected') };

const violationShape = z
  .union([
    z.strictObject({ parameter: z.string().describe('Parameter of the path or the query'), ...violation }),
    z.strictObject({ pointer: z.string().describe('JSON Pointer into the body, as URI fragment'), ...violation }),
    z.strictObject({ header: z.string().describe('Header of the request'), ...violation }),
  ])
  .meta({ id: 'Violation', description: 'One fault of a request: where it is, and what' });

export const problemShape = z
  .strictObject({
    type: z.url().describe('Address of the documentation of the code'),
    title: z.string().describe('Short, and the same for each problem with this code'),
    status: z.int().min(400).max(599).describe('HTTP status'),
    code: code.describe('What callers branch on'),
    detail: z.string().describe('What happened this time'),
    instance: z.uuid().describe('Request id, as in X-Request-Id'),
    retryable: z.boolean().describe('Whether the same request can succeed later'),
    retryAfter: z.int().optional().describe('From when a retry makes sense, Unix milliseconds'),
    errors: z.array(violationShape).min(1).optional().describe('The faults of the request, at most 50 of them'),
    moreErrors: z
      .int()
      .min(1)
      .optional()
      .describe('Faults beside those in `errors`; absent where `errors` has them all'),
  })
  .meta({ id: 'Problem', description: 'Problem document (RFC 9457)' });

/** Makes the schema of a problem document with this status and one of these codes. */
export const problemSchema = (status: number, codes: readonly Code[]): JsonSchema => ({
  allOf: [{ $ref: '#/components/schemas/Problem' }],
  type: 'object',
  properties: { status: { const: status }, code: { enum: [...codes] } },
});

/** Request id of the examples. */
const EXAMPLE_ID = '019a0f6e-7c1b-7d52-9f0e-3b6f1c2d4e5a';

/** Time after which the examples may be repeated, Unix milliseconds. */
const EXAMPLE_RETRY = Date.UTC(2026, 10, 1, 12);

/** Makes an example for each of these codes, by code. */
export const problemExamples = (
  codes: readonly Code[],
  baseUrl: string,
): Record<string, { summary: string; value: ProblemDocument }> =>
  Object.fromEntries(
    codes.map((name) => {
      const { title, cause, retryable } = codeEntry(name);
      const problem = new Problem(name, cause, retryable === true ? { retryAt: EXAMPLE_RETRY } : {});
      return [name, { summary: title, value: problemDocument(problem, baseUrl, EXAMPLE_ID) }];
    }),
  );
