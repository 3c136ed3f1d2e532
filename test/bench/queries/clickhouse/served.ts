import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeDurably } from '../../../../runtime/durable-files.ts';
import { serverPublications } from '../../../../sql/warehouse/clickhouse/publications.ts';
import { pointerFile, versionFile, versionFolder } from '../../../../sql/warehouse/versions.ts';
import type { Server } from '../../clickhouse/server.ts';
import { NotMeasurable } from '../../support/place.ts';
import { type MeasuredVersion, servedVersion } from '../version.ts';

/**
 * The version that a server serves as the file that it was loaded from, in a warehouse of its own with the server's
 * pointer: the folder that versions are built in has none.
 * @param folder where versions are built for the server
 * @param place where that warehouse is made
 * @throws NotMeasurable
 */
export async function servedBy(server: Server, folder: string, place: string): Promise<MeasuredVersion> {
  const publications = await serverPublications(server.client, server.prefix);
  const current = publications.at(-1)?.version;
  if (current === undefined) {
    throw new NotMeasurable(
      `Nothing is published in the databases ${server.prefix} of that server: build a version first`,
    );
  }
  if (!existsSync(versionFile(folder, current))) {
    throw new NotMeasurable(
      `The server serves ${current}, which is not in ${resolve(folder)}; --folder names the folder it was loaded from`,
    );
  }
  const link = versionFolder(place, current);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(resolve(versionFolder(folder, current)), link);
  writeDurably(pointerFile(place), JSON.stringify({ current, publications }));
  return servedVersion(join(place));
}
