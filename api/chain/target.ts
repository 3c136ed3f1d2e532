import type { FrameStep } from './step.ts';

/**
 * Brings the target of a request into the one form that every step reads: path and query. HTTP also lets a caller write
 * the whole address (RFC 9112, 3.2.2), as proxies do; its host does not matter here, as there is one service.
 */
export const target: FrameStep = {
  name: 'target',
  problems: [],
  open: () => async (context, next) => {
    context.url = pathAndQuery(context.originalUrl) ?? '/';
    await next();
  },
};

/** @param text the target of the request line @returns null when it is neither a path nor an http address */
export function pathAndQuery(text: string): string | null {
  if (text.startsWith('/') || text === '*') return text;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const rest = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
