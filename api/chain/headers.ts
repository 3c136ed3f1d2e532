import type { Settings } from '../../runtime/settings.ts';
import type { FrameStep } from './step.ts';

/** Sets the headers of every answer: what a browser must not do with it, and whether the connection ends. */
export const headers: FrameStep = {
  name: 'headers',
  problems: [],
  open: (service) => async (context, next) => {
    // An operation that serves pages sets a policy of its own.
    context.set(commonHeaders(service.settings));
    await next();
    if (service.stopping) context.set('Connection', 'close');
  },
};

export const commonHeaders = ({ BASE_URL }: Pick<Settings, 'BASE_URL'>): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  ...(BASE_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});
