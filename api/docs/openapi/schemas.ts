import { z } from 'zod';
import { MEANINGS } from '../../wire/parameters.ts';
import type { JsonSchema } from './shape.ts';

/** JSON Schema of what an operation takes and gives, derived from the schemas that check it. */

/** Schemas with an id of their own, met so far: they stand once in the document, and are referred to. */
export type SchemaCollection = Record<string, JsonSchema>;

/**
 * The schema of a body (`input`) or an answer (`output`). What has an id goes to the collection.
 * @throws Error when two different schemas have one id
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', collection: SchemaCollection): JsonSchema {
  const { $schema, $defs = {}, ...root } = withComponentReferences(z.toJSONSchema(schema, { io, override: readable }));
  for (const [id, definition] of Object.entries($defs)) {
    const present = collection[id];
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(definition)) {
      throw new Error(`Two different schemas have the id ${id}; a shared schema must be one value`);
    }
    collection[id] = definition as JsonSchema;
  }
  return root;
}

/** The members of an object that is sent to us, and which of them are required; the parameters of a query are such an object. */
export function memberSchemas(object: z.ZodObject): [name: string, schema: JsonSchema, required: boolean][] {
  const { properties = {}, required = [] } = schemaOf(object, 'input', {});
  return Object.entries(properties).map(([name, schema]) => [name, schema as JsonSchema, required.includes(name)]);
}

/** Shared schemas stand under components: OpenAPI has no `$defs` of its own. */
const withComponentReferences = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));

interface Converted {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: JsonSchema;
}

/** Leaves out what only repeats itself, and says what the text of a parameter means. */
function readable({ zodSchema, jsonSchema }: Converted): void {
  const meaning = MEANINGS.get(zodSchema);
  if (meaning !== undefined) {
    for (const keyword of Object.keys(jsonSchema)) if (keyword !== 'description') delete jsonSchema[keyword];
    Object.assign(jsonSchema, meaning);
  }
  if (zodSchema._zod.def.type === 'default')
    jsonSchema.default = zodSchema._zod.def.defaultValue as JsonSchema['default'];
  // The format says all of it.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // JavaScript's range, not the field's.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
