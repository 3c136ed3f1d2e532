import { isLimited, isPublic } from '../../operation/kinds.ts';
import type { Operation } from '../../operation/operation.ts';
import { isPaged } from './outcomes.ts';
import type { HeaderEntry, Reference } from './shape.ts';

/** The headers of our answers: their meaning, and the answers that may have them. */

interface AnswerHeader extends HeaderEntry {
  /** @param operation null for a request that reached none */
  on(status: number, operation: Operation | null): boolean;
}

/** The headers that only the older variant has. */
const OF_OLDER_VARIANT: Readonly<Record<string, AnswerHeader>> = {
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745): `@` and Unix seconds',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    on: (_, operation) => operation?.older === true,
  },
  Sunset: {
    description: 'When the operation may end (RFC 8594)',
    schema: { type: 'string' },
    on: (_, operation) => operation?.older === true,
  },
};

/** The headers that only files have. */
const OF_FILES: Readonly<Record<string, AnswerHeader>> = {
  'Accept-Ranges': {
    description: 'The unit of ranges: `bytes`',
    schema: { type: 'string', enum: ['bytes'] },
    on: (status, operation) => operation?.source === 'file' && [200, 206, 304].includes(status),
  },
  'Content-Range': {
    description: 'The range that is sent, and the length of the file; of a range outside of it the length alone',
    schema: { type: 'string', pattern: '^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$' },
    on: (status, operation) => operation?.source === 'file' && (status === 206 || status === 416),
  },
  'Content-Disposition': {
    description: 'The name under which to keep the file; of answers that are tables with XLSX alone',
    schema: { type: 'string' },
    on: (status, operation) =>
      (operation?.source === 'file' && (status === 200 || status === 206)) ||
      (operation?.table !== undefined && status === 200),
  },
};

/** Headers by which browsers keep something for the pages. */
const OF_BROWSERS: Readonly<Record<string, AnswerHeader>> = {
  'Set-Cookie': {
    description: 'The session of the pages, or its end; at `/` the language that was chosen',
    schema: { type: 'string' },
    on: (status, operation) => setsCookie(operation) && status === 200,
  },
};

const setsCookie = (operation: Operation | null): boolean => ['/', '/app/session'].includes(operation?.path ?? '');

const ANSWER_HEADERS: Readonly<Record<string, AnswerHeader>> = {
  'X-Request-Id': {
    description: 'Id of the request: `instance` of a problem, `requestId` in the audit log. Quote it in a question.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    on: () => true,
  },
  'Cache-Control': {
    description: 'Whether the answer may be kept, and for how long',
    schema: { type: 'string' },
    on: () => true,
  },
  ETag: {
    description:
      'Entity tag for If-None-Match; of the register it changes with the dataset version, the day and what is booked',
    schema: { type: 'string' },
    on: (status, operation) => operation !== null && operation.source !== 'service' && [200, 206, 304].includes(status),
  },
  Link: {
    description:
      'RFC 8288: `rel="next"` while a further page follows, `rel="first"` on every page but the first; absolute ' +
      'addresses. In the older variant `rel="successor-version"`',
    schema: { type: 'string' },
    on: (status, operation) =>
      operation !== null && ((isPaged(operation) && status === 200) || operation.older === true),
  },
  Quelle: {
    description: 'With CSV and XLSX: the sentence of attribution that the licence asks for, in ASCII (`ae` for ä)',
    schema: { type: 'string', pattern: '^[ -~]+$' },
    on: (status, operation) => operation?.table !== undefined && status === 200,
  },
  Meta: {
    description:
      'With CSV and XLSX: JSON of everything that the JSON answer has beside its rows, such as totals, cursor and syncToken; members beyond 4 KiB are left out',
    schema: { type: 'string', pattern: '^[ -~]+$' },
    on: (status, operation) => operation?.table !== undefined && status === 200,
  },
  ...OF_FILES,
  ...OF_BROWSERS,
  ...OF_OLDER_VARIANT,
  'RateLimit-Policy': {
    description: 'Cost class, its calls per window (`q`), and the length of the window in seconds (`w`)',
    schema: { type: 'string', pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+$' },
    on: (status, operation) => operation !== null && isLimited(operation) && status !== 401,
  },
  RateLimit: {
    description: 'Calls that remain in the window (`r`), and the seconds until it ends (`t`)',
    schema: { type: 'string', pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+$' },
    on: (status, operation) => operation !== null && isLimited(operation) && status !== 401,
  },
  'Idempotency-Replayed': {
    description: '`true` on an answer that was stored under the Idempotency-Key: nothing was written this time',
    schema: { type: 'string', enum: ['true'] },
    on: (status, operation) => operation?.replayable === true && status < 300,
  },
  'Retry-After': {
    description: 'Seconds until a retry makes sense; agrees with `retryAfter` of the problem',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    on: (status) => [409, 429, 503].includes(status),
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
    on: (status, operation) => operation !== null && operation.older !== true && !isPublic(operation) && status === 401,
  },
  Location: {
    description: 'The address of the page without slashes at its end, relative to the one that was asked for',
    required: true,
    schema: { type: 'string' },
    on: (status, operation) => operation === null && status === 308,
  },
  Allow: {
    description: 'The methods of the address',
    schema: { type: 'string' },
    on: (status, operation) => operation === null && (status === 204 || status === 405),
  },
};

/** Refers to the headers that an answer may have. */
export const headersOf = (status: number, operation: Operation | null): Record<string, Reference> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .filter(([, { on }]) => on(status, operation))
      .map(([name]) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** Describes the headers that answers of these operations may have. */
export const headerEntries = (operations: readonly Operation[]): Record<string, HeaderEntry> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .filter(([name]) => !(name in OF_OLDER_VARIANT) || operations.some(({ older }) => older === true))
      .filter(([name]) => !(name in OF_BROWSERS) || operations.some(setsCookie))
      .filter(
        ([name, { on }]) =>
          !(name in OF_FILES) || operations.some((operation) => on(200, operation) || on(206, operation)),
      )
      .map(([name, { on, ...entry }]) => [name, entry]),
  );

const text = (description: string): HeaderEntry => ({ description, schema: { type: 'string' } });

/** The headers of every answer, which are for browsers and proxies rather than for callers. */
export const EVERYWHERE: Readonly<Record<string, HeaderEntry>> = {
  'X-Content-Type-Options': text('`nosniff`'),
  'Referrer-Policy': text('`no-referrer`'),
  'Content-Security-Policy': text('What a browser may load for the answer: nothing, but for the pages under /docs'),
  'Strict-Transport-Security': text('Only where the service is reached over https'),
  'Server-Timing': text(
    'Only for callers with a key: milliseconds until the answer was ready (`total`), and of the engine (`engine`)',
  ),
  'Access-Control-Allow-Origin': text('Only where CORS_ORIGINS names the origin of the request'),
  'Access-Control-Expose-Headers': text('Likewise: the headers that a page may read'),
  'Access-Control-Allow-Methods': text('Likewise, in the answer to a preflight request'),
  'Access-Control-Allow-Headers': text('Likewise, in the answer to a preflight request'),
  'Access-Control-Max-Age': text('Likewise: how long that answer holds, seconds'),
};
