import { Problem } from '../problem/problem.ts';
import type { Step } from './step.ts';

/** Chooses the form of the answer; refuses a request whose `Accept` excludes every one that the operation delivers. */
export const accept: Step = async (exchange, next) => {
  const { media, otherMedia = {} } = exchange.state.operation!;
  const delivered = [media, ...Object.keys(otherMedia)];
  if (delivered.length > 1) exchange.vary('Accept');
  // Where the type is the file's own, whoever asks for the file knows it.
  const chosen = media === '*/*' ? media : exchange.accepts(delivered);
  if (typeof chosen !== 'string') {
    throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${delivered.join(' and ')}`);
  }
  exchange.state.media = chosen;
  await next();
};
