import { type ChangedUnit, changedUnits } from '../../../api/alerts/changes.ts';
import { openComparison, type Versions } from '../../../api/alerts/versions.ts';
import { folderVersions } from '../../../api/warehouse/duckdb/version-store.ts';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { queryVersion } from '../../support/warehouse.ts';

/** Changes between versions, as the service finds them, and by comparing every unit of one with every unit of the other. */

const METER = { statementEnded: () => {}, unitsRead: () => {} };

export const versionsIn = (warehouse: string): Versions =>
  folderVersions(warehouse, { threads: 1, memoryMb: 256 }, METER);

/** A change as the tests write it. */
export interface Change {
  readonly mastrNummer: string;
  readonly isNew: boolean;
  readonly signals: number;
  readonly signalsBefore: number;
}

export const EVERYTHING = { newUnits: true, signals: 2 ** 31 - 1, watches: [] };

export async function changesFound(versions: Versions, from: string, to: string): Promise<Change[]> {
  const opened = await openComparison(versions, to, from);
  const found: ChangedUnit[] = [];
  try {
    for await (const units of changedUnits(opened, EVERYTHING, { changed: 0 }, () => {})) found.push(...units);
  } finally {
    await opened.close();
  }
  return found.map(({ digits, watched: _, ...unit }) => ({ mastrNummer: unitNumberOf(digits), ...unit }));
}

export async function changesOfAll(warehouse: string, from: string, to: string): Promise<Change[]> {
  const [before, now] = await Promise.all([signalsOf(warehouse, from), signalsOf(warehouse, to)]);
  return [...now]
    .map(([mastrNummer, signals]) => ({
      ...{ mastrNummer, signals, isNew: !before.has(mastrNummer) },
      signalsBefore: before.get(mastrNummer) ?? 0,
    }))
    .filter(({ isNew, signals, signalsBefore }) => isNew || signals !== signalsBefore)
    .sort((a, b) => (a.mastrNummer < b.mastrNummer ? -1 : 1));
}

async function signalsOf(warehouse: string, version: string): Promise<ReadonlyMap<string, number>> {
  const rows = await queryVersion<{ mastrNummer: string; signals: number }>(
    warehouse,
    version,
    'SELECT mastrNummer, CAST(signals AS DOUBLE) AS signals FROM units',
  );
  return new Map(rows.map(({ mastrNummer, signals }) => [mastrNummer, signals]));
}
