import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clickhouseTarget } from '../../../../ingest/publication/clickhouse.ts';
import { humanProgress } from '../../../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../../sql/warehouse/clickhouse/placement.ts';
import { addPublication } from '../../../../sql/warehouse/clickhouse/publications.ts';
import { publications, reportFile } from '../../../../sql/warehouse/versions.ts';
import { merged } from '../../clickhouse/merged.ts';
import { openServer, type Server } from '../../clickhouse/server.ts';
import { note } from '../../support/register.ts';
import { digestOf, type MeasuredVersion } from '../version.ts';

/** The code on which a loaded version depends besides its file. */
const LOADING_CODE = ['ingest/load', 'sql/catalogue', 'sql/query', 'sql/register', 'sql/warehouse'];

const MEMORY_MB = 900;

/**
 * The engine of the package chdb with a version in it, as a build would have loaded it. It is loaded once and kept, and
 * anew when the version is another one or the code that loads has changed.
 */
export async function cachedServer(version: MeasuredVersion, folder: string): Promise<Server> {
  const mark = join(folder, 'loaded.txt');
  const content = createHash('sha256')
    .update(digestOf(LOADING_CODE))
    .update(readFileSync(reportFile(version.warehouse, version.id)))
    .digest('hex');
  const isLoaded = existsSync(mark) && readFileSync(mark, 'utf8') === content;
  if (!isLoaded) rmSync(folder, { recursive: true, force: true });
  const server = await openServer({ kind: 'chdb' }, folder);
  try {
    if (!isLoaded) {
      note(`Loading ClickHouse in ${folder}; later runs use it again while version and code are the same`);
      await load(version, server, folder);
      writeFileSync(mark, content);
    }
    await merged(server);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Loads every publication of the folder: answers contain when their version was published. */
async function load({ warehouse, id }: MeasuredVersion, { url, prefix, client }: Server, folder: string) {
  const published = clickhouseTarget(warehouse, { address: clickhouseAddress(url), placement: ONE_SERVER });
  try {
    const progress = humanProgress(process.stderr);
    await published.load(id, { folder: join(folder, 'work'), memoryMb: MEMORY_MB, progress });
    for (const [place, publication] of publications(warehouse).entries()) {
      await addPublication(client, prefix, place + 1, publication);
    }
  } finally {
    await published.close();
  }
}
