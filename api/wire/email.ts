import { z } from 'zod';

/** A part of an address, between two dots before the @. Umlauts may stand on both sides of it (RFC 6531). */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";

/** Addresses with quotes or of a number are none: nobody has one in a directory. */
const EMAIL = new RegExp(
  `^${ATOM}(?:\\.${ATOM})*@(?:[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}-]*\\.)+(?:\\p{L}[\\p{L}\\p{M}]+|xn--[a-z0-9-]+)$`,
  'iu',
);

export const email = () =>
  z.email({ pattern: EMAIL, error: 'must be an e-mail address' }).max(254, 'must not be longer than 254 characters');
