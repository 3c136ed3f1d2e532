import type { Call, KeyOperation, OperationResult } from '../operation/operation.ts';
import { linkHeader, type PageLinks } from '../wire/link.ts';

/** Links of a question that came as a body are left out when they are longer, because proxies may refuse them. */
const MAX_LINK_LENGTH = 8 * 1024;

/** Returns the result with the `Link` header of its page, which repeats the question as this caller wrote it. */
export function withLinks<Result extends OperationResult>(result: Result, operation: KeyOperation, call: Call): Result {
  const link = result.page === undefined ? null : linkOf(result.page, operation, call);
  return link === null ? result : { ...result, headers: { ...result.headers, Link: link } };
}

function linkOf(page: PageLinks, { asQuery }: KeyOperation, { body, search, service }: Call): string | null {
  const { BASE_URL } = service.settings;
  if (asQuery === undefined) return linkHeader(BASE_URL, page, search);
  const link = linkHeader(BASE_URL, page, asQuery(body));
  const isLong = link?.split(', <').some((one) => one.length > MAX_LINK_LENGTH) ?? false;
  return isLong ? null : link;
}
