import { z } from 'zod';
import { MEANINGS } from './parameters.ts';

interface Converted {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** For z.toJSONSchema: removes what is redundant, and replaces the text of a parameter by its meaning. */
export function readable({ zodSchema, jsonSchema }: Converted): void {
  const meaning = MEANINGS.get(zodSchema);
  if (meaning !== undefined) {
    for (const keyword of Object.keys(jsonSchema)) if (keyword !== 'description') delete jsonSchema[keyword];
    Object.assign(jsonSchema, meaning);
  }
  if (zodSchema._zod.def.type === 'default')
    jsonSchema.default = zodSchema._zod.def.defaultValue as z.core.JSONSchema.BaseSchema['default'];
  // The format implies the pattern.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // This is the range of JavaScript, not of the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** The JSON Schema of what a schema takes, with the meanings of its parameters, to be part of a larger one. */
export function readableInputSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', override: readable });
  return rest as z.core.JSONSchema.BaseSchema;
}
