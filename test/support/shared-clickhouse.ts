import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { hasClickHouse, startClickHouse } from './clickhouse-server.ts';
import { shareServer } from './shared-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Asked over HTTP, it answers the port of the server that all tests of a run share; null where there can be none. */
    clickhouse: string | null;
  }
}

/** Starts one ClickHouse server for a whole run of tests, when a test first asks for it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!hasClickHouse()) {
    process.stderr.write('Tests on a ClickHouse server are skipped: chdb has no library for this machine\n');
    provide('clickhouse', null);
    return async () => {};
  }
  const { desk, close } = await shareServer(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clickhouse-'));
    const { port, stop } = await startClickHouse(folder);
    return {
      answer: String(port),
      async stop() {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
  provide('clickhouse', desk);
  return close;
}
