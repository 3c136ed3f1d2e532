import { expect, test } from 'vitest';
import { readCurl } from './curl.ts';
import { readGuide } from './guide.ts';
import { differencesOf } from './shown.ts';

/** The comparison that the tests of the guides rely on must be able to fail, and say why. */

const ETAG = { etag: 'W/"5"' };
const seen = (body: string) => ({ status: 200, headers: new Headers(ETAG), text: body });
const shown = (body: string, head = 'HTTP/1.1 200 OK') => `${head}\n\n${body}`;
const compared = (body: string, real: string) => differencesOf(shown(body), seen(real), new Map());

test.each([
  ['{ "a": 1, … }', '{"a": 1, "b": 2}'],
  ['[1, …, 4]', '[1, 2, 3, 4]'],
  ['[…, 3, …]', '[1, 2, 3, 4]'],
  ['[{ "a": [ … ], … }]', '[{"a": [1], "b": {}}]'],
  ['"from … to <end>"', '"from here to there"'],
  ['["<a>", "<a>", "<b>"]', '["x", "x", "y"]'],
])('%s shows %s', (body, real) => {
  expect(compared(body, real)).toEqual([]);
});

test.each([
  ['{ "a": 1 }', '{"a": 1, "b": 2}', ': not shown are b'],
  ['{ "a": 1, … }', '{"a": 1}', ': nothing is left out'],
  ['{ "a": 1, … }', '{"b": 1}', '/a: shown 1, is missing'],
  ['{ "a": null }', '{}', '/a: shown null, is missing'],
  ['{ "a": 1 }', '{"a": "1"}', '/a: shown 1, is "1"'],
  ['[1, 2]', '[1, 2, 3]', ': has 3 items, shown are 2'],
  ['[1, 2, …]', '[1, 2]', ': has 2 items, shown are 3'],
  ['[1, …, 5]', '[1, 2, 3]', ': nothing like 5'],
  ['"from …"', '"to here"', ': shown "from …", is "to here"'],
  ['["<a>", "<a>"]', '["x", "y"]', '/1: <a> is x elsewhere, and y here'],
])('%s does not show %s', (body, real, difference) => {
  expect(compared(body, real)).toEqual([difference]);
});

test('status and headers count, and a body that is not shown', () => {
  const differ = (head: string) => differencesOf(head, seen('{}'), new Map());
  expect(differ('HTTP/1.1 404 Not Found\n\n{}')).toEqual(['status: shown 404, is 200']);
  expect(differ('HTTP/1.1 200 OK\nETag: W/"6"\n\n{}')).toEqual(['ETag: shown "W/\\"6\\"", is "W/\\"5\\""']);
  expect(differ('HTTP/1.1 200 OK\nLink: <…>\n\n{}')).toEqual(['Link: shown "<…>", is missing']);
  expect(differ('HTTP/1.1 200 OK\nETag: <etag>')).toEqual(['a body is not shown']);
});

test('CSV is compared as text, whatever its line breaks', () => {
  const csv = {
    status: 200,
    headers: new Headers({ 'content-type': 'text/csv; charset=utf-8' }),
    text: 'a,b\r\n1,2\r\n',
  };
  expect(differencesOf(shown('a,b\n1,2'), csv, new Map())).toEqual([]);
  expect(differencesOf(shown('a,b\n…2'), csv, new Map())).toEqual([]);
  expect(differencesOf(shown('a,b\n1,3'), csv, new Map())).toEqual([': shown "a,b\\n1,3", is "a,b\\n1,2"']);
});

test('a program has what it prints in the block behind it', () => {
  const steps = readGuide('```python\nprint(\\\n  1)\n```\n\n```text\n1\n```\n\n```powerquery\nlet\n```\n');
  expect(steps).toEqual([
    { kind: 'program', name: 'line 2: python', language: 'python', text: 'print(\\\n  1)', prints: '1' },
    { kind: 'program', name: 'line 11: powerquery', language: 'powerquery', text: 'let', prints: '' },
  ]);
});

test.each([
  ['a request without its answer', '```sh\ncurl $API/v1/me\n```\n', /Line 2: a request without its answer/],
  ['an answer without a request', '```json\n{}\n```\n', /Line 2: an answer without a request/],
  ['a block of something else', '```sh\nwget $API\n```\n\n```json\n{}\n```\n', /no curl command/],
])('%s is refused', (_, page, message) => {
  const read = () => readGuide(page).map((step) => step.kind === 'request' && readCurl(step.command, '$API'));
  expect(read).toThrow(message);
});
