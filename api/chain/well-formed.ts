import { Problem, violated } from '../problem/problem.ts';
import type { Step } from './step.ts';

/** Refuses what is HTTP but no proper request: percent-encoding that is no UTF-8, or HTTP/1.1 without a host. */
export const wellFormed: Step = async (exchange, next) => {
  if (!isDecodable(exchange.path) || !isDecodable(exchange.querystring)) {
    throw new Problem('INVALID_PARAMETER', 'The address has percent-encoding that is broken or not UTF-8');
  }
  if (exchange.req.httpVersion === '1.1' && exchange.get('Host') === '') {
    throw violated([{ header: 'Host', code: 'INVALID_PARAMETER', detail: 'Host is required' }]);
  }
  await next();
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
