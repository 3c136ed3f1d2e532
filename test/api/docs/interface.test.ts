import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../api/docs/openapi/document.ts';
import type { JsonSchema } from '../../../api/docs/openapi/shape.ts';
import { OPERATIONS, operationsOf } from '../../../api/operations.ts';
import { CODES } from '../../../api/problem/codes.ts';
import { LIMITED_CLASSES } from '../../../sql/org/callers.ts';
import { MODULES, SCOPES } from '../../../sql/org/rights.ts';

/** Code and documentation name the same routes, parameters, codes, scopes, modules and headers. */

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const files = (pattern: string): string[] => globSync(pattern, { cwd: ROOT.pathname });

const openApi = openApiDocument(OPERATIONS, 'https://energy.example');
/** Includes the older variant and the dumps, which pages of docs describe and which share codes and headers. */
const everything = openApiDocument(operationsOf({ OLDER_API: 'on' }), 'https://energy.example');

const entriesOf = ({ paths }: typeof openApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ route: `${method.toUpperCase()} ${path}`, entry })),
  );
const entries = entriesOf(openApi);

/** People read these texts: the pages of the project and the introduction of the OpenAPI document. */
const pages = ['README.md', ...files('docs/**/*.md'), 'api/docs/openapi/introduction.md'].map(read).join('\n');

/** Includes the texts of the OpenAPI document. */
const prose = `${pages}\n${JSON.stringify(openApi)}`;

/** Names of settings, codes and values look like this. */
const CAPITALS = /\b[A-Z]+(?:_[A-Z]+)+\b/g;

describe('routes', () => {
  const operations = OPERATIONS.map(({ method, path, summary }) => ({ route: `${method} ${path}`, summary }));

  test('the README names each operation, and nothing else', () => {
    const section = /^## What it answers$(.*?)^## /ms.exec(read('README.md'))?.[1] ?? '';
    const listed = [...section.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, route]) => route!);
    const missing = operations.filter(({ route }) => !listed.includes(route));
    expect(missing.map(({ route }) => route)).toEqual([]);
    expect(listed.filter((route) => !operations.some((operation) => operation.route === route))).toEqual([]);
  });

  test('the OpenAPI document has exactly the operations', () => {
    expect(entries.map(({ route }) => route).toSorted()).toEqual(operations.map(({ route }) => route).toSorted());
  });

  test('every route that the documentation mentions exists', () => {
    const routes = new Set(operations.map(({ route }) => route.replaceAll(/\{[^}]+\}/g, '{}')));
    const texts = `${prose}\n${JSON.stringify(CODES)}`;
    for (const [, route] of texts.matchAll(/\b((?:GET|POST|PUT|PATCH|DELETE) \/(?:v1|docs)[\w/{}.-]*)/g)) {
      // An example may have an id where the route has a parameter.
      const named = route!.replaceAll(/\{[^}]+\}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{}');
      expect(routes).toContain(named.replace(/[.]$/, ''));
    }
  });
});

test('the page of the older variant has a line for each of its operations, with every parameter', () => {
  const lines = read('docs/older-variant.md').split('\n');
  for (const { path, query } of operationsOf({ OLDER_API: 'on' }).filter(({ older }) => older === true)) {
    const line = lines.find((text) => text.startsWith(`| \`${path}\` |`));
    for (const name of Object.keys(query.shape)) expect(line, path).toContain(`\`${name}\``);
  }
});

describe('parameters', () => {
  test.each(OPERATIONS)('$method $path', (operation) => {
    const described = entries.find(({ route }) => route === `${operation.method} ${operation.path}`)?.entry.parameters;
    const names = (place: string) =>
      described?.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
    const written = operation.replayable === true ? ['dryRun'] : [];
    const ofTables =
      operation.table !== undefined && operation.body === undefined ? ['format', 'dialekt', 'quelle'] : [];
    expect(names('query')).toEqual([...Object.keys(operation.query.shape), ...written, ...ofTables]);
    expect(names('path')).toEqual(Object.keys(operation.pathParameters.shape));
    expect(names('header')?.includes('Idempotency-Key')).toBe(operation.replayable === true);
  });
});

describe('error codes', () => {
  /** Codes in rows of an answer. */
  const ofRows = Object.entries(openApi.components.schemas).flatMap(([name, schema]) =>
    name === 'Problem' || name === 'Violation' ? [] : codesIn(schema),
  );
  const ofProblems = [
    ...entriesOf(everything).flatMap(({ entry }) => Object.values(entry.responses)),
    ...Object.values(everything['x-without-operation']),
  ].flatMap(({ content = {} }) => codesIn(content['application/problem+json']?.schema ?? {}));

  test('every code can occur: in an operation, in a row of an answer, or before an operation is reached', () => {
    const given = new Set([...ofProblems, ...ofRows]);
    expect(Object.keys(CODES).filter((code) => !given.has(code))).toEqual([]);
    expect([...given].filter((code) => !Object.hasOwn(CODES, code))).toEqual([]);
  });

  test('every code is listed under its status', () => {
    for (const { route, entry } of entriesOf(everything)) {
      for (const [status, { content = {} }] of Object.entries(entry.responses)) {
        for (const code of codesIn(content['application/problem+json']?.schema ?? {})) {
          expect(CODES[code as keyof typeof CODES].status, `${route} ${code}`).toBe(Number(status));
        }
      }
    }
  });

  test('the documentation names no code with another status than its own', () => {
    for (const [, status, code] of prose.matchAll(/\b([45]\d\d) `?([A-Z]+(?:_[A-Z]+)+)\b/g)) {
      expect(CODES[code as keyof typeof CODES]?.status, code).toBe(Number(status));
    }
  });
});

/** Collects the values of every member `code` that has an enum. */
function codesIn(schema: JsonSchema): string[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const closed = name === 'code' && 'enum' in value ? (value.enum as string[]) : [];
    return [...closed, ...codesIn(value as JsonSchema)];
  });
}

describe('access', () => {
  test.each([
    ['scope', SCOPES],
    ['module', MODULES],
  ] as const)('the document explains every %s, and no other', (kind, table) => {
    const section =
      new RegExp(`^\\| ${kind}.*?(?:\\n\\n|$(?![\\s\\S]))`, 'ims').exec(openApi.info.description)?.[0] ?? '';
    const explained = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
    expect(Object.fromEntries(explained)).toEqual(table);
    for (const { route, entry } of entries) {
      const name = entry[`x-${kind}`];
      if (name === null) continue;
      expect(Object.keys(table), route).toContain(name);
      expect(entry.description, route).toContain(`\`${name}\``);
    }
  });

  test('no text names an unknown scope', () => {
    for (const [, scope] of prose.matchAll(/\b([a-z_]+:(?:read|write|manage))\b/g)) {
      expect(Object.keys(SCOPES)).toContain(scope);
    }
  });

  test('every operation but the public ones accepts a key in both headers', () => {
    for (const { method, path, access } of OPERATIONS) {
      const entry = openApi.paths[path]![method.toLowerCase()]!;
      expect(entry.security).toEqual(access === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }]);
    }
  });

  test('every cost class is explained', () => {
    const classes = new Set(OPERATIONS.map(({ cost }) => cost));
    for (const name of new Set([...classes, ...LIMITED_CLASSES])) {
      expect(openApi.info.description).toContain(`\`${name}\``);
    }
  });
});

describe('headers', () => {
  /** Standard headers of HTTP need no explanation of ours. */
  const OF_HTTP = [
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Connection',
    'Content-Encoding',
    'Content-Length',
    'Content-Type',
    'Host',
    'Origin',
    'Sec-Fetch-Site',
    'Set-Cookie',
    'Transfer-Encoding',
    'X-Robots-Tag',
  ];

  const described = [
    ...Object.keys(everything.components.headers),
    ...Object.keys(openApi['x-every-answer'].headers),
    ...entriesOf(everything).flatMap(({ entry }) =>
      entry.parameters.filter((p) => p.in === 'header').map((p) => p.name),
    ),
    'X-API-Key',
  ];

  const sources = files('api/**/*.ts').filter((path) => !/^api\/(docs|admin)\//.test(path));
  const code = sources.map(read).join('\n');

  test('every header that the code reads or sets is described', () => {
    const used = [
      ...code.matchAll(/\b(?:context|response)\.(?:get|set)\('([A-Z][\w-]*)'/g),
      ...code.matchAll(/^\s*'?([A-Z][A-Za-z]*(?:-\w+)+)'?:/gm),
      ...code.matchAll(/\bheaders: \{ '?([A-Z][\w-]*)'?:/g),
    ].map(([, name]) => name!);
    expect(used.length).toBeGreaterThan(20);
    for (const name of new Set(used)) expect([...described, ...OF_HTTP]).toContain(name);
  });

  test('every described header occurs in the code', () => {
    // The package @koa/cors sets these headers.
    const own = described.filter((name) => !name.startsWith('Access-Control-'));
    for (const name of own) expect(code).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test('every header that a page of another origin may read is described', () => {
    const exposed = /EXPOSED = \[([^\]]*)\]/.exec(read('api/chain/arrival.ts'))?.[1] ?? '';
    const names = [...exposed.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !described.includes(name))).toEqual([]);
  });
});

test('every name in capitals in the documentation (a setting, a code, a value) occurs in the code', () => {
  const code = files(
    '{compose.yaml,{api,ingest,runtime,sql}/**/*.{ts,sql},docs/webhooks/*,test/{fuzz,two-engines}/*.ts}',
  )
    .map(read)
    .join('\n');
  const ofNode = ['NODE_EXTRA_CA_CERTS'];
  const ofDuckdb = ['EXTRA_HTTP_HEADERS'];
  const known = new Set([...ofNode, ...ofDuckdb, ...[...code.matchAll(CAPITALS)].map(([name]) => name)]);
  expect([...pages.matchAll(CAPITALS)].map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
});
