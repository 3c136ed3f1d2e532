import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres.ts';

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
  let server: Promise<PostgresServer> | undefined;
  const desk = createServer((_, response) => {
    // A caller that asks again after a while must not find a connection that is about to close.
    response.setHeader('Connection', 'close');
    server ??= startPostgres(programs);
    server.then(
      ({ url }) => response.end(url),
      ({ message }) => response.writeHead(500).end(message),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  provide('postgres', `http://127.0.0.1:${(desk.address() as { port: number }).port}`);
  return async () => {
    desk.close();
    await (await server)?.stop();
  };
}
