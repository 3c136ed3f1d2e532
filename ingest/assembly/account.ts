import { itemAt } from '../../runtime/present.ts';
import { fieldsOf } from '../../sql/register/fields.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { Archive } from '../archive/archive.ts';
import type { Member } from '../archive/member.ts';
import { takeMeasures } from '../checks/measures.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import type { ReadCatalogues } from '../read/catalogues.ts';
import type { MemberResult } from '../read/read-member.ts';
import type { CarrierCounts, Changes, Measure, MemberAccount } from '../run/build-report.ts';
import type { Finding } from '../stage/findings.ts';
import { STAGED_TABLES } from '../stage/tables.ts';

/** Accounts for every member of the export and every record in it, in tables of the version. */

export interface Account {
  readonly dateien: readonly MemberAccount[];
  readonly units: CarrierCounts;
  /** Number of findings of each kind. */
  readonly befunde: Readonly<Record<string, number>>;
  readonly measures: readonly Measure[];
  readonly changes: Changes | null;
}

/** Writes `dateien`, `befunde` and `katalogwerte`, and returns the account. */
export async function writeAccount(
  warehouse: WarehouseConnection,
  archive: Archive,
  results: readonly MemberResult[],
  catalogues: ReadCatalogues,
  comparison: { readonly before: boolean; readonly sequence: number },
): Promise<Account> {
  const duplicates = await countDuplicates(warehouse);
  const dateien = archive.members.map((member) => accountOf(member.index, archive, results, catalogues, duplicates));
  await warehouse.append(
    'dateien',
    dateien.map((one) => [
      one.datei,
      one.art,
      one.teil,
      one.verwendung,
      one.bytes,
      one.gelesen,
      one.geladen,
      one.doppelt,
      one.abgelehnt,
    ]),
  );
  await warehouse.append(
    'befunde',
    [...catalogues.members, ...results]
      .filter(({ member }) => isKnown(itemAt(archive.members, member)))
      .flatMap(({ member, findings }) => findings.map((finding) => findingRow(archive, member, finding))),
  );
  // A file of an unknown kind is reported as a whole, since the meaning of its elements is unknown.
  await warehouse.append(
    'befunde',
    archive.members
      .filter((member) => !isKnown(member))
      .map(({ name, kind }) => [name, kind ?? name, 'datei_unbekannt', null, null, null, null, null, 1]),
  );
  await warehouse.append(
    'katalogwerte',
    catalogues.rows.map(({ kategorie, id, wert }) => [kategorie, id, wert]),
  );
  await warehouse.run(warehouseSql('not-served.sql'));
  const units = await warehouse.rows<{ einheitTyp: string; n: bigint }>(
    'SELECT einheitTyp, count(*) AS n FROM units GROUP BY ALL ORDER BY ALL',
  );
  const befunde = await warehouse.rows<{ befund: string; n: bigint }>(
    'SELECT befund, sum(anzahl)::BIGINT AS n FROM befunde GROUP BY ALL ORDER BY ALL',
  );
  return {
    dateien,
    units: Object.fromEntries(units.map(({ einheitTyp, n }) => [einheitTyp, Number(n)])),
    befunde: Object.fromEntries(befunde.map(({ befund, n }) => [befund, Number(n)])),
    measures: await takeMeasures(warehouse, comparison),
    changes: comparison.before ? await changesOf(warehouse, comparison.sequence) : null,
  };
}

async function changesOf(warehouse: WarehouseConnection, sequence: number): Promise<Changes> {
  const row = firstRow(await warehouse.rows<Record<keyof Changes, bigint>>(warehouseSql('changes.sql', { sequence })));
  return { added: Number(row.added), changed: Number(row.changed), gone: Number(row.gone) };
}

const isKnown = ({ kind }: Member): boolean => kind !== null && fieldsOf(kind).length > 0;

/** Number of records by member that another record with the same key replaced. */
async function countDuplicates(warehouse: WarehouseConnection): Promise<Map<number, number>> {
  const each = STAGED_TABLES.map(({ name }) => `SELECT _datei AS member FROM duplicates_${name}`);
  const rows = await warehouse.rows<{ member: number; n: bigint }>(
    `SELECT member, count(*) AS n FROM (${each.join(' UNION ALL ')}) GROUP BY ALL`,
  );
  return new Map(rows.map(({ member, n }) => [member, Number(n)]));
}

function accountOf(
  index: number,
  archive: Archive,
  results: readonly MemberResult[],
  catalogues: ReadCatalogues,
  duplicates: ReadonlyMap<number, number>,
): MemberAccount {
  const { name, kind, part, bytes } = itemAt(archive.members, index);
  const common = { datei: name, art: kind ?? name, teil: part };
  const catalogue = catalogues.members.find(({ member }) => member === index);
  if (catalogue !== undefined) {
    const { read, refused } = catalogue;
    return {
      ...common,
      verwendung: 'katalog',
      bytes,
      gelesen: read,
      geladen: read - refused,
      doppelt: 0,
      abgelehnt: refused,
    };
  }
  const result = results.find(({ member }) => member === index);
  if (result === undefined) {
    return { ...common, verwendung: 'unbekannt', bytes, gelesen: 0, geladen: 0, doppelt: 0, abgelehnt: 0 };
  }
  const { read, refused, staged, table } = result;
  const doppelt = duplicates.get(index) ?? 0;
  const unused = isKnown(itemAt(archive.members, index)) ? 'ungenutzt' : 'unbekannt';
  const verwendung = table === null ? unused : 'tabelle';
  return { ...common, verwendung, bytes, gelesen: read, geladen: staged - doppelt, doppelt, abgelehnt: refused };
}

function findingRow(archive: Archive, member: number, finding: Finding): (string | number | null)[] {
  const { name, kind } = itemAt(archive.members, member);
  const { element, raw, note, example, record, count } = finding;
  return [name, kind ?? name, finding.kind, element, raw, note, example, record, count];
}
