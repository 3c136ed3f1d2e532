import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openOrgStore } from '../../sql/org/store.ts';
import { readSettings } from '../../sql/settings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Asked over HTTP, it answers the folder of an organisation store that has its tables and no organisation. */
    pglite: string;
  }
}

/**
 * Makes one store for a whole run of tests, when a test first asks for it: making one takes seconds, copying it
 * (prepared-store.ts) takes none.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  const place = join(folder, 'org');
  let made: Promise<void> | undefined;
  const desk = createServer((_, response) => {
    made ??= make(place);
    made.then(
      () => response.end(place),
      ({ message }) => response.writeHead(500).end(message),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  provide('pglite', `http://127.0.0.1:${(desk.address() as { port: number }).port}`);
  return async () => {
    desk.close();
    await made;
    rmSync(folder, { recursive: true, force: true });
  };
}

async function make(place: string): Promise<void> {
  const store = await openOrgStore(readSettings({ ORG_STORE_URL: `pglite:${place}` }), pino({ level: 'silent' }));
  await store.migrate('apply');
  await store.close();
}
