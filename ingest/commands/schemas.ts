import { z } from 'zod';
import { isCalendarDay } from '../archive/day.ts';

/** The values of arguments and options. Messages complete "--day …". */

export const calendarDayOption = z
  .string()
  .refine(isCalendarDay, { error: ({ input }) => `${input} is no calendar day YYYY-MM-DD` });

export const wholeNumberOption = z
  .string()
  .regex(/^[1-9][0-9]*$/, { error: ({ input }) => `${input} is no whole number above 0` })
  .transform(Number);

export const webAddress = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: ({ input }) => `${input} is no http or https address`,
});

export const pointInTime = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), {
    error: ({ input }) => `${input} is no time such as 2026-11-01T03:30:00Z`,
  })
  .transform((text) => new Date(text).toISOString());
