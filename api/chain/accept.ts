import { mediaOf, type Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { contentType } from '../wire/content-type.ts';
import type { RequestState } from './context.ts';
import type { Step } from './step.ts';

/** The operation delivers files whose types follow from their names, so it ignores `Accept`. */
const ANY_MEDIA = '*/*';

/** Chooses the form of the answer; refuses a request whose `Accept` excludes every one that the operation delivers. */
export const accept: Step<Operation, RequestState, { media: string }> = {
  name: 'accept',
  problems: ({ media }) => (media === ANY_MEDIA ? [] : ['NOT_ACCEPTABLE']),
  open: () => (operation) => {
    const { media } = operation;
    if (media === ANY_MEDIA) return (_, next) => next({ media });
    const delivered = mediaOf(operation);
    // With the parameters that the answer has, so that a caller may name them in `Accept`.
    const offered = new Map(delivered.map((one) => [contentType(one), one]));
    return async (context, next) => {
      if (delivered.length > 1) context.vary('Accept');
      const chosen = offered.get(context.accepts([...offered.keys()]) || '');
      if (chosen === undefined) {
        throw new Problem('NOT_ACCEPTABLE', `The operation delivers ${delivered.join(' and ')}`);
      }
      await next({ media: chosen });
    };
  },
};
