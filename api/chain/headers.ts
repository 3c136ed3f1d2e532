import type { Settings } from '../../runtime/settings.ts';
import type { Service } from '../operation/service.ts';
import type { Middleware } from './context.ts';

/** Headers of every answer: what a browser must not do with it, and whether the connection ends. */
export const headers =
  (service: Service): Middleware =>
  async (context, next) => {
    // An operation that serves pages sets a policy of its own.
    context.set(ofEveryAnswer(service.settings));
    await next();
    if (service.stopping) context.set('Connection', 'close');
  };

export const ofEveryAnswer = ({ BASE_URL }: Pick<Settings, 'BASE_URL'>): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  ...(BASE_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});
