import type { Answer } from '../operation.ts';
import type { Service } from '../service.ts';
import type { Exchange, Step } from './step.ts';
import { write } from './write.ts';

/** The end of the chain: the operation answers, and its envelope becomes the body. */
export const answer =
  (service: Service): Step =>
  async (exchange) => {
    const respond = async () => become(exchange, await exchange.state.operation!.handle(exchange.state.call));
    if (exchange.state.operation!.replayable === true) await write(exchange, service, respond);
    else await respond();
  };

function become(exchange: Exchange, { status = 200, headers = {}, body }: Answer): void {
  exchange.status = status;
  exchange.set({ 'Content-Type': contentType(exchange.state.operation!.media), ...headers });
  exchange.state.rowCount =
    typeof body === 'object' && 'data' in body && Array.isArray(body.data) ? body.data.length : null;
  exchange.body = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

const contentType = (media: string): string =>
  /^text|json|javascript|svg/.test(media) ? `${media}; charset=utf-8` : media;
