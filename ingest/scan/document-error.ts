/** A text is not a member of an export. The message says what was found instead, and where, and quotes only element names. */
export class DocumentError extends Error {}
