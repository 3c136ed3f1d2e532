/** The build was refused or stopped for a reason that its caller can remedy. */
export class BuildRefused extends Error {}
