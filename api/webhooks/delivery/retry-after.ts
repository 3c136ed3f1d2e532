/** A date as RFC 9110 writes it today, or in one of its two older forms. */
const HTTP_DATE = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]*,? .+$/;

/**
 * Reads the header Retry-After: seconds, or a moment.
 * @returns the pause in milliseconds, 0 for a moment that is over; null when the header is missing or says neither
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return null;
  // The form of asctime leaves the zone out; it is GMT as well.
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now.getTime());
}
