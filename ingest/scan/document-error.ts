/** A text is no member of an export: what was seen instead, and where. What it holds beside names of elements is not told. */
export class DocumentError extends Error {}
