import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { sender } from '../fuzz/send.ts';
import { pathOf } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/**
 * One request must not stop the others: whatever is sent within the limits of HTTP and of the body, the service returns
 * to its other callers soon. All of them wait while the event loop is busy, so the longest stretch of its work is
 * measured, in processor time of its thread: that does not depend on what else the machine does.
 */

const MAX_MILLISECONDS = 100;
const TRIES = 5;

let service: OwnSubject;
let connection: ReturnType<typeof sender>;
beforeAll(async () => {
  service = await serveSharedFixture();
  connection = sender(service.url);
});
afterAll(async () => {
  connection.close();
  await service.stop();
});

const send = (method: string, target: string, body: string | null) =>
  connection.send({
    method,
    target,
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'same' },
    body,
  });

/** Milliseconds of processor time that this thread has used. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures the longest time until the answer in which no other request was served. */
async function longestStretch(answer: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = used();
  let answered = false;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!answered) setImmediate(turn);
  };
  setImmediate(turn);
  await answer();
  answered = true;
  turn();
  return longest;
}

const MAX_BODY = 1024 * 1024;

/** As many values as a body may have; beyond that it is refused before it is read. */
const MAX_VALUES = 29_900;

/** As many pieces as fit between a beginning and an end, with commas between them. */
function filled(before: string, piece: (index: number) => string, after: string, bytes: number, most = Infinity) {
  const pieces: string[] = [];
  let length = before.length + after.length;
  while (pieces.length < most) {
    const next = piece(pieces.length);
    length += next.length + 1;
    if (length > bytes) break;
    pieces.push(next);
  }
  return before + pieces.join() + after;
}

const body = (before: string, piece: (index: number) => string, after: string, most?: number) =>
  filled(before, piece, after, MAX_BODY, most);

const text = (length: number): string => `"${'x'.repeat(length)}"`;

/** Bodies that are bad for any operation. */
const ANY_BODY: Readonly<Record<string, () => string>> = {
  'unknown members': () => body('{', (index) => `"inbetriebnahmeVonn${index}":0`, '}', MAX_VALUES),
  'too many unknown members': () => body('{', (index) => `"${index.toString(36)}":0`, '}'),
  'long unknown members': () => body('{', (index) => `"bundesland${'d'.repeat(48)}${index}":0`, '}'),
  'a long unknown member': () => `{${text(MAX_BODY - 10)}:0}`,
  'deep arrays': () => '['.repeat(MAX_BODY / 2) + ']'.repeat(MAX_BODY / 2),
  'deep objects': () => `${'{"a":'.repeat(170_000)}0${'}'.repeat(170_000)}`,
  objects: () => body('{"a":[', () => '{"a":0}', ']}', MAX_VALUES / 2),
  escapes: () => `{"a":"${'\\n'.repeat(MAX_BODY / 2 - 5)}"}`,
  quotes: () => `{"a":"${'\\"'.repeat(MAX_BODY / 2 - 5)}"}`,
};

/** Arrays that are bad for a member. */
const ARRAYS: Readonly<Record<string, (bytes: number, most: number) => string>> = {
  'near words': (bytes, most) => filled('[', (index) => `"solar${index}"`, ']', bytes, most),
  numbers: (bytes, most) => filled('[', (index) => String(index % 10), ']', bytes, most),
  'wrong MaStR numbers': (bytes, most) => filled('[', (index) => `"SEX${index}"`, ']', bytes, most),
  'other values': (bytes) => filled('[', (index) => `"Bayern${index}"`, ']', bytes, 400),
  'long texts': (bytes) => filled('[', (index) => text(Math.floor(bytes / 30) - index), ']', bytes),
};

/** Texts that are bad for a member. */
const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  'a long text': (bytes) => text(bytes - 2),
  'near terms': (bytes) => `"${'bruttoleistungKx:asc,'.repeat(bytes / 21 - 1)}"`,
  words: (bytes) => `"${'a '.repeat(bytes / 2 - 2)}"`,
  'a number': (bytes) => '9'.repeat(bytes),
};

interface Question {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: () => string;
}

/** The members that the body of an operation knows. */
const membersOf = (operation: (typeof OPERATIONS)[number]): string[] =>
  Object.keys(Reflect.get(operation.body ?? {}, 'shape') ?? {});

/** Members that are looked at in a way of their own. */
const OWN_WAY = ['einheitTyp', 'mastrNummern', 'fields', 'entries', 'values', 'assets', 'addressUserIds'];
const OWN_WAY_OF_TEXT = ['sort', 'suche', 'plz', 'body', 'subject'];

/** The worst bodies for each operation that takes one. */
const bodies: Question[] = OPERATIONS.filter(({ body }) => body !== undefined).flatMap((operation) => {
  const { id, method } = operation;
  const path = pathOf(operation);
  const members = membersOf(operation);
  const question = (name: string, body: () => string) => ({ name: `${id}: ${name}`, method, path, body });
  // A body may have no members at all.
  const shares = Math.max(1, members.length);
  const share = Math.floor(MAX_BODY / shares) - 60;
  const most = Math.floor(MAX_VALUES / shares);
  const inEvery = (value: string) => `{${members.map((member) => `"${member}":${value}`).join()}}`;
  const inOne = (known: string[], name: string, value: (bytes: number) => string) =>
    members
      .filter((member) => known.includes(member))
      .map((member) => question(`${name} as ${member}`, () => `{"${member}":${value(MAX_BODY - 60)}}`));
  return [
    ...Object.entries(ANY_BODY).map(([name, body]) => question(name, body)),
    ...Object.entries(ARRAYS).flatMap(([name, value]) => [
      question(`${name} in every member`, () => inEvery(value(share, most))),
      ...inOne(OWN_WAY, name, (bytes) => value(bytes, MAX_VALUES)),
    ]),
    ...Object.entries(TEXTS).flatMap(([name, value]) => [
      question(`${name} in every member`, () => inEvery(value(share))),
      ...inOne(OWN_WAY_OF_TEXT, name, value),
    ]),
  ];
});

const ROWS = 500;

const entry = (more: string): string => `{"mastrNummer":"SEE900000000001","relationType":"OPERATOR",${more}}`;

/** A row of a batch can have too much of each of these. */
const ROW: Readonly<Record<string, (bytes: number, most: number) => string>> = {
  'unknown members': (bytes, most) => entry(filled('', (index) => `"relationTypr${index}":0`, '', bytes, most)),
  references: (bytes, most) => entry(`"externalRefs":${filled('{', (index) => `"${index}":0`, '}', bytes, most)}`),
  arrays: (bytes, most) => filled('[', () => '[]', ']', bytes, most),
};

/** The worst batches: rows that are all wrong, or one row that is wrong in every way. */
const batches: Question[] = Object.entries(ROW).flatMap(([name, row]) => {
  const question = (count: number) => ({
    name: `portfolio.put: ${name} in ${count} rows`,
    method: 'POST',
    path: '/v1/portfolio',
    body: () => {
      const one = row(Math.floor(MAX_BODY / count) - 120, Math.floor(MAX_VALUES / count) - 5);
      return `{"entries":[${Array(count).fill(one).join()}]}`;
    },
  });
  return [question(ROWS), question(1)];
});

const MAX_QUERY = 31 * 1024;

const inQuery = (piece: (index: number) => string, separator: string): string =>
  filled('', piece, '', MAX_QUERY).replaceAll(',', separator);

const QUERIES: Readonly<Record<string, string>> = {
  'unknown names': inQuery((index) => index.toString(36), '&'),
  'names near one': inQuery((index) => `limit${index.toString(36)}=1`, '&'),
  'one name many times': inQuery(() => 'limit=1', '&'),
  'near words': `einheitTyp=${inQuery((index) => `solar${index}`, ',')}`,
  'wrong numbers': `mastrNummern=${inQuery((index) => index.toString(36), ',')}`,
  'terms of a sort': `sort=${inQuery((index) => index.toString(36), ',')}`,
  fields: `fields=${inQuery((index) => index.toString(36), ',')}`,
  quotes: `bundesland=${'""'.repeat(MAX_QUERY / 2)}`,
  blanks: `bundesland=${'+'.repeat(MAX_QUERY)}`,
  'a long text': `plz=${'1'.repeat(MAX_QUERY)}`,
  'percent signs': '%25'.repeat(MAX_QUERY / 3),
  secrets: inQuery((index) => `key${index}=1`, '&'),
};

/** The worst queries. */
const queries: Question[] = Object.entries(QUERIES).flatMap(([name, query]) =>
  ['/v1/units', '/v1/portfolio'].map((path) => ({
    name: `GET ${path}: ${name}`,
    method: 'GET',
    path: `${path}?${query}`,
    body: () => '',
  })),
);

/**
 * Those that kept the others waiting for too long whenever they were sent: once, code may still have been compiled, or
 * what earlier questions left was collected.
 */
async function tooLong(questions: readonly Question[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, method, path, body } of questions) {
    const sent = body() || null;
    const measured: number[] = [];
    do measured.push(await longestStretch(() => send(method, path, sent)));
    while (measured.length < TRIES && measured.every((one) => one >= MAX_MILLISECONDS));
    const shortest = Math.min(...measured);
    if (shortest >= MAX_MILLISECONDS) found.push(`${name}: ${shortest.toFixed()} ms`);
  }
  return found;
}

const FIELD = '0199c2a4-7c1b-7d52-9f0e-3a5b8c1d2e4f';

/** A value can have too much of each of these. */
const INPUT: Readonly<Record<string, (bytes: number, most: number) => string>> = {
  'unknown members': (bytes, most) =>
    `{"defId":"${FIELD}",${filled('', (index) => `"tex${index}":0`, '', bytes, most)}}`,
  'a long text': (bytes) => `{"defId":"${FIELD}","text":${text(bytes)}}`,
  'a long name': (bytes) => `{"defId":${text(bytes)},"text":"x"}`,
};

/** The worst values: of one field, or of as many as there are. */
const values: Question[] = Object.entries(INPUT).flatMap(([name, input]) =>
  [50, 1].map((count) => ({
    name: `custom-fields.put: ${name} in ${count} rows`,
    method: 'PUT',
    path: '/v1/units/SEE900000000001/custom-fields',
    body: () => {
      const one = input(Math.floor(MAX_BODY / count) - 120, Math.floor(MAX_VALUES / count) - 5);
      return `{"values":[${Array(count).fill(one).join()}]}`;
    },
  })),
);

test('the worst bodies', async () => expect(await tooLong(bodies)).toEqual([]));

test('the worst batches', async () => expect(await tooLong([...batches, ...values])).toEqual([]));

test('the worst queries', async () => expect(await tooLong(queries)).toEqual([]));
