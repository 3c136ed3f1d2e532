/** A file of the warehouse differs from what was written. The message has the file, the damage and the remedy. */
export class Damaged extends Error {
  constructor(file: string, what: string, remedy: string, cause?: unknown) {
    super(`${file} is damaged: ${what}. ${remedy}`, { cause });
    this.name = 'Damaged';
  }
}

/** The remedy for a file of a version that is damaged or missing. */
export const VERSION_REMEDY =
  'Bring the folder of the version back from the backup, or serve another one: npm run ingest -- rollback <version> ' +
  '(those there are: npm run ingest -- versions). Where there is no other one, move the folder of the warehouse away and ' +
  'build the newest export: history and deltas begin anew. What else is damaged: npm run ingest -- verify';

/** A file of a version that cannot be read, by what a reader of it ended with. */
export const unreadable = (file: string, error: unknown): Damaged =>
  error instanceof Damaged ? error : new Damaged(file, String(error).split('\n')[0] ?? '', VERSION_REMEDY, error);
