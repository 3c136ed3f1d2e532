import { Problem } from '../problem/problem.ts';
import type { Step } from './step.ts';

/** Refuses a request whose `Accept` excludes what the operation delivers. */
export const accept: Step = async (exchange, next) => {
  const { media } = exchange.state.operation!;
  // Where the type is the file's own, whoever asks for the file knows it.
  if (media !== '*/*' && exchange.accepts(media) === false)
    throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${media}`);
  await next();
};
