import { randomUUIDv7 } from 'node:crypto';
import cors from '@koa/cors';
import type { Settings } from '../../runtime/settings.ts';
import { Problem, violated } from '../problem/problem.ts';
import { readTraceparent } from '../wire/trace-context.ts';
import type { Context, FrameMiddleware } from './context.ts';
import type { FrameStep } from './step.ts';

/**
 * Brings the target of a request into the one form that every step reads: path and query. HTTP also lets a caller write
 * the whole address (RFC 9112, 3.2.2), as proxies do; its host does not matter here, as there is one service.
 */
export const target: FrameStep = {
  name: 'target',
  problems: [],
  open: () => async (context, next) => {
    context.url = pathAndQuery(context.originalUrl) ?? '/';
    await next();
  },
};

/** @param text the target of the request line @returns null when it is neither a path nor an http address */
function pathAndQuery(text: string): string | null {
  if (text.startsWith('/') || text === '*') return text;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const rest = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Gives the request its id. It is always ours: an id or a trace that the caller sends is logged, never adopted. */
export const requestId: FrameStep = {
  name: 'request id',
  problems: [],
  open: () => async (context, next) => {
    const trace = readTraceparent(context.get('traceparent'));
    context.state = { requestId: randomUUIDv7(), began: performance.now(), trace };
    context.set('X-Request-Id', context.state.requestId);
    await next();
  },
};

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
 * Lets pages of the configured origins call the service; CORS_ORIGINS names none unless it is set. Their keys come in headers:
 * the cookie of the pages under /app is taken with a header alone that is not among these.
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

/**
 * Refuses requests that HTTP can carry but not mean: a target that is no address, percent-encoding that is not UTF-8, and
 * a Host header that is missing, comes twice or names no host, which HTTP/1.1 does not allow (RFC 9112, 3.2).
 */
export const wellFormed: FrameStep = {
  name: 'well-formed',
  problems: ['INVALID_PARAMETER'],
  open: () => async (context, next) => {
    if (pathAndQuery(context.originalUrl) === null) {
      throw new Problem('INVALID_PARAMETER', 'The target of the request line is neither a path nor an http address');
    }
    if (!isDecodable(context.path) || !isDecodable(context.querystring)) {
      throw new Problem('INVALID_PARAMETER', 'The address has percent-encoding that is broken or not UTF-8');
    }
    const fault = faultOfHost(context);
    if (fault !== null) throw violated([{ header: 'Host', code: 'INVALID_PARAMETER', detail: fault }]);
    await next();
  },
};

function faultOfHost({ req }: Context): string | null {
  const [host, ...others] = req.headersDistinct.host ?? [];
  if (host === undefined) return req.httpVersion === '1.1' ? 'Host is required' : null;
  if (others.length > 0) return 'Host may come once only';
  return HOST.test(host) ? null : 'Host must be a name or an address, with or without a port';
}

const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[0-9a-f:.]+\])(?::\d*)?$/i;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
