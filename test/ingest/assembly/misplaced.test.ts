import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findMisplaced, misplacedAs, type PlacedUnit } from '../../../ingest/assembly/misplaced.ts';
import { referenceMunicipalities } from '../../../ingest/boundaries/municipalities.ts';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { macroStatements } from '../../../ingest/duckdb/sql-files.ts';
import { folderOfTests } from '../../support/exports.ts';

/** Which units lie outside of their municipality, and where. */

const BERLIN = { longitude: 13.4, latitude: 52.52 };
const POTSDAM = { longitude: 13.066, latitude: 52.391 };
const BALTIC = { longitude: 14.607, latitude: 55.603 };
const [KEY_BERLIN, KEY_POTSDAM] = ['11000000', '12054000'];

const of = (unit: Omit<PlacedUnit, 'town'> & { readonly town?: string }) =>
  misplacedAs({ town: null, ...unit }, referenceMunicipalities());

describe('a unit', () => {
  it('in its municipality is in place, whatever its town is called', () =>
    expect(of({ ...BERLIN, key: KEY_BERLIN, town: 'Potsdam' })).toBeNull());

  it('beside its municipality is so up to the tolerance', () => {
    // Going north from a point in Berlin, until the border and beyond it.
    const places = Array.from({ length: 400 }, (_, step) => ({ longitude: 13.4, latitude: 52.52 + step / 1000 }));
    const distance = ({ longitude, latitude }: (typeof places)[number]) =>
      referenceMunicipalities().distanceTo(KEY_BERLIN, longitude, latitude) ?? Number.NaN;
    expect(places.filter((place) => distance(place) > 0 && distance(place) <= 500).length).toBeGreaterThan(0);
    for (const place of places) {
      const found = of({ ...place, key: KEY_BERLIN });
      expect(found?.abstandGemeindeM ?? null).toBe(
        Math.round(distance(place)) > 500 ? Math.round(distance(place)) : null,
      );
    }
  });

  it('in another municipality has that one, and whether its town is it', () => {
    const potsdam = { agsAmPunkt: KEY_POTSDAM, abstandDeutschlandM: 0 };
    expect(of({ ...POTSDAM, key: KEY_BERLIN, town: 'Berlin' })).toMatchObject({ ...potsdam, ortAmPunkt: false });
    expect(of({ ...POTSDAM, key: KEY_BERLIN, town: 'Potsdam' })).toMatchObject({ ...potsdam, ortAmPunkt: true });
    expect(of({ ...POTSDAM, key: KEY_BERLIN })).toMatchObject({ ...potsdam, ortAmPunkt: null });
  });

  it('in no municipality has the distance to the nearest one', () => {
    const found = of({ ...BALTIC, key: KEY_POTSDAM, town: 'Potsdam' });
    expect(found).toMatchObject({ agsAmPunkt: null, ortAmPunkt: null });
    expect(found?.abstandDeutschlandM).toBeGreaterThan(100_000);
    expect(found?.abstandDeutschlandM).toBeLessThan(found?.abstandGemeindeM ?? 0);
  });

  it.each([null, '99999999'])('of no known municipality (%s) is out of place abroad alone', (key) => {
    expect(of({ ...BERLIN, key })).toBeNull();
    expect(of({ ...BALTIC, key })).toEqual({
      abstandGemeindeM: null,
      agsAmPunkt: null,
      ortAmPunkt: null,
      abstandDeutschlandM: expect.any(Number),
    });
  });
});

describe('units of a build', () => {
  const folder = folderOfTests();
  afterAll(() => folder.remove());

  it('are compared where they are served with coordinates, by keys with the zero that was lost', async () => {
    mkdirSync(folder.path, { recursive: true });
    const engine = await openReadWrite(join(folder.path, 'units.duckdb'), {
      ...{ memoryMb: 200, threads: 1, temporaryFolder: folder.path },
    });
    try {
      await engine.run(macroStatements());
      await engine.run(`CREATE VIEW scratch.served_units AS SELECT * FROM (VALUES
        (1, 13.4, 52.52, '11000000', 'Berlin', 100, true), (2, 13.4, 52.52, '12054000', 'Berlin', 100, true),
        (3, 13.4, 52.52, '12054000', 'Berlin', 29.9, false), (4, 13.4, NULL, '12054000', 'Berlin', 100, true),
        (5, 10.1, 54.34, '1002000', 'Kiel', 100, true), (6, 13.4, 52.52, '12054000', 'Berlin', 30, false),
        (7, 14.607, 55.603, NULL, NULL, 100, true)
      ) AS units(EinheitMastrNummer, Laengengrad, Breitengrad, Gemeindeschluessel, Ort, Bruttoleistung, ab30Kw)`);
      await findMisplaced(engine, folder.path);
      expect(await engine.rows('FROM misplaced_units ORDER BY einheit')).toEqual([
        {
          ...{ einheit: 2n, agsAmPunkt: KEY_BERLIN, ortAmPunkt: true, abstandDeutschlandM: 0 },
          abstandGemeindeM: expect.any(Number),
        },
        {
          ...{ einheit: 7n, abstandGemeindeM: null, agsAmPunkt: null, ortAmPunkt: null },
          abstandDeutschlandM: expect.any(Number),
        },
      ]);
    } finally {
      await engine.close();
    }
  });
});
