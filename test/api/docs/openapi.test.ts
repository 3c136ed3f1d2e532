import { describe, expect, test } from 'vitest';
import { readQuery } from '../../../api/chain/question.ts';
import { openApiDocument } from '../../../api/docs/openapi/document.ts';
import { type ExampleRequest, examplesOf } from '../../../api/docs/openapi/examples.ts';
import { proseOf } from '../../../api/docs/openapi/prose.ts';
import type { JsonSchema, OperationEntry, ParameterEntry } from '../../../api/docs/openapi/shape.ts';
import { bodyOf, queryOf } from '../../../api/operation/inputs.ts';
import type { Operation } from '../../../api/operation/operation.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { faultsOfRequest } from '../../../api/problem/problem.ts';
import { XLSX } from '../../../api/representation/xlsx.ts';
import { signatureHeaders } from '../../../api/webhooks/delivery/signature.ts';
import { separatorOf } from '../../../api/wire/parameters.ts';
import { EVENT_TYPES } from '../../../sql/org/alerts/events.ts';
import { makeSecret } from '../../../sql/org/webhooks/secrets.ts';
import { validators } from '../../support/schemas.ts';

/** The OpenAPI document is readable by tools and complete, and its examples are valid. */

const BASE = 'https://energy.example/api';
const openApi = openApiDocument(OPERATIONS, BASE);
const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, entry })),
);

const validator = validators(openApi);

function faultsOf(schema: JsonSchema, value: unknown): unknown[] {
  const validate = validator(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Yields every value in the document with its JSON Pointer. */
function* placesOf(value: unknown, pointer = ''): Generator<[pointer: string, value: JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  yield [pointer, value as JsonSchema];
  for (const [name, inner] of Object.entries(value)) {
    yield* placesOf(inner, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  }
}

const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], openApi);

/** Collects every schema: those under `schema`, and the shared ones. */
const schemas: [place: string, schema: JsonSchema][] = [
  ...[...placesOf(openApi)].filter(([pointer]) => pointer.endsWith('/schema')),
  ...Object.entries(openApi.components.schemas),
];

const entries = (entry: OperationEntry) => Object.entries(entry.responses);

/** The values that a parameter or a body shows as examples. */
const shownIn = ({ example, examples = {} }: Pick<ParameterEntry, 'example' | 'examples'>): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** Parses a request with the schemas of its operation. @throws Error for one that it refuses */
function mustBeAccepted(operation: Operation, { query, path = {}, body }: ExampleRequest): void {
  const faults = faultsOfRequest();
  const { shape } = queryOf(operation);
  const separators = new Map(Object.keys(shape).map((name) => [name, separatorOf(shape[name]) ?? ',']));
  const { texts } = readQuery(new URLSearchParams(query), new Set(), separators, faults);
  faults.throwAny();
  queryOf(operation).parse(texts);
  operation.pathParameters.parse(path);
  if (body !== undefined) bodyOf(operation)?.parse(body);
}

describe('the document', () => {
  test('is OpenAPI 3.1 and has the public address', () => {
    expect(openApi.openapi).toMatch(/^3\.1\.\d+$/);
    expect(openApi.servers).toEqual([{ url: BASE }]);
    expect(Object.keys(openApi)).toEqual(
      expect.arrayContaining(['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components']),
    );
    const foreign = Object.keys(openApi).filter(
      (name) => !['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'].includes(name),
    );
    expect(foreign.every((name) => name.startsWith('x-'))).toBe(true);
  });

  test('depends only on the operations and the address', () => {
    expect(JSON.stringify(openApiDocument(OPERATIONS, BASE))).toBe(JSON.stringify(openApi));
    expect(JSON.stringify(openApi)).not.toMatch(/127\.0\.0\.1|localhost/);
  });

  test('describes what is sent to endpoints: each type of message, with an example and the headers that sign it', () => {
    expect(Object.keys(openApi.webhooks)).toEqual([...EVENT_TYPES, 'ping', 'alert.test']);
    const secrets = [makeSecret(), makeSecret()];
    for (const [type, { post }] of Object.entries(openApi.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']!;
      expect(example, type).toMatchObject({ type });
      expect(faultsOf(schema, example)).toEqual([]);
      for (const some of [secrets, secrets.slice(1)]) {
        const signed = signatureHeaders({ id: 'x', body: JSON.stringify(example), secrets: some }, new Date());
        expect(post.parameters.map(({ name }) => name)).toEqual(Object.keys(signed));
        for (const { name, schema } of post.parameters) {
          expect(faultsOf(schema, signed[name as keyof typeof signed]), name).toEqual([]);
        }
      }
    }
  });

  test('says of an event when it is sent again, and when its endpoint is disabled', () => {
    const { responses } = openApi.webhooks['alert.triggered']!.post;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['2XX', '410', 'default']));
    expect(responses['2XX']?.description).toContain('15 seconds');
    expect(responses.default?.description).toMatch(
      /after 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 14 hours, 20 hours, 24 hours, .* up to 20 % .* 5 days/,
    );
    expect(responses.default?.headers).toHaveProperty('Retry-After');
  });

  test('has no dangling reference', () => {
    const references = [...placesOf(openApi)].flatMap(([, value]) => ('$ref' in value ? [String(value.$ref)] : []));
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\//);
      expect(at(reference.slice(1)), reference).toBeTypeOf('object');
    }
  });

  test('has no unused component', () => {
    const text = JSON.stringify(openApi);
    for (const kind of ['schemas', 'headers', 'examples'] as const) {
      for (const name of Object.keys(openApi.components[kind])) {
        expect(text).toContain(`"#/components/${kind}/${name}"`);
      }
    }
    const used = new Set(described.flatMap(({ entry }) => entry.security.flatMap(Object.keys)));
    expect(Object.keys(openApi.components.securitySchemes).toSorted()).toEqual([...used].toSorted());
  });

  test('names its components as OpenAPI allows', () => {
    const names = Object.values(openApi.components).flatMap((kind) => Object.keys(kind));
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
  });

  test('has valid schemas without definitions of their own', () => {
    expect(schemas.length).toBeGreaterThan(100);
    for (const [place, schema] of schemas) expect(() => validator(schema), place).not.toThrow();
    for (const [pointer, value] of placesOf(openApi)) {
      expect(value, pointer).not.toHaveProperty('$defs');
      expect(value, pointer).not.toHaveProperty('$schema');
    }
  });

  test('has no two equal shared schemas', () => {
    const texts = Object.values(openApi.components.schemas).map((schema) => JSON.stringify(schema));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('describes exactly the tags that it uses', () => {
    const used = new Set(described.flatMap(({ entry }) => entry.tags));
    expect(openApi.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  });

  test('has unique operation ids', () => {
    const ids = [
      ...described.map(({ entry }) => entry),
      ...Object.values(openApi.webhooks).map(({ post }) => post),
    ].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has no two paths that differ only in parameter names', () => {
    const shapes = Object.keys(openApi.paths).map((path) => path.replaceAll(/\{[^}]*\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

describe.each(described)('$name', ({ path, method, entry }) => {
  const operation = OPERATIONS.find(({ id }) => id === entry.operationId)!;

  test('has a summary and descriptions', () => {
    expect(entry.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(entry.description.length).toBeGreaterThan(10);
    for (const { name, description } of entry.parameters) expect(description, name).not.toBe('');
    for (const [status, { description }] of entries(entry)) expect(description, status).not.toBe('');
  });

  test('has each parameter of its path once, as required', () => {
    const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const inPath = entry.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(named);
    expect(inPath.every(({ required }) => required)).toBe(true);
    const keys = entry.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('takes as lists what it describes as lists', () => {
    const { shape } = queryOf(operation);
    const described = entry.parameters.filter(({ schema, in: place }) => place === 'query' && schema.type === 'array');
    const taken = Object.keys(shape).filter((name) => separatorOf(shape[name]));
    expect(taken).toEqual(described.map(({ name }) => name));
  });

  test('describes lists as parameters that are repeated, as generated clients write them', () => {
    for (const { schema, style, explode } of entry.parameters) {
      expect([style, explode]).toEqual(schema.type === 'array' ? ['form', true] : [undefined, undefined]);
    }
  });

  test('has valid statuses, and a body where there is one', () => {
    expect(Object.keys(entry.responses)).toContain(String(operation.status ?? 200));
    for (const [status, { content }] of entries(entry)) {
      expect(status).toMatch(/^[2345]\d\d$/);
      expect(content === undefined).toBe(['204', '304'].includes(status));
    }
  });

  test('has a request body only for methods that define one', () => {
    if (method === 'get') expect(entry).not.toHaveProperty('requestBody');
  });

  test('has an example for every required input', () => {
    for (const parameter of entry.parameters) {
      if (parameter.required) expect(shownIn(parameter), parameter.name).not.toEqual([]);
    }
    for (const content of Object.values(entry.requestBody?.content ?? {})) expect(shownIn(content)).not.toEqual([]);
  });

  test('has an example of every form of its answer, for each status', () => {
    for (const [status, { content = {} }] of entries(entry)) {
      for (const [media, { examples = {} }] of Object.entries(content)) {
        // A workbook is no text that could be shown.
        if (media === XLSX) continue;
        expect(Object.keys(examples), `${status} ${media}`).not.toEqual([]);
      }
    }
  });

  test('has examples that match their schemas and that the operation accepts', () => {
    for (const parameter of entry.parameters) {
      for (const value of shownIn(parameter)) expect(faultsOf(parameter.schema, value), parameter.name).toEqual([]);
    }
    for (const content of Object.values(entry.requestBody?.content ?? {})) {
      for (const value of shownIn(content)) expect(faultsOf(content.schema, value)).toEqual([]);
    }
    for (const { request, answer } of Object.values(examplesOf(operation.id, BASE))) {
      if (answer.status < 400) mustBeAccepted(operation, request);
    }
    if (operation.example !== undefined) mustBeAccepted(operation, operation.example);
  });

  test('has answers that match their schemas', () => {
    for (const [status, { content = {} }] of entries(entry)) {
      for (const [media, { schema, examples = {} }] of Object.entries(content)) {
        for (const [name, example] of Object.entries(examples)) {
          if ('value' in example && /json$/.test(media)) {
            expect(faultsOf(schema, example.value), `${status} ${name}`).toEqual([]);
          }
        }
      }
    }
  });

  test('says what it is for, and what bites', () => {
    const { purpose = '', pitfalls } = proseOf(operation.id);
    expect(purpose.length).toBeGreaterThan(60);
    if (operation.access !== 'public') expect(pitfalls).toMatch(/^### What bites\n\n- /);
  });

  test('has a matching example for every code', () => {
    for (const [, { content = {} }] of entries(entry)) {
      const problem = content['application/problem+json'];
      if (problem === undefined) continue;
      expect(problem.schema.properties?.code).toEqual({ enum: Object.keys(problem.examples ?? {}) });
      for (const example of Object.values(problem.examples ?? {})) {
        const value = '$ref' in example ? at(`${example.$ref.slice(1)}/value`) : example.value;
        expect(faultsOf(problem.schema, value)).toEqual([]);
      }
    }
  });
});

test('lists of fixed values, whole numbers, days and booleans are described by their meaning', () => {
  const parameter = (path: string, name: string) =>
    openApi.paths[path]?.get?.parameters.find((candidate) => candidate.name === name);
  expect(parameter('/v1/units', 'limit')?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 250, default: 100 });
  expect(parameter('/v1/units', 'leistungMinKw')?.schema).toEqual({ type: 'number' });
  expect(parameter('/v1/units', 'inbetriebnahmeVon')?.schema).toEqual({ type: 'string', format: 'date' });
  expect(parameter('/v1/units/fields', 'nurVerfuegbare')?.schema).toEqual({ type: 'boolean' });
  expect(parameter('/v1/units', 'mastrNummern')?.schema).toEqual({
    type: 'array',
    items: { type: 'string', pattern: '^[A-Z]{3}[0-9]{12}$' },
    minItems: 1,
    maxItems: 500,
  });
  expect(parameter('/v1/region/zeitreihe', 'periode')?.schema).toEqual({
    type: 'string',
    enum: ['monat', 'quartal', 'jahr'],
    default: 'monat',
  });
  const carriers = parameter('/v1/region/zeitreihe', 'energietraeger');
  expect(carriers).toMatchObject({ style: 'form', explode: true });
  expect(carriers?.schema.items).toMatchObject({ enum: expect.arrayContaining(['wind']) });
});

test('fields and filters name their unit of measure', () => {
  expect(openApi.components.schemas.Unit?.properties?.bruttoleistungKw).toMatchObject({
    description: expect.stringContaining('kW'),
  });
  const filter = openApi.paths['/v1/units']?.get?.parameters.find(({ name }) => name === 'leistungMinKw');
  expect(filter?.description).toContain('kW');
});

test('texts are English, whatever language the names are in', () => {
  const german = /\b(?:der|die|das|des|und|oder|nur|ohne|höchstens|mindestens|nicht)\b/;
  const texts = [...placesOf(openApi)]
    .filter(([pointer]) => !/\/(?:examples?|value)(?:\/|$)/.test(pointer))
    .flatMap(([pointer, { description, summary }]: [string, { description?: unknown; summary?: unknown }]) =>
      [description, summary].flatMap((text) => (typeof text === 'string' ? [[pointer, text]] : [])),
    );
  expect(texts.length).toBeGreaterThan(500);
  // Names and values are German, and stand in code.
  const prose = (text: string) => text.replaceAll(/`[^`]*`/g, '');
  expect(texts.filter(([, text]) => german.test(prose(text!)))).toEqual([]);
});
