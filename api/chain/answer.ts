import type { Service } from '../operation/service.ts';
import type { Middleware } from './context.ts';
import { sendAnswer } from './send-answer.ts';
import { write } from './write.ts';

/** The end of the chain: the operation answers, and its envelope becomes the body. */
export const answer =
  (service: Service): Middleware =>
  async (context) => {
    const respond = async () => sendAnswer(context, await context.state.operation!.handle(context.state.call));
    if (context.state.operation!.replayable === true) await write(context, service, respond);
    else await respond();
  };
