import { DuckDBInstance } from '@duckdb/node-api';
import { macroStatements } from '../../../ingest/duckdb/sql-files.ts';
import type { UnitField } from '../../../sql/catalogue/field.ts';
import { PACKED_COLUMNS } from '../../../sql/catalogue/packed-columns.ts';
import { PROJECTIONS } from '../../../sql/catalogue/projections.ts';
import { UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { type WarehouseStatement, withLiterals } from '../../../sql/query/statement.ts';
import { projectionStatements } from '../../../sql/warehouse/duckdb/projections.ts';

/** A small table `units` and its projections in memory, for statements that read no other columns. */

export interface Unit {
  readonly mastrNummer: string;
  readonly einheitTyp: string;
  readonly bundesland: string | null;
  readonly plz: string | null;
  readonly bruttoleistungKw: number | null;
  readonly inbetriebnahmedatum: string | null;
  readonly registrierungsdatum: string | null;
}

export const fieldNamed = (name: keyof Unit): UnitField => UNIT_FIELDS.find((field) => field.name === name)!;

export interface MemoryUnits {
  replace(units: readonly Unit[]): Promise<void>;
  query(statement: WarehouseStatement): Promise<Record<string, unknown>[]>;
  close(): void;
}

export async function memoryUnits(): Promise<MemoryUnits> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE units (mastrNummer VARCHAR, nummer BIGINT, einheitTyp VARCHAR, bundesland VARCHAR, plz VARCHAR,
    bruttoleistungKw DECIMAL(18,3), inbetriebnahmedatum DATE, registrierungsdatum DATE,
    landkreis VARCHAR, gemeinde VARCHAR, betreiberMastrNummer VARCHAR, geplantesInbetriebnahmedatum DATE, betriebsStatus VARCHAR,
    longitude DECIMAL(9,6), latitude DECIMAL(9,6), gemeindegebiet INTEGER)`);
  await connection.run(macroStatements());
  const described = await connection.runAndReadAll('SELECT column_name FROM (DESCRIBE units)');
  const names = new Set(described.getRowsJS().flat());
  const columns = new Map([...PACKED_COLUMNS].filter(([name]) => names.has(name)));
  return {
    async replace(units) {
      await connection.run('DELETE FROM units');
      const rows = JSON.stringify(units);
      await connection.run(
        `INSERT INTO units BY NAME SELECT unnest(from_json(CAST($rows AS JSON), '[{"mastrNummer":"VARCHAR","einheitTyp":"VARCHAR",
         "bundesland":"VARCHAR","plz":"VARCHAR","bruttoleistungKw":"DECIMAL(18,3)","inbetriebnahmedatum":"DATE",
         "registrierungsdatum":"DATE"}]'), recursive := true)`,
        { rows },
      );
      await connection.run('UPDATE units SET nummer = mastr_bits(mastrNummer)');
      for (const table of Object.keys(PROJECTIONS)) await connection.run(`DROP TABLE IF EXISTS ${table}`);
      const before = await connection.runAndReadAll(
        "SELECT type_name FROM duckdb_types() WHERE type_name LIKE 'werte_%'",
      );
      for (const [type] of before.getRowsJS()) await connection.run(`DROP TYPE ${type}`);
      const { types, byNumber, sorted } = projectionStatements({ packed: columns });
      for (const text of [types, byNumber, ...sorted.values()]) await connection.run(text);
    },
    query: async (statement) => (await connection.runAndReadAll(withLiterals(statement))).getRowObjectsJS(),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
