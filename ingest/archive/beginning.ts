import { formOf } from '../scan/form.ts';

/** Beginnings of formats that servers send in place of a zip. Anything else is content and is not repeated. */
const KNOWN_BEGINNINGS = ['<!DOCTYPE html>', '<html', '<?xml', '%PDF', '\u001f\u008b', 'Rar!', '7z', '{'];

const SHOWN_BYTES = 24;

/** Describes how a file that is no zip begins, e.g. `"<!DOCTYPE html>"` or `24 characters: letters, blanks`. */
export function describeBeginning(bytes: Buffer): string {
  const begins = bytes.toString('latin1', 0, SHOWN_BYTES);
  const known = KNOWN_BEGINNINGS.find((text) => begins.toLowerCase().startsWith(text.toLowerCase()));
  return known === undefined ? formOf(begins) : JSON.stringify(known);
}
