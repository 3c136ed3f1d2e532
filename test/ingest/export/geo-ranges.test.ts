import { mkdirSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from '../../support/built.ts';
import { ingestHere } from '../../support/command.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { type OwnSubject, serveOwnFixture } from '../../support/service.ts';

/**
 * A GeoParquet dump, read over HTTP by a reader that is none of ours: whoever asks for a part of the map reads the end of the file, and
 * then some columns of the row groups whose bounds meet that part.
 */

/** So often the units of the sample stand in the dump: several row groups, as a register has. */
const TIMES = 6;

const [WEST, SOUTH, EAST, NORTH] = [11.3, 48, 11.8, 48.3];
const COLUMNS = ['bruttoleistungKw', 'bbox'];

interface Placed {
  readonly bruttoleistungKw: number;
  readonly bbox: { readonly xmin: number; readonly ymin: number } | null;
}

const warehouse = warehouseFolder();
const dumps = temporaryFolder();
let service: OwnSubject;
/** Capacity of the units there (kW), by SQL. */
let expected: number[];
beforeAll(async () => {
  await publishSample(warehouse.path);
  const { version } = currentPublication(warehouse.path)!;
  const instance = await DuckDBInstance.create(versionFile(warehouse.path, version), { threads: '1' });
  const connection = await instance.connect();
  // Other numbers and texts, and points a little apart: equal rows would be packed to nothing.
  await connection.run(`INSERT INTO units SELECT units.* REPLACE (
      nummer + nth * 1000000000000::BIGINT AS nummer, left(mastrNummer, 3) || nth || right(mastrNummer, 11) AS mastrNummer,
      md5(nummer || ' ' || nth) AS name, md5(nth || mastrNummer) AS anlagenschluesselEeg,
      longitude + 0.001 * nth AS longitude, latitude + 0.001 * nth AS latitude)
    FROM units CROSS JOIN range(1, ${TIMES}) AS copies(nth)`);
  const found = await connection.runAndReadAll(`SELECT CAST(bruttoleistungKw AS DOUBLE) FROM units
    WHERE longitude BETWEEN ${WEST} AND ${EAST} AND latitude BETWEEN ${SOUTH} AND ${NORTH} ORDER BY 1`);
  expected = found.getRows().map(([kw]) => Number(kw));
  connection.closeSync();
  instance.closeSync();
  mkdirSync(dumps.path, { recursive: true });
  const words = ['export', '--format', 'parquet', '--geo', '--publish'];
  expect(await ingestHere(warehouse.path, words, { DUMPS_DIR: dumps.path, TODAY: '2026-12-24' })).toMatchObject({
    code: 0,
  });
  service = await serveOwnFixture({ DUMPS_DIR: dumps.path, DUMPS_ACCESS: 'public' });
});
afterAll(async () => {
  await service?.stop();
  dumps.remove();
  warehouse.remove();
});

/** The dump as a reader sees it who counts what he reads. */
async function countedFile(): Promise<AsyncBuffer & { read(): number }> {
  const url = `${service.url}/dumps/latest/units-geo.parquet`;
  const head = await fetch(url, { method: 'HEAD' });
  const byteLength = Number(head.headers.get('content-length'));
  let bytes = 0;
  return {
    byteLength,
    read: () => bytes,
    async slice(start, end = byteLength) {
      const response = await fetch(url, { headers: { Range: `bytes=${start}-${end - 1}` } });
      const part = await response.arrayBuffer();
      expect([response.status, part.byteLength]).toEqual([206, end - start]);
      bytes += part.byteLength;
      return part;
    },
  };
}

const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };

/** The first and the last row of each group whose bounds meet the part of the map. */
function groupsThere({ row_groups }: FileMetaData): (readonly [first: number, end: number])[] {
  let first = 0;
  return row_groups.flatMap(({ columns, num_rows }) => {
    const begin = first;
    first += Number(num_rows);
    const bound = (name: string, side: 'max_value' | 'min_value'): number | null => {
      const column = columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === `bbox.${name}`);
      const value = column?.meta_data?.statistics?.[side];
      return typeof value === 'number' ? value : null;
    };
    const [west, south] = [bound('xmin', 'min_value'), bound('ymin', 'min_value')];
    const [east, north] = [bound('xmax', 'max_value'), bound('ymax', 'max_value')];
    // A group without points has no bounds.
    if (west === null || south === null || east === null || north === null) return [];
    const meets = west <= EAST && east >= WEST && south <= NORTH && north >= SOUTH;
    return meets ? [[begin, first] as const] : [];
  });
}

test('a part of the map is less than a twentieth of the file', async () => {
  const file = await countedFile();
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: 8 });
  expect(metadata.row_groups.length).toBeGreaterThanOrEqual(TIMES);
  const groups = groupsThere(metadata);
  expect(groups.length).toBeLessThan(metadata.row_groups.length);
  const rows: Placed[] = [];
  for (const [rowStart, rowEnd] of groups) {
    const read = await parquetReadObjects({ file, metadata, columns: COLUMNS, rowStart, rowEnd, compressors });
    rows.push(...(read as unknown as Placed[]));
  }
  const there = rows.filter(
    ({ bbox }) => bbox !== null && bbox.xmin >= WEST && bbox.xmin <= EAST && bbox.ymin >= SOUTH && bbox.ymin <= NORTH,
  );
  expect(there.length).toBeGreaterThan(0);
  expect(there.map(({ bruttoleistungKw }) => bruttoleistungKw).sort((one, other) => one - other)).toEqual(expected);
  expect(file.read() / file.byteLength).toBeLessThan(0.05);
});
