import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { Call } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import type { Context, Middleware } from './context.ts';

/**
 * Entity tags for answers that depend on the register or the release alone. Published version, day, query and what the
 * organisation has booked decide what the answer is, so an unchanged one is recognised before anything is read. Of what is
 * public the content decides.
 */
export const entityTag =
  (service: Service): Middleware =>
  async (context, next) => {
    const { operation, call } = context.state;
    if (operation!.source === 'release' && operation!.access === 'public') {
      context.set('Cache-Control', 'public, no-cache');
      await next();
      tagAsset(context);
      return;
    }
    if (operation!.source === 'service' || operation!.dependsOnRecords?.(call.query, call.caller)) {
      context.set('Cache-Control', 'no-store');
      await next();
      return;
    }
    const tag = tagOf(context, service);
    const known = knownTags(context.get('If-None-Match'));
    context.set('Cache-Control', 'private, no-cache');
    if (!known.includes(tag)) await next();
    // `*` means any answer there is, so there must be one first.
    if (known.includes(tag) || (known.includes('*') && context.status === 200)) notModified(context);
    context.set('ETag', tag);
  };

function tagAsset(context: Context): void {
  const { asset } = context.state;
  if (asset === undefined) return;
  const tag = `W/"${asset.digest}"`;
  const known = knownTags(context.get('If-None-Match'));
  if (known.includes(tag) || known.includes('*')) notModified(context);
  context.set('ETag', tag);
}

function notModified(context: Context): void {
  context.status = 304;
  context.body = null;
  context.remove('Link');
}

/** Weak, as the same answer may come compressed or not. */
function tagOf({ state: { operation, call, caller } }: Context, { settings }: Service): string {
  const parts = [
    packageJson.version,
    settings.BASE_URL,
    settings.APP_URL,
    ...(operation!.source === 'register' ? registerParts(call) : []),
    operation!.id,
    call.media,
    // Not the key: two keys of equal rights have equal answers.
    [...(caller?.organisation.modules ?? [])].sort(),
    [...(caller?.organisation.signals ?? [])].sort(),
    // Checked parameters come in the order of the schema: equal questions have equal texts.
    call.path,
    call.query,
  ];
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`;
}

/** An answer from the register depends on these. After a roll-back a moment leads to the same version in another way than before. */
function registerParts({ dataset, query, today }: Call): (string | null)[] {
  const { version, publishedAt } = dataset().publication;
  return [version, isOfMoment(query) ? publishedAt : null, today];
}

/** Says whether the question is what has changed since a moment: that depends on what was published when. */
const isOfMoment = (query: object): boolean => 'updatedSince' in query && query.updatedSince !== undefined;

/** Tags compare weakly here (RFC 9110, 13.1.2), so all are written as weak ones. */
const knownTags = (header: string): string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .map((tag) => (tag.startsWith('"') ? `W/${tag}` : tag));
