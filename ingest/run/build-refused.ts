/** The build was refused or stopped for a reason that the caller can do something about. */
export class BuildRefused extends Error {}
