import { readFileSync } from 'node:fs';
import { Asset } from '../wire/asset.ts';

/** A file that pages load. */
export interface PageFile {
  readonly media: string;
  readonly asset: Asset;
  /** Its name with its digest: at this address a browser may keep it for good. */
  readonly address: string;
}

/** Makes a file of the pages, with its address. */
export function fileOf(name: string, media: string, content: Buffer | string): PageFile {
  const asset = new Asset(content);
  return { media, asset, address: name.replace(/(?=\.\w+$)/, `.${asset.digest}`) };
}

const own = (name: string, media: string): [string, PageFile] => [
  name,
  fileOf(name, media, readFileSync(new URL(`files/${name}`, import.meta.url))),
];

/** The files that every page loads, by name. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  own('frame.css', 'text/css'),
  own('text.css', 'text/css'),
  own('reference.css', 'text/css'),
  own('portal.css', 'text/css'),
  own('theme.js', 'text/javascript'),
  own('page.js', 'text/javascript'),
  own('favicon.svg', 'image/svg+xml'),
]);

/** @throws Error for a name that no file has */
export function pageFile(name: string): PageFile {
  const file = PAGE_FILES.get(name);
  if (file === undefined) throw new Error(`The pages have no file ${name}`);
  return file;
}
