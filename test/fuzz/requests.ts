import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument, OperationEntry, ParameterEntry } from '../../api/docs/openapi/shape.ts';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { makeApiKey } from '../../sql/org/api-key.ts';
import { digits, strangeJson, strangeText, valid } from './values.ts';

/** Requests to an operation of the OpenAPI document: most parts of them as described, any part of them broken. */

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query, percent-encoded as far as HTTP needs it. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Mostly the one, now and then the other. */
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, times = 9): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: rare, weight: 1 });

export function requestTo(
  document: OpenApiDocument,
  path: string,
  method: string,
  key: string,
): fc.Arbitrary<FuzzRequest> {
  const entry = document.paths[path]![method]!;
  return fc
    .record({
      method: mostly(fc.constant(method.toUpperCase()), fc.constantFrom(...METHODS), 19),
      path: mostly(pathOf(document, path, entry), fc.oneof(strayPath(path), strayPath(key)), 19),
      query: queryOf(document, entry, key),
      headers: headersOf(document, entry, key),
      body: bodyOf(document, entry),
    })
    .map(({ method: verb, path: place, query, headers, body }) => ({
      method: verb,
      target: query === '' ? place : `${place}?${query}`,
      headers: body === null ? headers : { ...headers, ...body.headers },
      body: body?.text ?? null,
    }));
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Every character as a percent-encoded byte, harmless ones too. */
const encodeAll = (text: string): string =>
  [...Buffer.from(text.toWellFormed())].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** The document shows values of the sample; the operation itself has those of the register that the tests serve. */
const ownExample = (operationId: string): NonNullable<Operation['example']> =>
  OPERATIONS.find(({ id }) => id === operationId)?.example ?? {};

function pathOf(
  document: OpenApiDocument,
  path: string,
  { parameters, operationId }: OperationEntry,
): fc.Arbitrary<string> {
  const own = ownExample(operationId).path ?? {};
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const values = inPath.map((parameter) =>
    mostly(
      fc.oneof(
        fc.constant(own[parameter.name] ?? ''),
        shown(parameter).map(String),
        valid(parameter.schema, document).map(String),
      ),
      strangeText.filter((text) => text !== ''),
      3,
    ),
  );
  return fc
    .tuple(...values)
    .map((texts) =>
      inPath.reduce((place, { name }, index) => place.replace(`{${name}}`, () => encode(texts[index]!)), path),
    );
}

/** A path that leads nowhere, or almost somewhere. */
const strayPath = (near: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.constantFrom(`${near}/`, `${near}/x`, `/${near}`, near.toUpperCase(), `${near}%`, `${near}%ff`, `${near}%00`),
      fc.constantFrom(encodeAll(near), '/', '//', '/v1', '/.', '/v1/../v1/me', '*'),
      strangeText.map((text) => `/v1/${encode(text)}`),
    )
    .map((path) => (path.startsWith('/') || path === '*' ? path : `/${path}`).replaceAll(/[{}]/g, ''));

function queryOf(document: OpenApiDocument, { parameters }: OperationEntry, key: string): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const needed = known.filter(({ required }) => required);
  const optional = known.filter(({ required }) => !required);
  const fitting = fc
    .tuple(
      mostly(fc.constant(needed), fc.constant<ParameterEntry[]>([]), 9),
      fc.subarray(optional, { maxLength: Math.min(optional.length, 6) }),
    )
    .chain(([must, may]) =>
      fc.tuple(
        ...[...must, ...may].map((parameter) =>
          textOf(document, parameter).map((text) => `${parameter.name}=${encode(text)}`),
        ),
      ),
    );
  const named = (pattern: RegExp) => known.filter(({ name }) => pattern.test(name)).map(({ name }) => name);
  const one = (names: readonly string[], other = 'x') => fc.constantFrom(...(names.length === 0 ? [other] : names));
  const lists = known.filter(({ schema }) => schema.type === 'array');
  const name = fc.oneof(fc.constantFrom('x', ...known.map((parameter) => parameter.name)), strangeText);
  const strange = fc.oneof(
    fc.tuple(name, fc.oneof(strangeText, fc.constant(key))).map(([left, right]) => `${encode(left)}=${encode(right)}`),
    name.map((left) => `${encode(left)}=${encodeAll(key)}`),
    // Numbers of many digits, texts that fold to nothing, a set in another order, a range from its end to its beginning.
    fc.tuple(one(named(/Kw$|Kwh$|Min|Max|leistung|limit/)), digits).map(([left, number]) => `${left}=${number}`),
    digits.map((number) => `cursor=${number}:SEE900000000001`),
    fc.tuple(one(named(/^(q|suche|region)$/), 'q'), folded).map(([left, text]) => `${left}=${encode(text)}`),
    fc
      .tuple(
        one(lists.map(({ name }) => name)),
        fc.array(fc.constantFrom('wind', 'solar', 'Bayern', ' wind', ''), { maxLength: 6 }),
      )
      .map(([left, values]) => `${left}=${encode(values.join())}`),
    one(named(/Von$|^von$/), 'von').map(
      (von) => `${von}=2025-01-01&${von.replace(/Von$/, 'Bis').replace(/^von$/, 'bis')}=2024-01-01`,
    ),
    one(named(/Min/), 'leistungMinKw').map((min) => `${min}=2&${min.replace('Min', 'Max')}=1`),
    fc.constantFrom(60, 600, 3000).map((count) => Array.from({ length: count }, (_, i) => `n${i}=`).join('&')),
    fc.constantFrom('%', '=%ff', '&&&', '=', '?', 'limit', 'limit=1&limit=1', 'limit[]=1', '%6cimit=1', 'a=b#c'),
  );
  return fc
    .tuple(fitting, mostly(fc.constant<string[]>([]), fc.array(strange, { minLength: 1, maxLength: 3 }), 4))
    .map(([pairs, others]) => [...pairs, ...others].join('&'));
}

/** Texts that are nothing once case and accents do not count. */
const folded = fc.constantFrom(
  ' ',
  '\u0000',
  '\u0308',
  '\u0301\u0308',
  '\u00a0',
  '\u2003\u0000',
  'a\u0308',
  '%',
  '\u00df',
);

const textOf = (document: OpenApiDocument, parameter: ParameterEntry): fc.Arbitrary<string> =>
  fc.oneof(valid(parameter.schema, document), ...(hasExample(parameter) ? [shown(parameter)] : [])).map(inQuery);

type Exemplified = Pick<ParameterEntry, 'example' | 'examples'>;

/** An example of an idempotency key would be the key of many requests, and nearly all of them refused. */
const hasExample = (parameter: ParameterEntry): boolean =>
  parameter.in !== 'header' && (parameter.example !== undefined || parameter.examples !== undefined);

/** One of the values that the document shows. */
const shown = ({ example, examples }: Exemplified): fc.Arbitrary<unknown> =>
  fc.constantFrom(...(examples === undefined ? [example] : Object.values(examples).map(({ value }) => value)));

/** A value as text of a query: lists with commas, plain decimals. */
function inQuery(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `"${String(item).replaceAll('"', '""')}"`).join(',');
  return String(value);
}

/** A text in the characters that HTTP lets through in a header. */
const inHeader = (text: unknown): string => String(text).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');

const headerText = strangeText.map(inHeader);

type Headers = Record<string, string>;

function headersOf(document: OpenApiDocument, { parameters }: OperationEntry, key: string): fc.Arbitrary<Headers> {
  const own = parameters.filter((parameter) => parameter.in === 'header');
  const others = fc.record(
    {
      ...Object.fromEntries(
        own.map(({ name, schema }) => [name, mostly(valid(schema, document).map(inHeader), headerText, 2)]),
      ),
      Accept: mostly(fc.constant('*/*'), fc.constantFrom('application/json', 'text/html;q=0', 'image/*', ';;', ','), 3),
      'Accept-Encoding': fc.constantFrom('br', 'gzip', 'identity;q=0', '*;q=0', ';q=', 'x'),
      'X-Request-Id': headerText,
      Origin: fc.constantFrom('null', 'https://evil.example', 'x'),
      Expect: fc.constantFrom('100-continue', 'x'),
      Range: fc.constant('bytes=0-1'),
    },
    { requiredKeys: [] },
  );
  const chosen = mostly(fc.constant<Headers>({}), others as fc.Arbitrary<Headers>, 1);
  return fc
    .tuple(mostly(credentials(key), invalidCredentials(key), 12), chosen)
    .map((parts) => Object.assign({}, ...parts));
}

/** The right key, in either way. */
const credentials = (key: string): fc.Arbitrary<Headers> =>
  fc.constantFrom({ Authorization: `Bearer ${key}` }, { 'X-API-Key': key });

/** No key, half a key, a key of nobody, two keys, a key where none belongs. */
function invalidCredentials(key: string): fc.Arbitrary<Headers> {
  const unknownKey = makeApiKey('test').text;
  const mangled = fc.constantFrom(
    unknownKey,
    key.slice(0, -1),
    `${key}x`,
    key.slice(0, 20),
    key.toUpperCase(),
    key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    key.replace('mds_test', 'mds_live'),
  );
  return fc.oneof(
    fc.constantFrom({}, { Authorization: key }, { Authorization: `Basic ${key}` }, { Authorization: 'Bearer' }),
    fc.constant({ Authorization: `Bearer ${key}`, 'X-API-Key': unknownKey }),
    mangled.map((text) => ({ Authorization: `Bearer ${text}` })),
    mangled.map((text) => ({ 'X-API-Key': text })),
    headerText.map((text) => ({ Authorization: text })),
    headerText.map((text) => ({ 'X-API-Key': text })),
  );
}

interface Body {
  readonly text: string;
  readonly headers: Headers;
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

function bodyOf(document: OpenApiDocument, { requestBody, operationId }: OperationEntry): fc.Arbitrary<Body | null> {
  const content = requestBody?.content['application/json'];
  if (content === undefined) return mostly(fc.constant(null), brokenBody(fc.constant({})), 19);
  const fitting = fc.oneof(valid(content.schema, document), shown(content), fc.constant(ownExample(operationId).body));
  const asJson = fitting.map((value) => ({ text: JSON.stringify(value), headers: JSON_HEADERS }));
  const almost = almostFitting(content.schema, fitting).map((text) => ({ text, headers: JSON_HEADERS }));
  return mostly<Body | null>(mostly(asJson, almost, 1), fc.oneof(brokenBody(fitting), fc.constant(null)), 5);
}

/** JSON that is almost right: a member too many, one of another type, a part that is strange all the way down. */
function almostFitting({ properties = {} }: JsonSchema, fitting: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const member = fc.constantFrom('x', '__proto__', ...Object.keys(properties));
  return fc.oneof(
    fc
      .tuple(fitting, member, strangeJson)
      .map(([value, name, strange]) => withMember(value, name, JSON.stringify(strange))),
    // In the place of a row, or of one of its members.
    fc
      .tuple(fitting, member, fc.array(strangeJson, { maxLength: 4 }))
      .map(([value, name, rows]) => withMember(value, name, JSON.stringify(rows))),
    fc
      .tuple(fitting, member, fc.constantFrom(10, 1000, 100_000))
      .map(([value, name, depth]) => withMember(value, name, `[${'['.repeat(depth)}${']'.repeat(depth)}]`)),
    fc.tuple(fitting, strangeJson).map(([value, strange]) => withStrangeLeaf(value, strange)),
    // A member that is there comes again, perhaps in other letters.
    fc.tuple(fitting, fc.boolean()).map(([value, escaped]) => withMemberTwice(value, escaped)),
    // Long: more members, items and digits than anything needs.
    fc
      .tuple(fitting, member, fc.constantFrom(60, 600, 20_000, 40_000), strangeJson)
      .map(([value, name, count, strange]) => withMember(value, name, JSON.stringify(Array(count).fill(strange)))),
    fc
      .tuple(fitting, fc.constantFrom(60, 600, 20_000))
      .map(([value, count]) =>
        withMember(value, 'x', '0').replace(/\}$/, `,${Array.from({ length: count }, (_, i) => `"m${i}":0`).join()}}`),
      ),
    fc.tuple(fitting, member, digits).map(([value, name, number]) => withMember(value, name, number)),
  );
}

/** The object as JSON, its first member given again at the end. */
function withMemberTwice(value: unknown, escaped: boolean): string {
  const [first = 'x'] = Object.keys(value as object);
  const name = escaped
    ? `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}${first.slice(1)}"`
    : JSON.stringify(first);
  return `{${JSON.stringify(first)}:1,${JSON.stringify(value).slice(1, -1) || '"y":1'},${name}:1}`;
}

/** The object as JSON, with one more member behind its own: a name that is there already counts as it stands last. */
const withMember = (value: unknown, name: string, json: string): string =>
  JSON.stringify(value).replace(/\}$/, () => `,${JSON.stringify(name)}:${json}}`);

/** The value as JSON, with something strange for its first text. */
const withStrangeLeaf = (value: unknown, strange: unknown): string =>
  JSON.stringify(value).replace(/(?<=[[:])"[^"]*"/, () => JSON.stringify(strange));

/** Bodies that are no JSON, are not announced as JSON, or are too large. */
function brokenBody(fitting: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const texts = fitting.map((value) => JSON.stringify(value));
  return fc.oneof(
    texts.map((text) => ({ text: text.slice(0, -1), headers: JSON_HEADERS })),
    texts.map((text) => ({ text: `${text}${text}`, headers: JSON_HEADERS })),
    texts.map((text) => ({ text: `\ufeff${text}`, headers: JSON_HEADERS })),
    texts.map((text) => ({ text: text.padEnd(1024 * 1024 + 1), headers: JSON_HEADERS })),
    strangeText.map((text) => ({ text, headers: JSON_HEADERS })),
    fc
      .tuple(texts, fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=utf-16', 'x', ';'))
      .map(([text, type]) => ({ text, headers: { 'Content-Type': type } })),
    texts.map((text) => ({ text, headers: { ...JSON_HEADERS, 'Content-Encoding': 'gzip' } })),
    texts.map((text) => ({ text, headers: {} })),
  );
}
