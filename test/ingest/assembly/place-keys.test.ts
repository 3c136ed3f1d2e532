import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { literal, warehouseSql } from '../../../ingest/duckdb/sql-files.ts';
import { folderOfTests } from '../../support/exports.ts';

/** What is known of municipality keys (place-keys.sql). */

const folder = folderOfTests();
afterAll(() => folder.remove());

const found = new Map<string | null, Record<string, unknown>>();

beforeAll(async () => {
  mkdirSync(folder.path, { recursive: true });
  const file = (name: string, lines: readonly string[]): string => {
    writeFileSync(join(folder.path, name), `${lines.join('\n')}\n`);
    return literal(join(folder.path, name));
  };
  const engine = await openReadWrite(':memory:', { memoryMb: 200, threads: 1, temporaryFolder: folder.path });
  try {
    // The operator's list lacks a municipality that the product's has.
    await engine.run(
      `CREATE TABLE orte AS SELECT unnest(['09', '09162', '09162000', '16063105', '16061118']) AS schluessel`,
    );
    await engine.run(`CREATE TABLE regionen AS SELECT row_number() OVER ()::INTEGER AS region, key AS gemeindeschluessel
      FROM (SELECT unnest(['09162000', '16056000', '16064014', '09999000', '03358024', '03358004', '09162', NULL]) AS key)`);
    await engine.run(
      warehouseSql('place-keys.sql', {
        former: file('former.csv', [
          'old_ags,current_ags',
          '16056000,16063105',
          '16064014,16061118',
          '03358004,03358024',
        ]),
        product: file('product.csv', ['ags,name', '09162000,"München, Stadt"', '03358024,"Walsrode, Stadt"']),
        divided: file('divided.csv', ['ags', '16064014']),
      }),
    );
    const rows = await engine.rows<{ gemeindeschluessel: string | null }>('FROM regions_with_keys');
    for (const { gemeindeschluessel, ...row } of rows) found.set(gemeindeschluessel, row);
  } finally {
    await engine.close();
  }
});

const known = (key: string | null) => {
  const { schluesselStand, schluesselHeute } = found.get(key)!;
  return [schluesselStand, schluesselHeute];
};

describe('a key', () => {
  test('of the list has nothing said about it, nor has none', () => {
    expect(known('09162000')).toEqual([null, null]);
    expect(known(null)).toEqual([null, null]);
  });

  test('that a municipality had is a former one, with the key that has its whole area', () =>
    expect(known('16056000')).toEqual(['frueher', '16063105']));

  test('whose area was divided has none of today', () => expect(known('16064014')).toEqual(['frueher', null]));

  test('that is only on the older list of the product is a former one, too, and so is what led to it', () => {
    expect(known('03358024')).toEqual(['frueher', null]);
    expect(known('03358004')).toEqual(['frueher', null]);
  });

  test('of no municipality is unknown, that of a district as well', () => {
    expect(known('09999000')).toEqual(['unbekannt', null]);
    expect(known('09162')).toEqual(['unbekannt', null]);
  });

  test('changes nothing about its combination of places', () => expect(found.size).toBe(8));
});
