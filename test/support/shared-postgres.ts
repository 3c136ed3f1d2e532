import type { TestProject } from 'vitest/node';
import { postgresPrograms, startPostgres } from './postgres.ts';
import { shareServer } from './shared-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Asked over HTTP, it answers the URL of the server that all tests of a run share; null where there can be none.
     */
    postgres: string | null;
  }
}

/** Starts one Postgres server for a whole run of tests, when a test first asks for it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const programs = postgresPrograms();
  if (programs === null) {
    process.stderr.write('Tests on a Postgres server are skipped: none is installed (apt-get install postgresql)\n');
    provide('postgres', null);
    return async () => {};
  }
  const { desk, close } = await shareServer(async () => {
    const { url, stop } = await startPostgres(programs);
    return { answer: url, stop };
  });
  provide('postgres', desk);
  return close;
}
