/** An archive that cannot be read; the message names the member, its place and the fault. */
export class ArchiveError extends Error {}

/** There is nothing at the path of an export. */
export class ExportMissing extends Error {}
