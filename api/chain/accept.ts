import type { Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { RequestState } from './context.ts';
import type { Step } from './step.ts';

/** The operation delivers files whose types follow from their names, so it ignores `Accept`. */
const ANY_MEDIA = '*/*';

/** Chooses the form of the answer; refuses a request whose `Accept` excludes every one that the operation delivers. */
export const accept: Step<Operation, RequestState, { media: string }> = {
  name: 'accept',
  problems: ({ media }) => (media === ANY_MEDIA ? [] : ['NOT_ACCEPTABLE']),
  open:
    () =>
    ({ media, otherMedia = {} }) => {
      if (media === ANY_MEDIA) return (_, next) => next({ media });
      const delivered = [media, ...Object.keys(otherMedia)];
      return async (context, next) => {
        if (delivered.length > 1) context.vary('Accept');
        const chosen = context.accepts(delivered);
        if (typeof chosen !== 'string') {
          throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${delivered.join(' and ')}`);
        }
        await next({ media: chosen });
      };
    },
};
