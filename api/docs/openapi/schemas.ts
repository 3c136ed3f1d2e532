import { z } from 'zod';
import { readable } from '../../wire/readable-schema.ts';
import type { JsonSchema } from './shape.ts';

/** The JSON Schema of what an operation takes and returns, derived from the schemas that check it. */

/** Schemas with an id, found so far: the document has each of them once, and refers to it. */
export type SchemaCollection = Record<string, JsonSchema>;

/**
 * Makes the schema of a body (`input`) or an answer (`output`). Schemas with an id go to the collection.
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

/** Lists the members of an object that is sent to us, and says which are required; a query is such an object. */
export function memberSchemas(object: z.ZodObject): [name: string, schema: JsonSchema, required: boolean][] {
  const { properties = {}, required = [] } = schemaOf(object, 'input', {});
  return Object.entries(properties).map(([name, schema]) => [name, schema as JsonSchema, required.includes(name)]);
}

/** Refers to shared schemas under components: OpenAPI has no `$defs`. */
const withComponentReferences = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
