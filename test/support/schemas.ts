import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema, OpenApiDocument } from '../../api/docs/openapi/shape.ts';

/**
 * Validators of the schemas in an OpenAPI document, by JSON Schema 2020-12 with its formats, and strictly: a keyword
 * that nobody knows is an error.
 */
export function validators(document: OpenApiDocument): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(alone(schema), name);
  const compiled = new WeakMap<JsonSchema, ValidateFunction>();
  return (schema) => {
    const validator = compiled.get(schema) ?? ajv.compile(alone(schema));
    compiled.set(schema, validator);
    return validator;
  };
}

/** The schema with the shared ones referred to by name, as it is compiled outside the document. */
const alone = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"'));
