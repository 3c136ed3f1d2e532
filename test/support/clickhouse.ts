import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import type { PublicationTarget } from '../../ingest/destination/target.ts';
import { type LoadServer, openLoadServer } from '../../ingest/load/server.ts';
import { clickhouseTarget } from '../../ingest/publication/clickhouse.ts';
import { clickhouseAddress } from '../../runtime/clickhouse-address.ts';
import { OF_SELDOM, PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { openClient } from '../../sql/warehouse/clickhouse/client.ts';
import { ONE_SERVER } from '../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { clickhouseOfRun } from './clickhouse-of-run.ts';
import { withVersion } from './warehouse.ts';

/** Warehouses on the ClickHouse server of the run. */

/** Gives up soon: the server of a run is never unreachable. */
const NO_RETRIES = { firstPauseMs: 1, longestPauseMs: 1, maxElapsedMs: 0 };

/** Publishes the versions of a folder into databases with this prefix, which begins with `energy`. */
export async function serverTarget(folder: string, prefix: string): Promise<PublicationTarget> {
  const server = await clickhouseOfRun();
  const address = clickhouseAddress(server.warehouse('energy_loader', prefix));
  return clickhouseTarget(folder, { address, placement: ONE_SERVER, policy: NO_RETRIES });
}

/** Opens the connections of a loader. The caller closes them. */
export async function loadServer(prefix: string): Promise<LoadServer> {
  const server = await clickhouseOfRun();
  const address = clickhouseAddress(server.warehouse('energy_loader', prefix));
  return openLoadServer({ address, placement: ONE_SERVER, loader: 'test', policy: NO_RETRIES });
}

/** Opens a client of the server's administrator, to inspect what is published. */
export async function administratorClient(): Promise<ClickHouseClient> {
  const { port } = await clickhouseOfRun();
  const address = { url: `http://127.0.0.1:${port}`, username: 'default', password: '', prefix: 'none' };
  return openClient(address, { silenceSeconds: 60, connections: 1 });
}

/** Names of the databases that begin with the prefix. */
export async function databasesOf(client: ClickHouseClient, prefix: string): Promise<string[]> {
  const rows = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String}) ORDER BY name',
    { prefix },
  );
  return rows.map(({ name }) => name);
}

/** Queries that read the same in both engines; equal answers show that a version is whole and has no row twice. */
const QUESTIONS: readonly string[] = [
  ...['units', ...Object.keys(PROJECTIONS)].map(
    // The file has units with a planned day, and others, in it; ClickHouse all.
    (table) =>
      `SELECT count(*) AS n, count(inbetriebnahmedatum) AS m, sum(bruttoleistungKw) AS kw FROM ${table}${
        table === OF_SELDOM ? ' WHERE geplantesInbetriebnahmedatum IS NOT NULL' : ''
      }`,
  ),
  ...['region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate'].map(
    (table) => `SELECT serie, einheitTyp, sum(anzahl) AS n, sum(kw) AS kw FROM ${table} GROUP BY serie, einheitTyp`,
  ),
  'SELECT dimension, schluessel, sum(anzahl) AS n, sum(kw) AS kw FROM aggregationen GROUP BY ALL',
  ...['units_departed', 'units_ersetzt', 'suchnamen', 'regionen', 'marktakteure', 'referenzwerte'].map(
    (table) => `SELECT count(*) AS n FROM ${table}`,
  ),
  // A text comes in as many rows as nights have left it in.
  'SELECT sum(length(einheiten)) AS n FROM suchtexte',
  'SELECT mastrNummer, inhaltSeit, abgangSeit, abgangGrund FROM units_departed',
  'SELECT mastrNummer, ersetztSeit FROM units_ersetzt',
  'SELECT version, sequence, anker FROM vorgaenger',
  'SELECT mastrNummer, inhaltSeit, toString(inhalt) AS inhalt FROM units',
];

/** Returns the answers of both engines to the same queries. */
export async function bothAnswers(client: ClickHouseClient, folder: string, prefix: string, version: string) {
  const at = databaseOf(prefix, version);
  const here = await withVersion(folder, version, async (query) => {
    const answers: string[] = [];
    for (const question of QUESTIONS)
      answers.push(lines(await query<object>(question.replace('toString(inhalt)', 'inhalt::VARCHAR'))));
    return answers;
  });
  const there: string[] = [];
  for (const question of QUESTIONS)
    there.push(lines(await queryRows(client, z.looseObject({}), question.replace(/FROM (\w+)/g, `FROM ${at}.$1`))));
  return { here, there };
}

/** Rows as text, in the order of that, with numbers alike whether they came as number, bigint or text. */
const lines = (rows: readonly object[]): string =>
  rows
    .map((row) =>
      Object.values(row)
        .map((value) => (value === null ? '~' : plain(value)))
        .join(' '),
    )
    .sort()
    .join('\n');

const plain = (value: unknown): string =>
  /^-?[0-9]+(\.[0-9]+)?$/.test(String(value)) ? String(Number(value)) : String(value);
