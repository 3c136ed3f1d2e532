import { formOf } from '../scan/form.ts';

/** Beginnings that tell what somebody else sent in place of a zip. All else is content and is not repeated. */
const TELLING = ['<!DOCTYPE html>', '<html', '<?xml', '%PDF', '\u001f\u008b', 'Rar!', '7z', '{'];

const LOOKED_AT = 24;

/** Describes how a file that is no zip begins, e.g. `"<!DOCTYPE html>"` or `24 characters: letters, blanks`. */
export function beginningOf(bytes: Buffer): string {
  const begins = bytes.toString('latin1', 0, LOOKED_AT);
  const telling = TELLING.find((text) => begins.toLowerCase().startsWith(text.toLowerCase()));
  return telling === undefined ? formOf(begins) : JSON.stringify(telling);
}
