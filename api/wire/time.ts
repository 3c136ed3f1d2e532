/** Calendar days are German local days: they begin at midnight in Europe/Berlin. */

const OFFSET = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' });

/** Returns the first moment of a day in Berlin, RFC 3339 in UTC. The clocks change at one o'clock UTC, never at midnight. */
export function berlinMidnight(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const name = OFFSET.formatToParts(midnight).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const hours = Number(/GMT([+-]\d{2})/.exec(name)?.[1] ?? 0);
  return new Date(midnight - hours * 3_600_000).toISOString();
}

/** Returns true for a moment as the field of a form has it: day and time, without a zone. */
export const isLocalMoment = (text: string): boolean =>
  /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`));

const LOCAL = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });

/**
 * Returns the moment of a local time in Berlin, RFC 3339 in UTC. Of the two in the hour when the clocks go back it is the first, and
 * one that the clocks leave out is as long after midnight as if they did not.
 * @param local see isLocalMoment
 */
export function berlinMoment(local: string): string {
  const wall = Date.parse(`${local}Z`);
  const summer = wall - 2 * 3_600_000;
  const winter = wall - 3_600_000;
  const isSummer = LOCAL.format(summer) === new Date(wall).toISOString().slice(0, 19).replace('T', ' ');
  return new Date(isSummer ? summer : winter).toISOString();
}

/** Returns a moment as such a field has it, to the minute. @param at Unix milliseconds */
export const berlinTime = (at: number): string => LOCAL.format(at).slice(0, 16).replace(' ', 'T');

/** Returns the next day, YYYY-MM-DD; after the last day that can be written so, +010000-01-01. */
export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().replace(/T.*$/, '');
