import { clickhouseFault } from '../../../runtime/clickhouse-address.ts';

/** The targets that `--warehouse` can name. */
export type Place =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'chdb' };

/** The requested measurement is not possible; the message says why, and what to do. */
export class NotMeasurable extends Error {}

/** @throws NotMeasurable without the address, in which there may be a password */
export function anyPlace(text: string): Place {
  if (text === 'chdb') return { kind: 'chdb' };
  const folder = /^duckdb:(.+)$/.exec(text)?.[1] ?? text;
  if (!folder.includes('://')) return { kind: 'folder', folder };
  const fault = clickhouseFault(text);
  if (fault !== null) throw new NotMeasurable(`--warehouse ${fault}`);
  return { kind: 'server', url: text };
}

/** Returns a target into which a version can be loaded. @throws NotMeasurable */
export function placeToLoad(text: string): Exclude<Place, { kind: 'folder' }> {
  const place = anyPlace(text);
  if (place.kind !== 'folder') return place;
  throw new NotMeasurable('A build is loaded into clickhouse(s)://user:password@host:8123/prefix, or into chdb');
}
