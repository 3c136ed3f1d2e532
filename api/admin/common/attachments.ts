import { z } from 'zod';
import { line } from '../../wire/line.ts';

/** An attachment as a document gives it; its content is not kept, and its id is given by the service. */
export const attachmentSchema = z.strictObject({
  name: line(255),
  mediaType: z
    .string()
    .max(127, 'must not be longer than 127 characters')
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'must be a media type such as application/pdf'),
  bytes: z.int('must be a whole number').min(0, 'must not be negative'),
});

/** The most attachments of one message. */
export const MAX_ATTACHMENTS = 20;
