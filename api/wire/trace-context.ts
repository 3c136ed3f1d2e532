/** W3C Trace Context, level 1: the header `traceparent` says which trace of the caller a request belongs to. */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span of the caller that sent the request, 16 hexadecimal digits. */
  readonly parentId: string;
}

const TRACEPARENT =
  /^(?<version>(?!ff)[0-9a-f]{2})-(?<traceId>(?!0{32})[0-9a-f]{32})-(?<parentId>(?!0{16})[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;

/** Reads the header; null for none, and for one that has to be ignored because it is not valid (3.2.2). */
export function readTraceparent(header: string): TraceContext | null {
  const { version, traceId, parentId, more } = TRACEPARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || parentId === undefined) return null;
  // Only later versions may have more fields.
  return version === '00' && more !== undefined ? null : { traceId, parentId };
}
