import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument } from '../../api/docs/openapi/shape.ts';
import { anyCharacter } from '../support/characters.ts';
import { ALLOWED_HOST } from '../support/webhooks.ts';

/** Values for requests: those that a schema allows, and those that nobody expects. */

/** Values that the schema allows. @throws Error for a keyword that it does not know, so that none is passed over */
export function valid(schema: JsonSchema, document: OpenApiDocument): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valid(document.components.schemas[schema.$ref.split('/').at(-1)!]!, document);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valid(one as JsonSchema, document)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type }, document)));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.integer({ min: -1_000_000, max: 1_000_000_000 }).map((thousandths) => thousandths / 1000);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valid(schema.items as JsonSchema, document), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 6, 6),
      });
    case 'object':
      return object(schema, document);
    default:
      throw new Error(`The fuzzer cannot make values of ${JSON.stringify(schema)}`);
  }
}

function text({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') return days.map((day) => day.slice(0, 10));
  if (format === 'date-time') return days;
  // The service would ask name servers for any other host.
  if (format === 'uri') return fc.webPath().map((path) => `https://${ALLOWED_HOST}${path}`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength });
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' }),
    fc.constantFrom(...LIVING.filter((word) => word.length >= minLength && word.length <= maxLength)),
  );
}

const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((day) => day.toISOString());

/** Words that the small register knows, so that a question also finds something. */
const LIVING = ['Bayern', 'Niedersachsen', 'In Betrieb', 'In Planung', 'Aurich', '26506', 'bruttoleistungKw:desc'];

function object({ properties = {}, required = [], additionalProperties }: JsonSchema, document: OpenApiDocument) {
  const named = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, valid(schema as JsonSchema, document)]),
    ),
    { requiredKeys: required },
  );
  if (typeof additionalProperties !== 'object') return named;
  return fc.dictionary(fc.stringMatching(/^\w{1,20}$/), valid(additionalProperties, document), { maxKeys: 4 });
}

/** Texts that have broken one service or another. */
export const strangeText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '0x10',
    '1.',
    '٣',
    '99999999999999999999',
    'NaN',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'constructor',
    'true,false',
    ',',
    '"',
    '""',
    '"a"b',
    "' OR 1=1 --",
    "'; DROP TABLE x; --",
    '1 UNION SELECT 1',
    '$1',
    '{{7*7}}',
    '%',
    '_',
    '\\',
    '..',
    '../../x',
    '\u0000',
    'a\u0000b',
    '\r\nX-Injected: yes',
    '\u202e\u2066',
    'ẞ̈😀',
    '\ud800',
    '\ufeff',
    '<script>alert(1)</script>',
    '2026-02-30',
    '0000-00-00',
    '2026-11-01T00:00:00',
    '+275760-09-13',
    'SEE90000000000１',
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.integer({ min: 1000, max: 12_000 }).map((length) => 'x'.repeat(length)),
);

/** Numbers of more digits than most things hold. */
export const digits: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('999999999999999.999', '-999999999999999.999', '999999999999999999', '1e15', '1e400', '-0', '0.000'),
  fc
    .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9][0-9]{0,20}$/), fc.stringMatching(/^(\.[0-9]{1,20})?$/))
    .map((parts) => parts.join('')),
);

/** JSON that fits no schema in particular. */
export const strangeJson: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, 0, -0, 1.5, 1e308, [], {}, [null], [[]], [{}]),
  fc.constantFrom({ constructor: 1 }, { toString: null }, { length: 3 }),
);
