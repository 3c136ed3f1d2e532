import { readFileSync } from 'node:fs';
import { comparable, differencesOf } from '../../ingest/assembly/compare.ts';
import { openReadWrite } from '../../ingest/duckdb/connection.ts';
import { openRegionDays } from '../../sql/warehouse/regions/reader.ts';
import { openEarlierLists } from '../../sql/warehouse/search/earlier.ts';
import { ordersFile, regionDaysFile, rowFile, searchFile, versionFile } from '../../sql/warehouse/versions.ts';
import { queryVersion } from './warehouse.ts';

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
    if (wordLists(one, version) !== wordLists(other, version)) found.push(searchFile('', ''));
    for (const file of [rowFile, ordersFile]) {
      if (!readFileSync(file(one, version)).equals(readFileSync(file(other, version)))) found.push(file('', ''));
    }
    const [days, daysOfOther] = [await regionDays(one, version), await regionDays(other, version)];
    if (days !== daysOfOther) found.push(regionDaysFile('', ''));
    return found;
  } finally {
    await engine.close();
  }
}

/** The places of the units that have each word. */
function wordLists(warehouse: string, version: string): string {
  const lists = openEarlierLists(searchFile(warehouse, version));
  try {
    const lines = lists.words.map((word, number) => {
      const places = new Set<number>();
      if (lists.isUsed(number)) lists.eachPlace(number, (place) => places.add(place));
      return `${word} ${[...places].sort((a, b) => a - b)}`;
    });
    return lines.sort().join('\n');
  } finally {
    lists.close();
  }
}

/** The days of all regions, by the places that these are. */
async function regionDays(warehouse: string, version: string): Promise<string> {
  const regions = await queryVersion<{ region: number; name: string }>(
    warehouse,
    version,
    `SELECT region, concat_ws('|', bundesland, landkreis, gemeinde, gemeindeschluessel, plz) AS name FROM regionen`,
  );
  const file = openRegionDays(regionDaysFile(warehouse, version));
  try {
    const lines: string[] = [];
    for (const { region, name } of regions) {
      const withPostcode = file.withPostcode(name.split('|').at(-1) ?? '').includes(region);
      await file.read([region], ({ serie, einheitTyp, statusId }) => (...day) => {
        lines.push([name, withPostcode, serie, einheitTyp, statusId, ...day].join(' '));
      });
    }
    return lines.sort().join('\n');
  } finally {
    file.close();
  }
}
