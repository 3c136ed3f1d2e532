import { macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { fillAnomalyHistory } from './anomaly-history.ts';
import type { Assembly } from './assembly.ts';
import { writeLineage } from './lineage.ts';
import { fillLookups } from './lookups.ts';
import { splitReferences } from './references.ts';
import { prepareRates } from './support.ts';
import { fillAwards } from './tenders.ts';
import { fillUnits } from './units.ts';

/**
 * Creates and fills all tables that are computed from the records.
 * @returns dataset.ersetztAb, see lineage.ts
 */
export async function assemble(assembly: Assembly): Promise<number> {
  const { warehouse, lanes, destination, progress } = assembly;
  // Staged files, and blocks of units, are read by many statements.
  await warehouse.run('SET parquet_metadata_cache = true');
  await warehouse.run(warehouseSql('tables.sql'));
  for (const lane of lanes) await lane.run(macroStatements());
  await prepareRates(lanes);
  await destination.prepare(lanes);
  await fillLookups(assembly);
  progress.stage('references');
  await splitReferences(assembly);
  await fillUnits(assembly);
  progress.stage('places of awards');
  await fillAwards(warehouse);
  const replacedSince = await writeLineage(assembly);
  await fillAnomalyHistory(assembly);
  await destination.fillAnswers(assembly);
  return replacedSince;
}
