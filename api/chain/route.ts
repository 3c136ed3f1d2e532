import { redactPath } from '../audit/redact.ts';
import type { Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { Middleware } from './context.ts';

/**
 * Finds the operation of a request. The path decides first, and a fixed segment wins over a parameter; only then the
 * method: so a path that exists answers 405 and never falls through to a more general one.
 */
export function route(operations: readonly Operation[]): Middleware {
  const places = placesOf(operations);
  return async (context, next) => {
    const segments = context.path.split('/').map(decodeURIComponent);
    const found = places.find((place) => matches(place.pattern, segments));
    if (found === undefined) throw new Problem('NOT_FOUND', `There is no address ${redactPath(context.path)}`);
    const allowed = allowedMethods(found.operations);
    if (context.method === 'OPTIONS') {
      context.status = 204;
      context.set('Allow', allowed);
      return;
    }
    const method = context.method === 'HEAD' ? 'GET' : context.method;
    const operation = found.operations.find((candidate) => candidate.method === method);
    if (operation === undefined) {
      const detail = `${redactPath(context.path)} does not offer ${context.method}; it offers ${allowed}`;
      throw new Problem('METHOD_NOT_ALLOWED', detail, { headers: { Allow: allowed } });
    }
    context.state.operation = operation;
    context.state.pathTexts = pathTexts(found.pattern, segments);
    await next();
  };
}

interface Place {
  readonly pattern: readonly string[];
  readonly operations: readonly Operation[];
}

/** The operations by path, paths with fewer parameters first. */
function placesOf(operations: readonly Operation[]): Place[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  const places = [...byPath].map(([path, at]) => ({ pattern: path.split('/'), operations: at }));
  return places.sort((a, b) => a.pattern.filter(isParameter).length - b.pattern.filter(isParameter).length);
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));

const pathTexts = (pattern: readonly string[], segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pattern.flatMap((part, index) => (isParameter(part) ? [[part.slice(1, -1), segments[index] ?? '']] : [])),
  );

function allowedMethods(operations: readonly Operation[]): string {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}
