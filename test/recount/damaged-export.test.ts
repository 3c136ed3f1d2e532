import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../ingest/build/build.ts';
import { buildOptions, warehouseFolder, withTables } from '../support/built.ts';
import { EXPORT_DAY, SAMPLE } from '../support/sample.ts';
import { inFindings, inKeys, inMembers, inOrganisations, inRollups, inUnits } from './agreement.ts';
import { damagedSample } from './damaged-export.ts';
import { type Recount, recount } from './recount.ts';

/** The sample with many times the faults that it has anyway: ingest and recount still have to say the same. */

const warehouse = warehouseFolder();
let counted: Recount;

beforeAll(async () => {
  const source = join(warehouse.path, 'damaged.zip');
  writeFileSync(source, await damagedSample(SAMPLE));
  // Parts of it are left out, so most of its references lead nowhere: that alone would keep it from being published.
  await build(buildOptions(source, warehouse.path, EXPORT_DAY, true));
  counted = await recount(source, EXPORT_DAY);
});

afterAll(() => warehouse.remove());

describe('a damaged export', () => {
  it('has every kind of finding', () => {
    const kinds = new Set([...counted.findings.keys()].map((key) => key.split('|')[0]));
    expect([...kinds].sort()).toEqual([
      'datensatz_nicht_wohlgeformt',
      'fuehrende_null_ergaenzt',
      'geloescht_oder_deaktiviert',
      'katalog_id_unbekannt',
      'keine_stromeinheit',
      'natuerliche_person',
      'schluessel_fehlt',
      'schluessel_ungueltig',
      'tag_unplausibel',
      'verweis_ins_leere',
      'wert_trotz_nv',
      'wert_unlesbar',
      'zeichen_verboten',
      'zuschlag_nach_inbetriebnahme',
      'zuschlag_ohne_einheit',
      'zuschlagsnummer_unlesbar',
    ]);
  });

  it.each([
    ['in its members', inMembers],
    ['in its keys', inKeys],
    ['in its units', inUnits],
    ['in its findings', inFindings],
    ['in its organisations', inOrganisations],
    ['in its roll-ups', inRollups],
  ])('is the same to ingest and recount %s', async (_, disagreements) => {
    expect(await withTables(warehouse.path, (tables) => disagreements(tables, counted))).toEqual([]);
  });
});
