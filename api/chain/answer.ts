import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import { KeptBody } from '../answers/answer-cache.ts';
import type { AssetOperation, TaggedOperation } from '../operation/kinds.ts';
import type {
  Call,
  KeyOperation,
  Operation,
  OperationResult,
  PublicCall,
  PublicOperation,
} from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Asset } from '../wire/asset.ts';
import { contentType } from '../wire/encoding.ts';
import { linkHeader, type PageLinks } from '../wire/paging.ts';
import { StoredFile } from '../wire/stored-file.ts';
import type { CallerState, Context, RequestState } from './context.ts';
import { sendFile } from './send-file.ts';
import type { Step } from './step.ts';
import { tableAnswers } from './table-answer.ts';

/** Entity tags (RFC 9110, 8.8.3) for answers that depend on the register or the release alone. */

/**
 * Tags an answer before anything is read for it: published version, day, query and what the organisation has booked
 * decide what it is.
 */
export const entityTag: Step<TaggedOperation, CallerState & { call: Call }> = {
  name: 'entity tag',
  problems: () => [],
  open: (service) => (operation) => async (context, next) => {
    const { call } = context.state;
    if (operation.dependsOnRecords?.(call.query, call.caller) === true) {
      context.set('Cache-Control', 'no-store');
      await next();
      return;
    }
    const tag = tagOf(operation, call, service);
    const known = knownTags(context);
    context.set('Cache-Control', 'private, no-cache');
    if (!known.includes(tag)) await next();
    // `*` means any answer there is, so there must be one first.
    if (known.includes(tag) || (known.includes('*') && context.status === 200)) notModified(context);
    context.set('ETag', tag);
  },
};

/** Tags an asset by its content. */
export const assetTag: Step<AssetOperation> = {
  name: 'entity tag',
  problems: () => [],
  open: () => () => async (context, next) => {
    context.set('Cache-Control', 'public, no-cache');
    await next();
    const { asset } = context.state;
    if (asset === undefined) return;
    const tag = `W/"${asset.digest}"`;
    const known = knownTags(context);
    if (known.includes(tag) || known.includes('*')) notModified(context);
    context.set('ETag', tag);
  },
};

/** Forbids to keep an answer that has no tag. */
export const noStore: Step<Operation> = {
  name: 'no store',
  problems: () => [],
  open: () => () => async (context, next) => {
    context.set('Cache-Control', 'no-store');
    await next();
  },
};

function notModified(context: Context): void {
  context.status = 304;
  context.body = null;
  context.remove('Link');
}

/** Weak, as the same answer may come compressed or not. */
function tagOf({ id, source, dependsOnPublication }: TaggedOperation, call: Call, { settings }: Service): string {
  const { modules, signals } = call.caller.organisation;
  const parts = [
    packageJson.version,
    settings.BASE_URL,
    settings.APP_URL,
    ...(source === 'register' ? registerParts(call, dependsOnPublication === true) : []),
    id,
    call.media,
    call.language,
    call.table,
    // Not the key: two keys of equal rights have equal answers.
    [...modules].sort(),
    [...signals].sort(),
    // Checked parameters come in the order of the schema: equal questions have equal texts.
    call.path,
    call.query,
  ];
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`;
}

/** An answer from the register depends on these. After a roll-back a moment leads to the same version in another way than before. */
function registerParts({ dataset, query, today }: Call, tellsPublication: boolean): (string | null)[] {
  const { publication, erased } = dataset();
  const { version, publishedAt } = publication;
  return [version, tellsPublication || isDelta(query) ? publishedAt : null, today, ...erased];
}

/** Returns true when the question is what has changed since a moment: that depends on what was published when. */
const isDelta = (query: object): boolean => 'updatedSince' in query && query.updatedSince !== undefined;

/** The tags of If-None-Match. They compare weakly (RFC 9110, 13.1.2), so all are written as weak ones. */
const knownTags = (context: Context): string[] =>
  context
    .get('If-None-Match')
    .split(',')
    .map((tag) => tag.trim())
    .map((tag) => (tag.startsWith('"') ? `W/${tag}` : tag));

/** The end of the chain: the handler of the operation answers. */
export const respond: Step<KeyOperation, RequestState & { call: Call }> = {
  name: 'respond',
  problems: () => [],
  open: () => (operation) => {
    const asTable = tableAnswers(operation);
    return async (context) => {
      const { call } = context.state;
      const result = await operation.handle(call);
      if (result.body instanceof StoredFile) {
        await sendInTurn(context, result.body, call);
        return;
      }
      sendResult(context, operation, withLinks(await asTable(result, call), operation, call));
    };
  },
};

export const respondToAnybody: Step<PublicOperation, RequestState & { call: PublicCall }> = {
  name: 'respond',
  problems: () => [],
  open: () => (operation) => async (context) =>
    sendResult(context, operation, await operation.handle(context.state.call)),
};

/** Sends a file when the organisation, or the network of somebody without a key, has a place for one more download, and gives the place back when the answer has ended. */
async function sendInTurn(context: Context, file: StoredFile, { caller, service }: Call): Promise<void> {
  const end = await service.downloads.begin(caller.visitor?.address ?? caller.organisation.id);
  context.res.once('close', end);
  // The caller may have hung up while it waited.
  if (context.res.destroyed) end();
  await sendFile(context, file, caller.visitor === undefined ? 'private' : 'public');
}

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
