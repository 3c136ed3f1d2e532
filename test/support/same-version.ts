import { readFileSync } from 'node:fs';
import { openReadWrite } from '../../ingest/duckdb/connection.ts';
import { comparable, differencesOf } from '../../ingest/night/compare.ts';
import { ordersFile, rowFile, versionFile } from '../../sql/warehouse/versions.ts';

/** What tells two versions of the same name in two warehouses apart: tables with a row of each, and files of other bytes. */
export async function differencesBetween(one: string, other: string, version: string): Promise<string[]> {
  const limits = { memoryMb: 500, threads: 1, temporaryFolder: `${one}/comparing` };
  const engine = await openReadWrite(':memory:', limits);
  try {
    await engine.run(`ATTACH '${versionFile(one, version)}' AS one (READ_ONLY)`);
    await engine.run(`ATTACH '${versionFile(other, version)}' AS other (READ_ONLY)`);
    const found: string[] = [];
    for (const { table, rows } of await differencesOf(engine, 'one', 'other')) {
      const [ofOne, ofOther] = [await comparable(engine, 'one', table), await comparable(engine, 'other', table)];
      const only = async (mine: string, others: string) =>
        JSON.stringify(await engine.rows(`${mine} EXCEPT ALL ${others} ORDER BY ALL LIMIT 2`), (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        );
      found.push(`${table} ${rows.join(' / ')}: ${await only(ofOne, ofOther)} / ${await only(ofOther, ofOne)}`);
    }
    // The search index is written from tables that were compared, in the order in which the engine has their rows.
    for (const file of [rowFile, ordersFile]) {
      if (!readFileSync(file(one, version)).equals(readFileSync(file(other, version)))) found.push(file('', ''));
    }
    return found;
  } finally {
    await engine.close();
  }
}
