/** Calendar days are German local days: they begin at midnight in Europe/Berlin. */

const OFFSET = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' });

/** Returns the first moment of a day in Berlin, RFC 3339 in UTC. The clocks change at one o'clock UTC, never at midnight. */
export function berlinMidnight(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const name = OFFSET.formatToParts(midnight).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const hours = Number(/GMT([+-]\d{2})/.exec(name)?.[1] ?? 0);
  return new Date(midnight - hours * 3_600_000).toISOString();
}

/** Returns the next day, YYYY-MM-DD; after the last day that can be written so, +010000-01-01. */
export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().replace(/T.*$/, '');
