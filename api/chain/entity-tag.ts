import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { AssetOperation, TaggedOperation } from '../operation/kinds.ts';
import type { Call, Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import type { CallerState, Context } from './context.ts';
import type { Step } from './step.ts';

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
    call.csv,
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
  const { version, publishedAt } = dataset().publication;
  return [version, tellsPublication || isDelta(query) ? publishedAt : null, today];
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
