import type { Answer } from '../operation.ts';
import type { Exchange } from './step.ts';

/** The answer of the operation becomes the answer of the request. */
export function become(exchange: Exchange, { status = 200, headers = {}, body }: Answer): void {
  exchange.status = status;
  exchange.set({ 'Content-Type': contentType(exchange.state.operation!.media), ...headers });
  exchange.state.rowCount =
    typeof body === 'object' && 'data' in body && Array.isArray(body.data) ? body.data.length : null;
  exchange.body = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

const contentType = (media: string): string =>
  /^text|json|javascript|svg/.test(media) ? `${media}; charset=utf-8` : media;
