import type { Service } from '../service.ts';
import type { Step } from './step.ts';

/** Headers of every answer: what a browser must not do with it, and whether the connection ends. */
export const headers =
  (service: Service): Step =>
  async (exchange, next) => {
    // An operation that serves pages sets a policy of its own.
    exchange.set({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    });
    if (service.settings.BASE_URL.startsWith('https:')) exchange.set('Strict-Transport-Security', 'max-age=31536000');
    await next();
    if (service.stopping) exchange.set('Connection', 'close');
  };
