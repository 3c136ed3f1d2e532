import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { STAGED_TABLES } from '../stage/tables.ts';
import { fillAnswers } from './answers.ts';
import type { Assembly } from './assembly.ts';
import { runOnLanes } from './lanes.ts';
import { writeLineage } from './lineage.ts';
import { placeStatements } from './places.ts';
import { openHistory } from './previous-version.ts';
import { nameNumbers, splitReferences } from './references.ts';
import { openStaged } from './staged.ts';
import { prepareSupport, supportAcrossSlices } from './support.ts';
import { fillAwards, linkAwards } from './tenders.ts';
import { fillUnits } from './units.ts';
import { windNameStatements } from './wind-names.ts';

/**
 * Creates and fills all tables that are computed from the records.
 * @returns dataset.ersetztAb, see lineage.ts
 */
export async function assemble(assembly: Assembly): Promise<number> {
  const { warehouse, lanes, progress } = assembly;
  progress.stage('tables and duplicates', STAGED_TABLES.length, 'tables');
  await warehouse.run(warehouseSql('tables.sql', { unitColumns: duckdbUnitColumns() }));
  for (const lane of lanes) await lane.run(macroStatements());
  await runOnLanes(
    lanes,
    STAGED_TABLES.map((table) => async (lane) => {
      await openStaged({ ...assembly, warehouse: lane }, table);
      progress.advance(1);
    }),
  );
  progress.stage('look-ups');
  await openHistory(assembly);
  await warehouse.run(warehouseSql('lookups.sql', UNIT_NUMBERS));
  for (const text of placeStatements()) await warehouse.run(text);
  await warehouse.run(windNameStatements());
  await openNep(assembly);
  await linkAwards(assembly);
  progress.stage('support values');
  const day = assembly.self.exportDay;
  await prepareSupport({ ...assembly, day });
  await warehouse.run(warehouseSql('references.sql'));
  await runOnLanes(lanes, [
    (lane) => supportAcrossSlices({ ...assembly, warehouse: lane, day }),
    (lane) => nameNumbers({ ...assembly, warehouse: lane }),
  ]);
  await splitReferences(assembly);
  await fillUnits(assembly);
  await fillAwards(assembly);
  const replacedSince = await writeLineage({ ...assembly, engine: warehouse });
  await fillAnswers(assembly);
  return replacedSince;
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

async function openNep({ warehouse, nep }: Assembly): Promise<void> {
  await warehouse.run(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }));
}
