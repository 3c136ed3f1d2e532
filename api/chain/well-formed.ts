import { Problem, violated } from '../problem/problem.ts';
import type { Context } from './context.ts';
import type { FrameStep } from './step.ts';
import { pathAndQuery } from './target.ts';

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
