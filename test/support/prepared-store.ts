import { cp } from 'node:fs/promises';
import { inject } from 'vitest';

/** Puts an organisation store into a folder that is not there yet: its tables are up to date, and it has no organisation. */
export async function putStore(folder: string): Promise<void> {
  const answer = await fetch(inject('pglite'));
  const made = await answer.text();
  if (!answer.ok) throw new Error(made);
  await cp(made, folder, { recursive: true });
}
