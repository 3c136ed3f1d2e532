import { readFileSync } from 'node:fs';
import { fileOf, type PageFile } from '../../pages/files.ts';

/** The notebooks of docs/notebooks, which a reader of the guides takes from the service. */

const notebook = (name: string, media: string): [string, PageFile] => [
  name,
  fileOf(name, media, readFileSync(new URL(`../../../docs/notebooks/${name}`, import.meta.url))),
];

/** By name. */
export const NOTEBOOKS: ReadonlyMap<string, PageFile> = new Map([
  notebook('growth.ipynb', 'application/x-ipynb+json'),
  notebook('ageing-wind.Rmd', 'text/markdown'),
]);
