import { Problem } from '../problem/problem.ts';
import type { Middleware } from './context.ts';

/** Chooses the form of the answer; refuses a request whose `Accept` excludes every one that the operation delivers. */
export const accept: Middleware = async (context, next) => {
  const { media, otherMedia = {} } = context.state.operation!;
  const delivered = [media, ...Object.keys(otherMedia)];
  if (delivered.length > 1) context.vary('Accept');
  // Where the type is the file's own, whoever asks for the file knows it.
  const chosen = media === '*/*' ? media : context.accepts(delivered);
  if (typeof chosen !== 'string') {
    throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${delivered.join(' and ')}`);
  }
  context.state.media = chosen;
  await next();
};
