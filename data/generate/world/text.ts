/** Value formats of the register: days, times, decimals, text. Days are whole numbers since 1970-01-01. */
import { bits, roll } from './random.ts';

/** "No day" in the number fields of a state. */
export const NONE = -10_000_000;

/** Three digits with leading zeros, 000 to 999. */
export const THREE: readonly string[] = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));
const TWO: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

const dayTexts = new Map<number, string>();

/** Day as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  let text = dayTexts.get(day);
  if (text === undefined) {
    text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    dayTexts.set(day, text);
  }
  return text;
}

/** Day number of a `YYYY-MM-DD`; undefined when it is no real day. */
export function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return undefined;
  return time / 86_400_000;
}

/** Day number of a calendar date; for constants. */
export function date(year: number, month = 1, day = 1): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/** Time of day on the given day, UTC, up to 7 fraction digits, trailing zeros dropped. */
export function timeText(day: number, base: number): string {
  const a = bits(base, day);
  const b = bits(base, day + 1_000_003);
  // Registrations follow the day: few at night.
  const hour = 4 + Math.floor((((a & 0xff) / 256 + ((a >>> 8) & 0xff) / 256) / 2) * 18);
  const clock = `${dayText(day)}T${TWO[hour]}:${TWO[(a >>> 16) % 60]}:${TWO[(a >>> 22) % 60]}`;
  const form = b % 100;
  if (form < 6) return clock;
  const digits = `${THREE[(b >>> 3) % 1000]}${THREE[(b >>> 13) % 1000]}${form < 70 ? (b >>> 23) % 10 : ''}`;
  return `${clock}.${trimZeros(digits)}`.replace(/\.$/, '');
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** Decimal with 3 places (kW, kWh, m, percent, ha). */
export function decimal(value: number): string {
  const thousandths = Math.round(value * 1000);
  return `${Math.floor(thousandths / 1000)}.${THREE[thousandths % 1000]}`;
}

/** Coordinate with 6 places. */
export function degrees(value: number): string {
  const millionths = Math.round(value * 1_000_000);
  const rest = millionths % 1_000_000;
  return `${Math.floor(millionths / 1_000_000)}.${THREE[Math.floor(rest / 1000)]}${THREE[rest % 1000]}`;
}

/** Escapes text for an element. */
export function escapeText(text: string): string {
  return /[&<>"']/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&apos;')
    : text;
}

/** Element with a value; nothing when the value is empty. */
export function element(name: string, value: string): string {
  return value === '' ? '' : `<${name}>${value}</${name}>`;
}

/** Element with a day; nothing for NONE. */
export function dayElement(name: string, day: number): string {
  return day === NONE ? '' : `<${name}>${dayText(day)}</${name}>`;
}

/** Boolean element, 1 with the given probability. */
export function flag(name: string, base: number, draw: number, share: number): string {
  return `<${name}>${roll(base, draw) < share ? 1 : 0}</${name}>`;
}

/** Digits of a number drawn from the base, with leading zeros. */
export function digits(base: number, draw: number, count: number): string {
  let text = '';
  for (let i = 0; text.length < count; i++) text += THREE[bits(base, draw + i) % 1000];
  return text.slice(0, count);
}
