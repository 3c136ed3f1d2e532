import { queryOf } from '../../operation/inputs.ts';
import type { Operation } from '../../operation/operation.ts';
import { splitList } from '../../wire/list.ts';
import { memberSchemas } from './schemas.ts';
import type { JsonSchema, ParameterEntry } from './shape.ts';

/** Everything that a caller may send except the body: in the path, in the query, in headers. */
export const parametersOf = (operation: Operation): ParameterEntry[] => [
  ...inPath(operation),
  ...inQuery(operation),
  ...REQUEST_HEADERS.filter(({ of }) => of(operation)).map(({ of, ...entry }) => entry),
];

function inPath({ pathParameters, example }: Operation): ParameterEntry[] {
  return memberSchemas(pathParameters).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'path',
    description,
    required: true,
    schema,
    ...exampleOf(example?.path?.[name], schema),
  }));
}

function inQuery(operation: Operation): ParameterEntry[] {
  const texts = new URLSearchParams(operation.example?.query);
  return memberSchemas(queryOf(operation)).map(([name, { description = '', ...schema }, required]) => ({
    name,
    in: 'query',
    description,
    required,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...exampleOf(texts.get(name) ?? undefined, schema),
  }));
}

/** Headers that a request may have in addition to its key. */
const REQUEST_HEADERS: readonly (ParameterEntry & { of(operation: Operation): boolean })[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Names this write, bare or in double quotes, so that it can be repeated safely: within 24 hours the same request ' +
      'with the same key gets the answer of the first, and nothing is written again.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    of: ({ replayable }) => replayable === true,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the caller has; 304 when one of them still holds.',
    required: false,
    schema: { type: 'string' },
    of: ({ source }) => source !== 'service',
  },
  {
    name: 'Range',
    in: 'header',
    description: 'The bytes to send, such as `bytes=0-1023`; up to 16 ranges.',
    required: false,
    schema: { type: 'string' },
    of: ({ source }) => source === 'file',
  },
  {
    name: 'If-Range',
    in: 'header',
    description: 'The entity tag of the file that was begun; where it is another one now, the whole file comes.',
    required: false,
    schema: { type: 'string' },
    of: ({ source }) => source === 'file',
  },
];

/** Converts the text of an example to a value of the schema. */
function exampleOf(text: string | undefined, { type }: JsonSchema): { example?: unknown } {
  if (text === undefined) return {};
  switch (type) {
    case 'integer':
    case 'number':
      return { example: Number(text) };
    case 'boolean':
      return { example: text === 'true' };
    case 'array':
      return { example: splitList(text) };
    default:
      return { example: text };
  }
}
