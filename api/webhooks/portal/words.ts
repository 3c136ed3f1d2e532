import {
  type DeliveryState,
  type LoggedDelivery,
  type LoggedEndpoint,
  MAX_COUNT,
} from '../../../sql/org/webhooks/delivery-log.ts';
import { type Html, html } from '../../pages/html.ts';

/** The German words of the pages for states, times and numbers. */

/** The colours of a state. */
type Tone = 'good' | 'bad' | 'busy' | 'idle';

const ZONE = 'Europe/Berlin';

const MOMENT = new Intl.DateTimeFormat('de-DE', { timeZone: ZONE, dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat('de-DE', { timeZone: ZONE, timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat('de-DE', { numeric: 'always' });
const NUMBER = new Intl.NumberFormat('de-DE');
const SECONDS = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A moment in Germany, such as „15.03.2026, 04:30:00“. @param at RFC 3339 */
export const moment = (at: string): Html => html`<time datetime="${at}">${MOMENT.format(new Date(at))}</time>`;

/** @param at Unix milliseconds */
export const clock = (at: number): string => CLOCK.format(at);

/** A moment in Germany with its distance from now, such as „15.03.2026, 04:30:00 (vor 2 Stunden)“. */
export const momentFrom = (at: string, now: number): Html =>
  html`${moment(at)} <span class="faint">(${distance(at, now)})</span>`;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The distance of a moment from now, such as „vor 2 Stunden“ and „in 5 Minuten“. */
export function distance(at: string, now: number): string {
  const milliseconds = Date.parse(at) - now;
  const found = UNITS.find(([, length]) => Math.abs(milliseconds) >= length);
  if (found === undefined) return 'jetzt';
  const [unit, length] = found;
  return RELATIVE.format(Math.trunc(milliseconds / length), unit);
}

export const duration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${SECONDS.format(milliseconds / 1_000)} s`;

export const number = (value: number): string => NUMBER.format(value);

/** A count that ends at MAX_COUNT. */
export const boundedCount = (value: number): string =>
  value > MAX_COUNT ? `mehr als ${number(MAX_COUNT)}` : number(value);

/** The states as filters name them. */
export const STATES: Readonly<Record<DeliveryState, string>> = {
  PENDING: 'Ausstehend',
  DELIVERED: 'Angekommen',
  FAILED: 'Fehlgeschlagen',
  SKIPPED: 'Ausgelassen',
};

const pill = (tone: Tone, text: string): Html => html`<span class="pill ${tone}">${text}</span>`;

/** The state of a delivery, as far as it matters to a reader. */
export function statePill({ state, endpointDisabled, underWay, attempts }: LoggedDelivery): Html {
  if (state === 'DELIVERED') return pill('good', STATES.DELIVERED);
  if (state === 'FAILED') return pill('bad', STATES.FAILED);
  if (state === 'SKIPPED') return pill('idle', STATES.SKIPPED);
  if (underWay) return pill('busy', 'Wird gesendet');
  if (endpointDisabled) return pill('idle', 'Ruht');
  return pill('busy', attempts === 0 ? 'Wartet' : 'Wird wiederholt');
}

export function endpointPill({ disabled, failingSince }: LoggedEndpoint): Html {
  if (disabled) return pill('idle', 'Abgeschaltet');
  return failingSince === null ? pill('good', 'Aktiv') : pill('bad', 'Gestört');
}

/** The outcome of one attempt: its status, or that there was none. */
export function attemptPill(status: number | null): Html {
  if (status === null) return pill('bad', 'Keine Antwort');
  return pill(status >= 200 && status < 300 ? 'good' : 'bad', `HTTP ${status}`);
}

/** The reasons why an endpoint is disabled, in German. */
export const DISABLED_REASONS: Readonly<Record<NonNullable<LoggedEndpoint['disabledReason']>, string>> = {
  MANUAL: 'von Hand abgeschaltet',
  GONE: 'vom Dienst abgeschaltet: der Empfänger hat mit 410 (Gone) geantwortet',
  FAILING: 'vom Dienst abgeschaltet: seit fünf Tagen ist kein Versuch mehr gelungen',
};

/** The subject of a message: the alert that has fired, or else the type of the event. */
export const subject = ({ alertName, type }: LoggedDelivery): string => alertName ?? type;

/** The name of an endpoint: its description, or else its address. */
export const endpointName = ({ url, description }: Pick<LoggedEndpoint, 'url' | 'description'>): Html =>
  description === '' ? html`<span class="address">${shortAddress(url)}</span>` : html`${description}`;

/** An address without `https://`, with which all of them begin. */
export const shortAddress = (url: string): string => url.replace(/^https:\/\//, '');
