import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { anyCharacter } from '../support/characters.ts';
import { open } from '../support/raw-request.ts';
import { UUID_V7 } from '../support/requests.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/**
 * Requests as bytes: what no HTTP client sends. Each gets an answer of ours with our headers, or none at all where it
 * never became a request; never one of Node's or Koa's own, and never a fault of ours.
 *
 * CASES asks for more of them; a failure prints a seed.
 */

const RUNS = cases(200);
const SEED = Number(process.env.FUZZ_SEED ?? 20261101);

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const mostly = <T>(usual: T, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 5 }, { arbitrary: rare, weight: 3 });

const junk = fc.string({ unit: anyCharacter, maxLength: 20 });
const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

const method = mostly(
  'GET',
  fc.oneof(
    fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'PRI', 'QUERY', 'PURGE', 'get', 'G ET', '', 'GET\t'),
    junk,
  ),
);

const authority = fc.oneof(
  fc.constantFrom(
    'x',
    '[',
    ']',
    '[::1]',
    '[::1',
    'x:99999',
    'x:',
    ':',
    '@',
    'a@b',
    'x y',
    '%',
    'x%00',
    '0x7f.1',
    '..',
    '//',
  ),
  printable,
);
const path = fc.oneof(
  fc.constantFrom(
    '/v1/health',
    '/docs',
    '/v1/units?limit=1',
    '',
    '?',
    '#',
    '/#x',
    '/\\',
    '/%',
    '//x/y',
    '/..',
    '/v1/health#?',
  ),
  printable,
);
const target = mostly(
  '/v1/health',
  fc.oneof(
    path,
    fc
      .tuple(fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://', 'http:', 'javascript:', '//'), authority, path)
      .map((parts) => parts.join('')),
    fc.constantFrom('*', 'x:443', '*x'),
    junk,
  ),
);

const version = mostly(
  'HTTP/1.1',
  fc.oneof(
    fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/9', 'http/1.1', '', 'HTTP/1.1 x'),
    junk,
  ),
);

const header = fc.oneof(
  fc.constantFrom(
    'Host: x',
    'Host: x, y',
    'Host: [',
    'Host : x',
    'Host:',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'Expect: 100-continue',
    'Expect: x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, x',
    'Transfer-Encoding: x',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 5, 6',
    'Content-Length: 99999999999999999999',
    'TE: trailers',
    'Trailer: x',
    'Accept-Encoding: br;q=x',
    'Accept: ,;q',
    'If-None-Match: *',
    'X-Forwarded-For: [',
    'Authorization: Bearer',
    ' folded',
    ': x',
    'x',
    `X-Long: ${'a'.repeat(40_000)}`,
  ),
  fc.tuple(printable, junk).map(([name, value]) => `${name}: ${value}`),
  junk,
);

const ending = fc.oneof(
  { arbitrary: fc.constant(''), weight: 6 },
  {
    arbitrary: fc.constantFrom('5\r\nhello\r\n0\r\n\r\n', 'hello', 'GET / HTTP/1.1\r\n', '\0\0\0', '\r\n\r\n\r\n'),
    weight: 2,
  },
  { arbitrary: junk, weight: 1 },
);

const request = fc
  .record({
    line: fc.tuple(method, target, version).map((parts) => parts.join(' ')),
    headers: fc.array(header, { maxLength: 3 }),
    hasHost: fc.boolean(),
    lineEnd: mostly('\r\n', fc.constantFrom('\n', '\r', '\n\r')),
    ending,
  })
  .map(({ line, headers, hasHost, lineEnd, ending: rest }) =>
    [line, ...(hasHost ? ['Host: x'] : []), ...headers, 'Connection: close', '', rest].join(lineEnd),
  );

/** All that comes back on a connection that says this and no more. */
async function answerTo(bytes: string): Promise<string> {
  const socket = await open(service.url);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  // Whoever waits for the rest of a request is told that there is none.
  socket.end(Buffer.from(bytes, 'latin1'));
  await closed;
  return answer;
}

/** Says why an answer is none of ours; null = it is one. */
function faultOf(answer: string): string | null {
  // A request whose end never came has no answer; `100 Continue` is a word of HTTP itself.
  const whole = answer.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '');
  if (whole === '') return null;
  const [head = '', body = ''] = whole.split('\r\n\r\n');
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ').slice(1).join(': ')]),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  if (!UUID_V7.test(headers.get('x-request-id') ?? '')) return 'no request id';
  if (headers.get('x-content-type-options') !== 'nosniff') return 'not our headers';
  const isProblem = headers.get('content-type') === 'application/problem+json';
  if (status >= 400 && !isProblem) return `no problem but ${headers.get('content-type')}`;
  if (isProblem && body !== '' && !body.includes(headers.get('x-request-id') ?? ''))
    return 'a problem of another request';
  return null;
}

test('bytes on a socket', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(request, async (bytes) => {
      const answer = await answerTo(bytes);
      const status = answer.slice(9, 12);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const fault = faultOf(answer);
      if (fault !== null) throw new Error(`${fault}:\n${answer.slice(0, 1_000)}`);
    }),
    { numRuns: RUNS * 5, seed: SEED },
  );
  // Good enough to be answered, and bad enough not to.
  for (const status of ['200', '400', '404', '405']) expect(seen.get(status) ?? 0, status).toBeGreaterThan(0);
  expect((await service.get('/v1/health')).json.data.status).toBe('ok');
}, 120_000);
