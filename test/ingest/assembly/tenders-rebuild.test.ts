import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeRound } from '../../../ingest/tenders/store.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests } from '../../support/exports.ts';
import { queryServed } from '../../support/warehouse.ts';
import { buildWithAwards, MARCH_2020, UNIT, unitOf } from './awards.ts';

/** A served version is built anew from its export, after lists were loaded or removed. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

beforeAll(() => buildWithAwards(folder.path, warehouse), 120_000);

afterAll(() => folder.remove());

describe('a rebuild', () => {
  const since = async (): Promise<Set<string>> => {
    const rows = await queryServed<{ mastrNummer: string }>(
      warehouse,
      'SELECT mastrNummer FROM units WHERE inhaltSeit = (SELECT sequence FROM dataset)',
    );
    return new Set(rows.map(({ mastrNummer }) => mastrNummer));
  };

  it('building the same export again changes no unit', async () => {
    const { code, out, err } = await ingestHere(warehouse, ['rebuild']);
    expect(code).toBe(0);
    expect(err).toMatch(/is what 20\d{6}-0001 was built from, which is served; it is built again/);
    expect(out).toMatch(/since 20\d{6}-0001: no unit new, changed or gone/);
    expect(await since()).toEqual(new Set());
  });

  it('a list that is removed changes the units that had its awards, and a delta tells them', async () => {
    removeRound(warehouse, MARCH_2020);
    expect(await ingestHere(warehouse, ['rebuild'])).toMatchObject({ code: 0 });
    expect(await since()).toEqual(new Set([UNIT.hohenried, UNIT.tholey, UNIT.riggau, UNIT.aurau, UNIT.largestBid]));
    expect(await unitOf(warehouse, 'riggau')).toMatchObject({ eegZuschlagsnummer: null, gebotstermine: null });
    expect(
      await queryServed(warehouse, `SELECT gebotstermine FROM units_ersetzt WHERE mastrNummer = '${UNIT.riggau}'`),
    ).toEqual([{ gebotstermine: [MARCH_2020] }]);
  });

  it('an export that is gone is named, with what to do', async () => {
    const source = join(folder.path, 'first', 'Gesamtdatenexport_20261101_26.1.zip');
    renameSync(source, `${source}.away`);
    const result = await ingestHere(warehouse, ['rebuild']);
    renameSync(`${source}.away`, source);
    expect(result).toMatchObject({ code: 5 });
    expect(result.err).toContain('Gesamtdatenexport_20261101_26.1.zip, is no longer at ');
    expect(result.err).toContain('Name it: npm run ingest -- build <export>');
  });
});
