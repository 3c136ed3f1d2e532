import { z } from 'zod';
import type { ClickHouseAddress } from '../../../runtime/clickhouse-address.ts';
import { openClient } from '../../../sql/warehouse/clickhouse/client.ts';
import {
  completeVersions,
  databaseOf,
  serverErasures,
  serverPublications,
  serverReport,
} from '../../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { numbersOf } from '../../../sql/warehouse/erasures.ts';
import type { Publication } from '../../../sql/warehouse/versions.ts';
import { limitsBeside, type OpenVersion, type QueryLimits, type VersionMeter } from '../version.ts';
import type { VersionStore } from '../warehouse.ts';
import { openSender } from './sender.ts';
import { ANSWER_SECONDS, openClickhouseVersion } from './version.ts';

/** Statements at a time; more wait here instead of on the server. */
const CONNECTIONS = 16;

/**
 * Returns true for what a replica says that lags behind another one: publications that are known, without the newest. A pointer
 * that was begun anew has others.
 */
function isBehind(found: readonly Publication[], known: readonly Publication[]): boolean {
  const marks = new Set(known.map(markOf));
  return found.length < known.length && found.every((publication) => marks.has(markOf(publication)));
}

const markOf = ({ publishedAt, version }: Publication): string => `${publishedAt} ${version}`;

/** The versions of a server, each in a database of its own. */
export function serverVersions(address: ClickHouseAddress, limits: QueryLimits, meter: VersionMeter): VersionStore {
  const client = (database: string | null) =>
    openClient(address, {
      silenceSeconds: ANSWER_SECONDS,
      connections: CONNECTIONS,
      ...(database === null ? {} : { database }),
    });
  const opened = (version: string, allowed: QueryLimits, connections: number): Promise<OpenVersion> => {
    const database = databaseOf(address.prefix, version);
    const sender = openSender(address, database, connections);
    return openClickhouseVersion(client(database), sender, allowed, meter, connections);
  };
  const pointer = client(null);
  /** The publications as of the last look that found a new one; null = nobody has looked. */
  let publications: readonly Publication[] | null = null;
  const erased = new Set<string>();
  const look = async (): Promise<readonly Publication[]> => {
    const found = await serverPublications(pointer, address.prefix);
    if (publications === null || !isBehind(found, publications)) publications = found;
    return publications;
  };
  return {
    name: `${address.url}/${address.prefix}`,
    pollMilliseconds: 1000,
    async revision() {
      const all = await look();
      const newest = all.at(-1);
      // A replica that lags behind does not bring back what another one has hidden.
      for (const number of numbersOf(await serverErasures(pointer, address.prefix))) erased.add(number);
      return newest === undefined ? null : `${all.length}:${newest.publishedAt}:${newest.version}:${erased.size}`;
    },
    publications: async () => publications ?? look(),
    erasures: async () => [...erased],
    open: (version) => opened(version, limits, CONNECTIONS),
    async openBeside(version, tag) {
      const beside = await opened(version, limitsBeside(limits), 1);
      return { ...beside.reader(tag), close: beside.close };
    },
    versions: () => completeVersions(pointer, address.prefix),
    async report(version) {
      const text = await serverReport(pointer, address.prefix, version);
      if (text === null) return null;
      const [built] = await queryRows(
        pointer,
        z.strictObject({ ms: z.string() }),
        'SELECT toString(toUnixTimestamp64Milli(builtAt)) AS ms FROM {database:Identifier}.dataset',
        { database: databaseOf(address.prefix, version) },
      );
      return built === undefined ? null : { text, endedAt: Number(built.ms) / 1000 };
    },
    close: () => void pointer.close(),
  };
}
