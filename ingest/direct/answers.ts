import { duckdbMastrBits } from '../../sql/register/mastr-number.ts';
import { referenceStatements } from '../assembly/count.ts';
import { runOnLanes, statement } from '../assembly/lanes.ts';
import { nameStatements, textRanges, textStatements } from '../assembly/search.ts';
import type { FinishedUnits } from '../destination/destination.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/**
 * Fills the tables that the engine computes from all units, and the server gets as they are: texts of searches, organisations, values
 * of filters. Projections, rows and roll-ups are filled by the server.
 */
export async function fillSmallTables({ warehouse, lanes, slices, progress }: FinishedUnits): Promise<void> {
  // Organisations count the units of a projection that only files have.
  await warehouse.run(
    `CREATE VIEW units_by_number AS SELECT ${duckdbMastrBits('betreiberMastrNummer')} AS betreiberMastrNummer, betreiberName FROM units`,
  );
  const statements = [
    warehouseSql('organisations.sql'),
    ...nameStatements(slices),
    ...textRanges(slices).map((range) => textStatements(range)),
    ...referenceStatements(),
  ];
  progress.stage('answers', statements.length, 'statements');
  await runOnLanes(
    lanes,
    statements.map((text) => async (lane) => {
      await statement(text)(lane);
      progress.advance(1);
    }),
  );
}
