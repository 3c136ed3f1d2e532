import { KeptBody } from '../answers/kept-body.ts';
import type { Operation, OperationResult } from '../operation/operation.ts';
import { Asset } from '../wire/asset.ts';
import { contentType } from '../wire/content-type.ts';
import type { Context } from './context.ts';

/** Makes the result of the operation the answer to the request. */
export function sendResult(context: Context, operation: Operation, result: OperationResult): void {
  const { status = operation.status ?? 200, headers = {}, media = operation.media, body } = result;
  context.status = status;
  context.set({ 'Content-Type': contentType(media), ...headers });
  context.state.rowCount = result.rowCount === undefined ? rowCountOf(body) : result.rowCount;
  if (body instanceof Asset) {
    context.state.asset = body;
    context.body = body.bytes;
  } else if (body instanceof KeptBody) {
    const sent = body.bytes();
    context.state.kept = { body, sent };
    context.body = sent;
  } else context.body = asText(body);
}

/** Returns the bytes or the text of a body that the operation has just made. */
export const asText = (body: OperationResult['body']): Buffer | string =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** The length of a list, also of one of GeoJSON features; null for what is no list. */
export function rowCountOf(body: OperationResult['body']): number | null {
  if (typeof body !== 'object') return null;
  const rows = 'data' in body ? body.data : 'features' in body ? body.features : null;
  return Array.isArray(rows) ? rows.length : null;
}
