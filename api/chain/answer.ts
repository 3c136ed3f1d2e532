import type { Service } from '../service.ts';
import { become } from './become.ts';
import type { Step } from './step.ts';
import { write } from './write.ts';

/** The end of the chain: the operation answers, and its envelope becomes the body. */
export const answer =
  (service: Service): Step =>
  async (exchange) => {
    const respond = async () => become(exchange, await exchange.state.operation!.handle(exchange.state.call));
    if (exchange.state.operation!.replayable === true) await write(exchange, service, respond);
    else await respond();
  };
