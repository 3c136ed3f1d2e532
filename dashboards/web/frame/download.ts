import { say } from '../format/language.ts';

/** Hands a file to the browser to be saved. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name from a title: „Zubau in München, 2024“ becomes zubau-in-muenchen-2024. */
export const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80) || say('abbildung', 'figure');
