import cors from '@koa/cors';
import type { Service } from '../operation/service.ts';
import type { Middleware } from './context.ts';

/** Headers that a page of another origin may read, and send. */
const EXPOSED = [
  'Link',
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
];
const SENT = ['Authorization', 'X-API-Key', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'];

/** Lets pages of the configured origins call the service; off unless CORS_ORIGINS names some. Keys come in headers, never in cookies. */
export function crossOrigin({ settings }: Service): Middleware {
  const { CORS_ORIGINS: origins } = settings;
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
  }) as Middleware;
}
