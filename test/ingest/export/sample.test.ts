import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { ingestHere } from '../../support/command.ts';
import { expectEqual } from '../../support/equal.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { isSealed, manifestIn, queryFiles, readCsv } from './dumps.ts';

/** Dumps of the sample: all formats say the same, and that is what the service answers, unit by unit. */

const TODAY = '2026-12-24';
const warehouse = warehouseFolder();
const folderOf = (format: string): string => join(warehouse.path, 'dumps', format);
const fileOf = (format: string): string => join(folderOf(format), `units.${format}`);

type Unit = Readonly<Record<string, unknown>>;

let service: OwnSubject;
/** As the lines of the NDJSON say, in their order. */
let units: readonly Unit[];

/** A key with every right may read these fields, in the order of the catalogue. */
const FIELDS = UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null);

beforeAll(async () => {
  await publishSample(warehouse.path);
  service = await serve(warehouse.path, { TODAY });
  for (const format of ['parquet', 'duckdb', 'csv', 'ndjson']) {
    const words = ['export', '--format', format, '--out', folderOf(format)];
    expect(await ingestHere(warehouse.path, words, { TODAY })).toMatchObject({ code: 0 });
  }
  for (const choice of [
    '--format csv --dialect excel',
    '--format parquet --decimals double',
    '--format parquet --geo',
  ]) {
    const words = ['export', ...choice.split(' '), '--out', folderOf(choice.split(/ -*/).at(-1)!)];
    expect(await ingestHere(warehouse.path, words, { TODAY })).toMatchObject({ code: 0 });
  }
  const lines = readFileSync(fileOf('ndjson'), 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  units = lines.map((line) => JSON.parse(line));
});

afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

test('has each unit of the register once, and any is equal to the answer of the service', async () => {
  const numbers = units.map(({ mastrNummer }) => String(mastrNummer));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect((await service.get('/v1/units?limit=1')).json.meta.page.total).toBe(numbers.length);
  const byNumber = new Map(units.map((unit) => [unit.mastrNummer, unit]));
  const pages = Array.from({ length: Math.ceil(numbers.length / 200) }, (_, page) =>
    numbers.slice(page * 200, (page + 1) * 200),
  );
  for (const some of drawn(pages, pages.length / 4)) {
    const { json } = await service.get(`/v1/units?mastrNummern=${some}&limit=200&include=${BLOCKS}`);
    expect(json.data.length).toBe(some.length);
    for (const { links: _, ...unit } of json.data) expectEqual(byNumber.get(unit.mastrNummer), unit);
  }
});

/** Every block that has fields with values. */
const BLOCKS = [...new Set(FIELDS.flatMap(({ block }) => block ?? []))].join(',');

test('a line is the detail form of the unit, without its links, in the order of the catalogue', async () => {
  for (const unit of units.filter((_, index) => index % 500 === 0)) {
    const { json } = await service.get(`/v1/units/${unit.mastrNummer}`);
    const { links: _, betreiber: repeated, ...detail } = json.data;
    expect(unit).toEqual(detail);
    expect(unit.betreiberName).toEqual(repeated);
    expect(Object.keys(unit)).toEqual(Object.keys(detail));
  }
});

test('the sample has values of every kind: days, moments, lists, signals, delays, decimals', () => {
  const kinds = new Set(
    FIELDS.filter(({ name }) => units.some((unit) => unit[name] !== null && unit[name] !== '')).map(({ kind }) => kind),
  );
  expect([...kinds].sort()).toEqual([...new Set(FIELDS.map(({ kind }) => kind))].sort());
  for (const name of ['ibnVerspaetungTage', 'signals', 'solarFlaechenmerkmale', 'betreiberName', 'latitude']) {
    expect(
      units.some((unit) => JSON.stringify(unit[name] ?? []) !== '[]'),
      name,
    ).toBe(true);
  }
});

test('CSV: a header, and the same values as text; missing values are empty', () => {
  const text = readFileSync(fileOf('csv'), 'utf8');
  const [header, ...records] = readCsv(text);
  expect(header).toEqual(FIELDS.map(({ name }) => name));
  expect(records.length).toBe(units.length);
  for (const [index, record] of records.entries()) {
    const read = Object.fromEntries(FIELDS.map(({ name, kind }, column) => [name, fromCsv(record[column]!, kind)]));
    expectEqual(read, units[index]);
  }
});

test('CSV for Excel: mark, semicolons and decimal commas, and otherwise the same values', () => {
  const text = readFileSync(join(folderOf('excel'), 'units-excel.csv'), 'utf8');
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const records: Record<string, string>[] = parse(text, { bom: true, columns: true, delimiter: ';' });
  const plain: Record<string, string>[] = parse(readFileSync(fileOf('csv'), 'utf8'), { columns: true });
  const decimals = FIELDS.filter(({ kind }) => kind === 'decimal' || kind === 'degree').map(({ name }) => name);
  expect(records.length).toBe(plain.length);
  for (const [index, record] of records.entries()) {
    expect(decimals.filter((name) => record[name]!.includes('.'))).toEqual([]);
    for (const name of decimals) record[name] = record[name]!.replace(',', '.');
    for (const [name, value] of Object.entries(record)) record[name] = value.replace(/^'(?=[=+\-@])/, '');
    expectEqual(record, plain[index]);
  }
  expect(manifestIn(folderOf('excel'))).toMatchObject({ format: 'csv', dialect: 'excel' });
});

function fromCsv(text: string | null, kind: string): unknown {
  if (text === null) return null;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return ['decimal', 'degree', 'integer', 'list', 'objects', 'carriers', 'signals', 'anomalies'].includes(kind)
    ? JSON.parse(text)
    : text;
}

describe('Parquet', () => {
  test('has the types of the register', async () => {
    const columns = await queryFiles<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM read_parquet('${fileOf('parquet')}')`,
    );
    const types: Record<string, string> = {
      decimal: 'DECIMAL(18,3)',
      degree: 'DECIMAL(9,6)',
      integer: 'INTEGER',
      boolean: 'BOOLEAN',
      day: 'DATE',
      time: 'TIMESTAMP WITH TIME ZONE',
      list: 'VARCHAR[]',
      carriers: 'VARCHAR[]',
      signals: 'VARCHAR[]',
    };
    expect(columns.map(({ column_name: name, column_type: type }) => [name, type])).toEqual(
      FIELDS.map(({ name, kind }) => [name, types[kind] ?? 'VARCHAR']),
    );
  });

  test('has the same units with the same values, in the same order', async () => {
    const moments = FIELDS.filter(({ kind }) => kind === 'time').map(
      ({ name }) => `strftime(make_timestamp(epoch_us("${name}")), '%Y-%m-%dT%H:%M:%S.%gZ') AS "${name}"`,
    );
    const decimals = FIELDS.filter(({ kind }) => kind === 'decimal' || kind === 'degree').map(
      ({ name }) => `CAST("${name}" AS DOUBLE) AS "${name}"`,
    );
    const rows = await queryFiles<Unit>(
      `SELECT * REPLACE (${[...moments, ...decimals].join(', ')}) FROM read_parquet('${fileOf('parquet')}')`,
    );
    const objects = FIELDS.filter(({ kind }) => kind === 'objects' || kind === 'anomalies').map(({ name }) => name);
    // Lists of objects are the text of their JSON.
    const parsed = (row: Unit) => objects.map((name) => [name, JSON.parse(String(row[name]))] as const);
    expectEqual(
      rows.map((row) => ({ ...row, ...Object.fromEntries(parsed(row)) })),
      units,
    );
  });

  test('has decimals as DOUBLE where asked, with the same values', async () => {
    const file = join(folderOf('double'), 'units-double.parquet');
    const described = await queryFiles<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM read_parquet('${file}')`,
    );
    const types = new Map(described.map(({ column_name: name, column_type: type }) => [name, type]));
    const decimals = FIELDS.filter(({ kind }) => kind === 'decimal' || kind === 'degree').map(({ name }) => name);
    expect(new Set(decimals.map((name) => types.get(name)))).toEqual(new Set(['DOUBLE']));
    const names = decimals.map((name) => `"${name}"`).join(', ');
    expect(await queryFiles(`SELECT ${names} FROM read_parquet('${file}')`)).toEqual(
      units.map((unit) => Object.fromEntries(decimals.map((name) => [name, unit[name]]))),
    );
    expect(manifestIn(folderOf('double'))).toMatchObject({ format: 'parquet', decimals: 'double' });
  });

  test('names the source of its data, and says what each column means', async () => {
    const tags = await queryFiles<{ key: string; value: string }>(
      `SELECT CAST(decode(key) AS VARCHAR) AS key, CAST(decode(value) AS VARCHAR) AS value
       FROM parquet_kv_metadata('${fileOf('parquet')}')`,
    );
    const { quellenvermerk, columns } = manifestIn(folderOf('parquet'));
    const { columns: described, ...named } = Object.fromEntries(tags.map(({ key, value }) => [key, value]));
    expect(named).toMatchObject({ quellenvermerk });
    expect(JSON.parse(described ?? '')).toEqual(columns);
  });
});

describe('GeoParquet', () => {
  const file = join(folderOf('geo'), 'units-geo.parquet');

  test('has the units of the other file, each with the point of its coordinates', async () => {
    const theirs = `SELECT * EXCLUDE (geometry, bbox) FROM read_parquet('${file}')`;
    const ours = `FROM read_parquet('${fileOf('parquet')}')`;
    expect(await queryFiles(`(${theirs} EXCEPT ALL ${ours}) UNION ALL (${ours} EXCEPT ALL ${theirs})`)).toEqual([]);
    const [counts] = await queryFiles<Record<string, string>>(
      `SELECT count(*) AS units, count(geometry) AS points, count(longitude) AS placed, count(*) FILTER (
         ST_AsText(geometry) = 'POINT (' || longitude::DOUBLE || ' ' || latitude::DOUBLE || ')'
         AND bbox = {xmin: longitude::DOUBLE, ymin: latitude::DOUBLE, xmax: longitude::DOUBLE, ymax: latitude::DOUBLE}
       ) AS right FROM read_parquet('${file}')`,
    );
    expect(Number(counts?.units)).toBe(units.length);
    expect(Number(counts?.placed)).toBeGreaterThan(500);
    expect([counts?.points, counts?.right]).toEqual([counts?.placed, counts?.placed]);
  });

  test('says what readers of GeoParquet 1.1 ask', async () => {
    const [tag] = await queryFiles<{ value: string }>(
      `SELECT CAST(decode(value) AS VARCHAR) AS value FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'geo'`,
    );
    const placed = units.filter(({ longitude }) => longitude !== null);
    const [longitudes, latitudes] = [
      placed.map((unit) => Number(unit.longitude)),
      placed.map((unit) => Number(unit.latitude)),
    ];
    expect(JSON.parse(tag?.value ?? '')).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          geometry_types: ['Point'],
          bbox: [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)],
          covering: {
            bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
          },
        },
      },
    });
    expect(manifestIn(folderOf('geo'))).toMatchObject({ format: 'parquet', geo: true });
  });

  test('units that stand together are near each other, and those without a point come last', async () => {
    const rows = await queryFiles<{ longitude: number | null; latitude: number }>(
      `SELECT longitude::DOUBLE AS longitude, latitude::DOUBLE AS latitude FROM read_parquet('${file}')`,
    );
    const placed = rows.filter(({ longitude }) => longitude !== null);
    expect(rows.slice(0, placed.length)).toEqual(placed);
    const areaOf = (some: typeof rows): number => {
      const [xs, ys] = [some.map(({ longitude }) => Number(longitude)), some.map(({ latitude }) => latitude)];
      return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys));
    };
    const runs = Array.from({ length: 20 }, (_, run) =>
      areaOf(placed.slice((run * placed.length) / 20, ((run + 1) * placed.length) / 20)),
    );
    const middle = runs.toSorted((one, other) => one - other)[10]!;
    // In the order of numbers each run is spread over the whole country.
    expect(middle / areaOf(placed)).toBeLessThan(0.1);
  });
});

describe('DuckDB', () => {
  const query = <Row>(sql: string): Promise<Row[]> =>
    queryFiles<Row>(`ATTACH '${fileOf('duckdb')}' AS dump (READ_ONLY); USE dump; ${sql}`);

  test('has the units of the Parquet file, in their order, and says what each column means', async () => {
    const ours = 'SELECT row_number() OVER () AS place, * FROM units';
    const theirs = `SELECT row_number() OVER () AS place, * FROM read_parquet('${fileOf('parquet')}')`;
    expect(await query(`(${theirs} EXCEPT ALL ${ours}) UNION ALL (${ours} EXCEPT ALL ${theirs})`)).toEqual([]);
    const { columns, quellenvermerk, version } = manifestIn(folderOf('duckdb'));
    expect(await query('FROM fields')).toEqual(columns);
    expect(await query('SELECT version, quellenvermerk FROM dataset')).toEqual([{ version, quellenvermerk }]);
    const undescribed = `SELECT table_name, column_name FROM duckdb_columns()
      WHERE database_name = 'dump' AND coalesce(comment, '') = ''`;
    expect(await query(undescribed)).toEqual([]);
    const power = `SELECT DISTINCT comment LIKE '%(kW)' AS "inKw" FROM duckdb_columns()
      WHERE database_name = 'dump' AND column_name = 'bruttoleistungKw'`;
    expect(await query(power)).toEqual([{ inKw: true }]);
  });

  test('has a view for each carrier, of its units and the columns that they fill, and sums', async () => {
    const wind = units.filter(({ einheitTyp }) => einheitTyp === 'wind');
    const rows = await query<Unit>('FROM wind');
    expect(rows.length).toBe(wind.length);
    expect(Object.keys(rows[0]!)).toEqual(
      FIELDS.map(({ name }) => name).filter((name) => wind.some((unit) => unit[name] !== null)),
    );
    const running = units.filter(({ betriebsStatus }) => betriebsStatus === 'In Betrieb');
    expect(await query('SELECT CAST(sum(anzahl) AS INTEGER) AS n FROM bestand')).toEqual([{ n: running.length }]);
    const built = units.filter(({ inbetriebnahmedatum }) => inbetriebnahmedatum !== null);
    expect(await query('SELECT CAST(sum(anzahl) AS INTEGER) AS n FROM zubau')).toEqual([{ n: built.length }]);
  });
});

describe('privacy', () => {
  test('no coordinates below 30 kW or where the capacity is unknown', () => {
    const small = units.filter(({ bruttoleistungKw: kw }) => kw === null || (kw as number) < 30);
    expect(small.length).toBeGreaterThan(1000);
    expect(small.filter(({ latitude, longitude }) => latitude !== null || longitude !== null)).toEqual([]);
  });

  test('names of operators only where the service has the organisation', async () => {
    const named = [
      ...new Set(units.filter(({ betreiberName }) => betreiberName !== null).map((unit) => unit.mastrNummer)),
    ];
    expect(named.length).toBeGreaterThan(100);
    const some = named.slice(0, 200).join(',');
    const { json } = await service.get(`/v1/units?mastrNummern=${some}&expand=marktakteur&limit=200`);
    expect(json.data.length).toBe(200);
    for (const { expanded } of json.data) expect(expanded.marktakteur).not.toBeNull();
  });

  test('no column for values that only filter, or that only the service keeps', () => {
    for (const hidden of ['gemeindegebiet', 'statusId', 'inhalt', 'region', 'suche', 'links']) {
      expect(units[0]).not.toHaveProperty(hidden);
    }
  });
});

test('the manifest lists the files next to it, under the licence of the service', async () => {
  const { json } = await service.get('/v1/datasets');
  const dataset = json.data.find(({ name }: { name: string }) => name === 'mastr_einheiten');
  for (const format of ['parquet', 'csv', 'ndjson']) {
    expect(isSealed(folderOf(format))).toBe(true);
    const { lizenzen, quellenvermerk, lizenzHinweis, aenderungsvermerk, veraendert, source, asOf, rows } = dataset;
    const manifest = manifestIn(folderOf(format));
    expect(manifest).toMatchObject({
      name: 'mastr_einheiten',
      lizenzen,
      quellenvermerk,
      lizenzHinweis,
      aenderungsvermerk,
    });
    expect(manifest).toMatchObject({ veraendert, source, asOf, rows, format, today: TODAY });
    expect(manifest.version).toBe(currentPublication(warehouse.path)!.version);
    expect(manifest.columns.map(({ name }: { name: string }) => name)).toEqual(FIELDS.map(({ name }) => name));
  }
});
