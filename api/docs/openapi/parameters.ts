import { queryOf } from '../../operation/inputs.ts';
import type { Operation } from '../../operation/operation.ts';
import { splitList } from '../../wire/parameters.ts';
import type { Example, Examples } from './examples.ts';
import { memberSchemas } from './schemas.ts';
import type { JsonSchema, ParameterEntry } from './shape.ts';

/** Everything that a caller may send except the body: in the path, in the query, in headers. */
export const parametersOf = (operation: Operation, examples: Examples = {}): ParameterEntry[] => [
  ...inPath(operation, examples),
  ...inQuery(operation, examples),
  ...REQUEST_HEADERS.filter(({ of }) => of(operation)).map(({ of, ...entry }) => ({
    ...entry,
    ...shownExamples(examples, ({ request }) => request.headers?.[entry.name], entry.schema),
  })),
];

function inPath({ pathParameters, example }: Operation, examples: Examples): ParameterEntry[] {
  return memberSchemas(pathParameters).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'path',
    description,
    required: true,
    schema,
    ...shownExamples(examples, ({ request }) => request.path?.[name], schema, example?.path?.[name]),
  }));
}

function inQuery(operation: Operation, examples: Examples): ParameterEntry[] {
  const texts = new URLSearchParams(operation.example?.query);
  return memberSchemas(queryOf(operation)).map(([name, { description = '', ...schema }, required]) => ({
    name,
    in: 'query',
    description,
    required,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    ...shownExamples(
      examples,
      ({ request }) => new URLSearchParams(request.query).get(name) ?? undefined,
      schema,
      texts.get(name) ?? undefined,
    ),
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

/**
 * The values that the recorded examples have, by the name of the example.
 * @param other shown where no recorded example has one
 */
function shownExamples(
  examples: Examples,
  textIn: (example: Example) => string | undefined,
  schema: JsonSchema,
  other?: string,
): Pick<ParameterEntry, 'example' | 'examples'> {
  const found = Object.entries(examples).flatMap(([name, example]) => {
    const text = textIn(example);
    // A problem is what such a value leads to.
    if (text === undefined || example.answer.status >= 400) return [];
    return [[name, { summary: example.title, value: exampleValue(text, schema) }] as const];
  });
  if (found.length > 0) return { examples: Object.fromEntries(found) };
  return other === undefined ? {} : { example: exampleValue(other, schema) };
}

/** Converts the text of an example to a value of the schema. */
function exampleValue(text: string, { type }: JsonSchema): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'array':
      return splitList(text);
    default:
      return text;
  }
}
