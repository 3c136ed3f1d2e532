import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './register.ts';

/** The warehouse of the sample export, built once and kept. */
export async function sampleWarehouse(cache: string): Promise<string> {
  const warehouse = resolve(cache, 'sample-warehouse');
  if (!existsSync(join(warehouse, 'current.json'))) {
    const build = spawn(process.execPath, [join(ROOT, 'ingest/main.ts'), 'ensure'], {
      stdio: 'ignore',
      env: { ...process.env, STATE_DIR: resolve(cache), WAREHOUSE_URL: `duckdb:${warehouse}` },
    });
    const [code] = await once(build, 'exit');
    if (code !== 0) throw new Error(`The sample export could not be built: exit code ${code}`);
  }
  return warehouse;
}
