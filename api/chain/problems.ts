import { withoutSecrets } from '../../sql/org/api-key.ts';
import { StoreUnavailable } from '../../sql/org/store.ts';
import { PlacesUnknown } from '../../sql/query/places.ts';
import { problemPage } from '../app/problem-page.ts';
import { withoutTokens } from '../audit/redact.ts';
import { LANGUAGES, type Operation } from '../operation/operation.ts';
import { Problem, problemDocument, problemHeaders } from '../problem/problem.ts';
import { contentType } from '../wire/encoding.ts';
import type { Context } from './context.ts';
import { languageOf } from './language.ts';
import type { FrameStep } from './step.ts';

/** Turns every failure of the steps below into a problem document, or into the page of the operation. What is no Problem is a fault of ours: logged, never shown. */
export const problems: FrameStep = {
  name: 'problems',
  problems: ['INTERNAL_ERROR'],
  open:
    ({ settings, log }) =>
    async (context, next) => {
      try {
        await next();
      } catch (error) {
        const { requestId } = context.state;
        const problem = asProblem(error);
        const document = problemDocument(problem, settings.BASE_URL, requestId);
        // The access log has faults of the caller, and waiting for a first dataset; a cause is for the operator.
        if (problem.cause !== undefined) log.error({ requestId, err: problem.cause }, document.title);
        const { operation } = context.state;
        const page = (operation?.problemPage ?? pageForPeople(context, operation))?.(problem, {
          id: requestId,
          root: '../'.repeat(context.path.split('/').length - 2),
          language: languageOf(context, { languages: operation?.languages ?? LANGUAGES }),
        });
        context.status = document.status;
        context.set({
          'Content-Type': page === undefined ? 'application/problem+json' : contentType('text/html'),
          'Cache-Control': 'no-store',
          ...problemHeaders(problem),
          ...page?.headers,
        });
        // A detail may repeat what was sent: a key never comes back.
        const text = withoutSecrets(page?.body ?? JSON.stringify(document));
        context.body = problem.code === 'NOT_FOUND' ? withoutTokens(text) : text;
      }
    },
};

/** Somebody who has typed an address into a browser reads a page; programs, and all below the interface, read the problem. */
function pageForPeople(context: Context, operation: Operation | undefined): Operation['problemPage'] {
  const isForPeople =
    context.method === 'GET' &&
    !/^\/(v1|api)(\/|$)/.test(context.path) &&
    (operation === undefined || [operation.media].flat().includes('text/html'));
  return isForPeople && context.accepts('json', 'html') === 'html' ? problemPage : undefined;
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    const detail = 'The store of the organisations does not answer';
    return new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + 5_000, cause: error });
  }
  if (error instanceof PlacesUnknown) {
    const detail =
      'The dataset version that is served was built by an earlier release, which knew places by name alone; the next build ' +
      'brings their keys. Until then, filter by `Name` or `Name, Bundesland`';
    return new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + 600_000 });
  }
  return new Problem('INTERNAL_ERROR', 'The request failed through a fault of the service', { cause: error });
}
