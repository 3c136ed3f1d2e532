import type { Step } from './step.ts';

/** The end of the chain: the operation answers, and its envelope becomes the body. */
export const answer: Step = async (exchange) => {
  const { operation, call } = exchange.state;
  const { status = 200, headers = {}, body } = await operation.handle(call);
  exchange.status = status;
  exchange.set({ ...headers, 'Content-Type': `${operation.media}; charset=utf-8` });
  exchange.body = typeof body === 'string' ? body : JSON.stringify(body);
};
