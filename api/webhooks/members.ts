import { z } from 'zod';
import { EVENT_TYPES } from '../../sql/org/alerts/events.ts';
import { isSecret, SECRET_PATTERN } from '../../sql/org/webhooks/secrets.ts';
import { bodyText, fault, listValues } from '../wire/parameters.ts';

/** Members of the bodies that create and change endpoints. Their messages never repeat a secret. */

const MAX_DESCRIPTION = 500;

export const description = bodyText(MAX_DESCRIPTION);

/** Some types of events; each is kept once, in the order of the list of types. */
export const eventTypes = z
  .array(z.unknown(), 'must be an array of texts')
  .transform((sent, context): readonly string[] => {
    if (sent.length > 0) return listValues(sent, { closed: EVENT_TYPES, unknown: 'UNPROCESSABLE' }, context);
    const all = `leave it out when an endpoint is created, or name ${EVENT_TYPES.join(', ')}`;
    context.issues.push(fault('INVALID_PARAMETER', `must not be empty: for all types, ${all}`));
    return z.NEVER;
  })
  .meta({ type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] }, minItems: 1 });

/** The form of the events that an endpoint gets. */
export const schemaVersion = z.union([z.literal(1), z.literal(2)], 'must be 1 or 2');

/** A secret that the caller has made. */
export const secret = z
  .string('must be a text')
  .refine(isSecret, 'must be whsec_ followed by 24 to 64 random bytes in base64, with its padding')
  .meta({ pattern: SECRET_PATTERN, minLength: 38, maxLength: 94 });
