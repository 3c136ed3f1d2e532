import type { Middleware } from './context.ts';

/**
 * Brings the target of a request into the one form that every step reads: path and query. HTTP also lets a caller write
 * the whole address (RFC 9112, 3.2.2), as proxies do; its host is nobody's concern here, as there is one service.
 */
export const target: Middleware = async (context, next) => {
  context.url = pathAndQuery(context.originalUrl) ?? '/';
  await next();
};

/** @param text as it stood in the request line @returns null for what is no address of ours */
export function pathAndQuery(text: string): string | null {
  if (text.startsWith('/') || text === '*') return text;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const rest = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
