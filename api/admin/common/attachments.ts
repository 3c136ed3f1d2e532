import { z } from 'zod';
import { line } from './schemas.ts';

/** What is attached to a message, without its content and the id that it gets. */
export const attachmentSchema = z.strictObject({
  name: line(255),
  mediaType: z
    .string()
    .max(127, 'must not be longer than 127 characters')
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'must be a media type such as application/pdf'),
  bytes: z.int('must be a whole number').min(0, 'must not be negative'),
});

/** How many attachments a message can have. */
export const MAX_ATTACHMENTS = 20;
