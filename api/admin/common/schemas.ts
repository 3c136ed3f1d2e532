import { z } from 'zod';
import { option } from '../../../runtime/command-line/parameter.ts';
import { SIGNALS } from '../../../sql/catalogue/signals.ts';
import { isUuid } from '../../../sql/org/organisations.ts';
import { ALERT_TEMPLATES, MODULES, ROLES, SCOPES } from '../../../sql/org/rights.ts';
import { listParameter } from '../../wire/parameters.ts';
import { berlinMidnight, nextDay } from '../../wire/time.ts';

/** Schemas of values on the command line and in documents. Messages complete "--name …". */

/** An id that another system assigned. */
export const externalId = () =>
  z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N}._:@+-]{0,99}$/u,
      'must be 1 to 100 letters, digits and . _ : @ + -, with a letter or a digit first',
    );

/** The external id of an organisation. It must not look like a UUID, since commands accept both. */
export const organisationId = () =>
  externalId().refine((id) => !isUuid(id), 'must not look like a UUID: those are given by the service');

export const count = (most = 1_000_000_000_000) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number such as 100000')
    .transform(Number)
    .refine((number) => number <= most, `must not be above ${most}`);

/** Limits a list to its newest entries. @param most where nothing is said */
export const limitOption = (what: string, most: number) =>
  option('<n>', `${what} (default: ${most})`, count(10_000).optional().default(most));

/** A comma-separated list of these names, or `all`; the output has the order of their definition. */
export const namesOf = (known: readonly string[]) =>
  z
    .string()
    .transform((text) => (text === 'all' ? known.join(',') : text))
    .pipe(listParameter({ closed: known }))
    .transform((names): readonly string[] => known.filter((name) => names.includes(name)));

/** The same list as several arguments. */
export const argumentsOf = (known: readonly string[]) =>
  z
    .array(z.string())
    .min(1)
    .transform((texts) => texts.join(','))
    .pipe(namesOf(known));

/** The names that can be granted to an organisation, by the member that holds them. */
export const GRANTS = {
  modules: Object.keys(MODULES),
  signals: Object.keys(SIGNALS),
  alertTemplates: Object.keys(ALERT_TEMPLATES),
} as const;

export const SCOPE_NAMES = Object.keys(SCOPES);

/** An RFC 3339 time; the output is in UTC with milliseconds. */
export const timestampOption = () =>
  z.iso
    .datetime({ offset: true, error: 'must be a time such as 2027-01-31T18:00:00Z' })
    .transform((text) => new Date(text).toISOString())
    .refine((text) => /^(19[7-9]|[2-9][0-9]{2})[0-9]-/.test(text), 'must lie between 1970 and 9999');

/** The end of something: a time, or a calendar day, which includes that day in Germany. The output is RFC 3339 in UTC. */
export const deadline = () =>
  z
    .string()
    .transform((text) => (z.iso.date().safeParse(text).success ? berlinMidnight(nextDay(text)) : text))
    .pipe(
      z.iso.datetime({
        offset: true,
        error: 'must be a day that exists, such as 2027-01-31, or a time, such as 2027-01-31T18:00:00Z',
      }),
    )
    .pipe(timestampOption());

/** A deadline, or `none`: null. */
export const deadlineOrNone = () =>
  z
    .string()
    .transform((text) => (text === 'none' ? null : text))
    .pipe(deadline().nullable());

export const role = () => z.enum(ROLES, `must be one of ${ROLES.join(', ')}`);

/** An id of this service, in lower case as the store writes it. */
export const uuid = () => z.uuid('must be a UUID').toLowerCase();

/** Any text that the store can hold. */
export const storable = () =>
  z
    .string()
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be Unicode, without the character NUL');
