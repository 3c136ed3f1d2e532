/** A text is no member of an export: what was seen instead, and where. What it holds beside names of elements is not told. */
export class DocumentError extends Error {}

const LONGEST_SHOWN = 80;

/** A tag as messages show it. */
export const shownTag = (name: string): string =>
  `<${name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name}>`;
