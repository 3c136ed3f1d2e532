import { z } from 'zod';
import { fault, requirement } from '../wire/parameters.ts';
import { faultOf } from './delivery/address.ts';

/** Addresses that deliveries are sent to. What an address leads to is looked at when a call is valid: callable.ts. */

const MAX_LENGTH = 2_000;

const FORM = 'must be a web address such as https://hooks.example.org/mastr';

/** Blanks and control characters, which URL would leave out in silence. */
const BLANK = /[\s\p{Cc}]/u;

/** An address as URL.href writes it, so that each has one spelling. */
export const endpointUrl = z
  .string({ error: requirement(FORM) })
  .transform((sent, context): string => {
    const refuse = (code: 'INVALID_PARAMETER' | 'UNPROCESSABLE', message: string) => {
      context.issues.push(fault(code, message));
      return z.NEVER;
    };
    const tooLong = `must have at most ${MAX_LENGTH} characters`;
    if (sent.length > MAX_LENGTH) return refuse('INVALID_PARAMETER', tooLong);
    const url = BLANK.test(sent) ? null : URL.parse(sent);
    if (url === null) return refuse('INVALID_PARAMETER', FORM);
    if (url.href.length > MAX_LENGTH) return refuse('INVALID_PARAMETER', tooLong);
    const ofForm = faultOf(url);
    return ofForm === null ? url.href : refuse('UNPROCESSABLE', ofForm);
  })
  .meta({ type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]:', maxLength: MAX_LENGTH });
