/** Returns true for a day YYYY-MM-DD of the calendar. Date.parse alone reads 30 February as 2 March. */
export function isCalendarDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The calendar day of a moment in Germany, where the register is. */
export const dayInGermany = (time: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(time);
