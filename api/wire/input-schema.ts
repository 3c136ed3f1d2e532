import { z } from 'zod';

/** The JSON schema of what a schema takes, to be part of a larger one. */
export function inputSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
