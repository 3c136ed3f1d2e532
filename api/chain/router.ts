import { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import type { RouterContext } from '@koa/router';
import Router from '@koa/router';
import Koa from 'koa';
import { redactPath } from '../audit/redact.ts';
import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import { FRAME, openChains } from './chain.ts';
import type { Context, FrameMiddleware, RequestState } from './context.ts';
import { isPage, nearestPath, withoutTrailingSlashes } from './nearest-path.ts';
import type { OperationMiddleware } from './step.ts';

/** Codes of the problems in which a request ends that reaches no operation. */
export const ROUTING_PROBLEMS = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const;

/**
 * Routes each request to its operation. The path decides before the method, and a fixed segment wins over a parameter: so
 * a path that exists answers 405 and never falls through to a more general one.
 * @throws Error for two operations of which one hides the other
 */
export function openRouter(
  operations: readonly Operation[],
  compile: (operation: Operation) => OperationMiddleware[],
): Router<RequestState> {
  mustBeReachable(operations);
  // Every method that Node can parse is implemented: an operation either takes it, or the answer is 405.
  const router: Router<RequestState> = new Router({ sensitive: true, strict: true, methods: METHODS });
  for (const operation of bySpecificity(operations)) {
    const reached: OperationMiddleware = async (context, next) => {
      context.state.operation = operation;
      await next();
    };
    router.register(
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [operation.method],
      [reached, ...compile(operation)],
    );
  }
  // Of all paths that match an address, the router would try one after the other; only the most specific one counts.
  const match = router.match.bind(router);
  router.match = (path, method) => {
    const { path: ofPath, pathAndMethod } = match(path, method);
    const [mostSpecific] = ofPath;
    const found = pathAndMethod.filter((layer) => layer.path === mostSpecific?.path);
    return {
      path: ofPath.filter((layer) => layer.path === mostSpecific?.path),
      pathAndMethod: found,
      route: found.length > 0,
    };
  };
  return router;
}

/**
 * Wraps the router. It answers OPTIONS, sends a page with slashes at its end on to the page, and answers every other request
 * without a matching operation with a problem, which names the path that was probably meant.
 */
const answerUnrouted =
  (operations: readonly Operation[]): FrameMiddleware =>
  async (context, next) => {
    (context as RouterContext<RequestState>).newRouterPath = normalised(context.path);
    await next();
    if (context.state.operation !== undefined) return;
    const allowed = allowedMethods(context);
    if (allowed === '') {
      if (!sentOn(context, operations)) throw nothingAt(context.path, operations);
      return;
    }
    if (context.method === 'OPTIONS') {
      context.body = null;
      context.status = 204;
      context.set('Allow', allowed);
      return;
    }
    const detail = `${redactPath(context.path)} does not offer ${context.method}; it offers ${allowed}`;
    throw new Problem('METHOD_NOT_ALLOWED', detail, { headers: { Allow: allowed } });
  };

/** Sends the caller on when a page is meant; the address is relative, so that it holds behind any proxy. */
function sentOn(context: Context, operations: readonly Operation[]): boolean {
  const page = withoutTrailingSlashes(context.path);
  if (page === null || !isPage(page, operations)) return false;
  const up = '../'.repeat(context.path.length - page.length);
  context.body = null;
  context.status = 308;
  context.set('Location', `${up}${page.split('/').at(-1)}${context.search}`);
  context.set('Cache-Control', 'no-cache');
  return true;
}

function nothingAt(path: string, operations: readonly Operation[]): Problem {
  const near = nearestPath(path, operations);
  const meant = near === null ? '' : `; did you mean ${redactPath(near)}?`;
  return new Problem('NOT_FOUND', `There is no address ${redactPath(path)}${meant}`);
}

/** Encodes every segment in one way, so that `%75nits` is the path `units`. */
const normalised = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');

/** The methods that the router has found for the path; empty when there is no such path. */
function allowedMethods(context: Context): string {
  const found = context.res.getHeader('Allow');
  return found === undefined ? '' : `${String(found).replace('HEAD, GET', 'GET, HEAD')}, OPTIONS`;
}

type Segments = readonly string[];

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Paths with fewer parameters first; the router takes the first that matches. */
const bySpecificity = (operations: readonly Operation[]): Operation[] =>
  operations.toSorted((one, other) => parameters(one) - parameters(other));

const parameters = ({ path }: Operation): number => path.split('/').filter(isParameter).length;

/** @throws Error naming two paths that match one address without one of them being more specific, or the same method twice */
function mustBeReachable(operations: readonly Operation[]): void {
  for (const [index, one] of operations.entries()) {
    for (const other of operations.slice(index + 1)) {
      if (hides(one, other)) {
        throw new Error(
          `${one.id} (${one.method} ${one.path}) and ${other.id} (${other.method} ${other.path}) hide each other`,
        );
      }
    }
  }
}

function hides(one: Operation, other: Operation): boolean {
  if (one.path === other.path) return one.method === other.method;
  const [left, right] = [one.path.split('/'), other.path.split('/')];
  return overlap(left, right) && isMoreSpecific(left, right) === isMoreSpecific(right, left);
}

/** Returns true when there is an address that both match. */
const overlap = (left: Segments, right: Segments): boolean =>
  left.length === right.length &&
  left.every((segment, index) => {
    const opposite = right[index] ?? '';
    return segment === opposite || isParameter(segment) || isParameter(opposite);
  });

/** Returns true when the left path has a fixed segment where the right one has a parameter. */
const isMoreSpecific = (left: Segments, right: Segments): boolean =>
  left.some((segment, index) => !isParameter(segment) && isParameter(right[index] ?? ''));

/** The steps that `mount` puts around operations. */
export interface Steps {
  readonly frame: typeof FRAME;
  readonly chains: typeof openChains;
}

const ALL_STEPS: Steps = { frame: FRAME, chains: openChains };

/** The request listener that answers for these operations. @throws Error for operations that hide each other */
export function mount(
  operations: readonly Operation[],
  service: Service,
  { frame, chains }: Steps = ALL_STEPS,
): RequestListener {
  const app = new Koa<RequestState>();
  for (const step of frame) app.use(step.open(service));
  const router = openRouter(operations, chains(service));
  app.use(answerUnrouted(operations));
  app.use(router.allowedMethods());
  app.use(router.routes());
  // Only faults outside the chain get here, such as a caller that hangs up; Koa would print them.
  app.on('error', (error: Error) => service.log.warn({ err: error }, 'a request broke off'));
  const listener = app.callback();
  return (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
}
