import { z } from 'zod';
import { line, storable } from '../common/schemas.ts';

/** What a thread and its messages may hold, as the interface has it. */

export const subject = () => line(200);

export const messageText = () =>
  storable().min(1, 'must not be empty').max(5000, 'must not be longer than 5000 characters');

/** What is attached to a message, without its content. */
export const attachmentSchema = z.strictObject({
  name: line(255),
  mediaType: z
    .string()
    .max(127, 'must not be longer than 127 characters')
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'must be a media type such as application/pdf'),
  bytes: z.int('must be a whole number').min(0, 'must not be negative'),
});
