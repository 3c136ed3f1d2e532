import cors from '@koa/cors';
import type { FrameMiddleware } from './context.ts';
import type { FrameStep } from './step.ts';

/** Headers that a page of another origin may read. */
const EXPOSED = [
  'Link',
  'Quelle',
  'Meta',
  'Accept-Ranges',
  'Content-Range',
  'Deprecation',
  'Sunset',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'ETag',
  'Allow',
  'WWW-Authenticate',
  'Server-Timing',
];

/** Headers that it may send. */
const SENT = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'If-Range',
  'X-Request-Id',
  'traceparent',
];

/**
 * Lets pages of the configured origins call the service; CORS_ORIGINS names none unless it is set. Keys come in headers,
 * never in cookies.
 */
export const crossOrigin: FrameStep = {
  name: 'cross-origin',
  problems: [],
  open({ settings: { CORS_ORIGINS: origins } }) {
    if (origins.length === 0) return (_, next) => next();
    return cors({
      origin: (context) => {
        const origin = context.get('Origin');
        return origins.includes('*') ? '*' : origins.includes(origin) ? origin : '';
      },
      allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowHeaders: SENT,
      exposeHeaders: EXPOSED,
      maxAge: 600,
    }) as FrameMiddleware;
  },
};
