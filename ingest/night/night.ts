import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dayRuleBits } from '../../sql/catalogue/anomalies.ts';
import { signalsExpression } from '../../sql/catalogue/signals.ts';
import { isInRange, unitNumberOf } from '../../sql/register/mastr-number.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { fillAnomalyHistory } from '../assembly/anomaly-history.ts';
import type { Assembly } from '../assembly/assembly.ts';
import { type LaneTask, runOnLanes, statement } from '../assembly/lanes.ts';
import { writeNightLineage } from '../assembly/lineage.ts';
import { fillLookups, fillRegisterLookups } from '../assembly/lookups.ts';
import { openHistory } from '../assembly/previous-version.ts';
import { RECORDS } from '../assembly/records.ts';
import { splitReferences } from '../assembly/references.ts';
import { prepareRates } from '../assembly/support.ts';
import { fillAwards } from '../assembly/tenders.ts';
import { fillUnits } from '../assembly/units.ts';
import { type Destination, FromNothing, type NightDestination } from '../destination/destination.ts';
import { type EngineLimits, openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { silentProgress } from '../run/progress.ts';
import { sliceRanges } from '../stage/slices.ts';
import { type Basis, changedBasis } from './basis.ts';

/**
 * Makes a version out of the one before: the records of the export are compared with those of that version, the units that a change
 * can affect are computed by the statements of every build, for these units alone, and their rows replace those that were there.
 */

export interface Night<To extends Destination = NightDestination> {
  readonly assembly: Assembly & { readonly destination: To };
  readonly basis: Basis;
  /** Folder of what is made on the way. */
  readonly folder: string;
  readonly limits: EngineLimits;
  readonly signal: AbortSignal | undefined;
  /** Of more units than this share, computing some costs more than computing all; by default 0.3. */
  readonly mostAffected: number | undefined;
  /** Fewer units than this are always worth it; by default 5000. */
  readonly alwaysWorth: number | undefined;
  /** Units that are joined at once; by default 80,000. */
  readonly unitsAtOnce: number | undefined;
}

const MOST_AFFECTED = 0.3;
const ALWAYS_WORTH = 5000;

/** Fewer than a slice of a build has, as the engine has half of its memory. */
const UNITS_AT_ONCE = 80_000;

/** Parts of the records of one staged table that are compared at a time: a whole register has 40 million in all. */
const PARTS = 4;

/** Staged tables of few records. */
const TAKEN_WHOLE = ['kwk', 'genehmigung', 'rolle', 'netz', 'bilanzierungsgebiet', 'geloescht'];

/**
 * Fills all tables of a version that begins as a copy of the one before.
 * @returns dataset.ersetztAb (lineage.ts), and the number of units that were computed
 * @throws FromNothing before anything was published; the database is of no use then
 */
export async function assembleNight(night: Night): Promise<{ replacedSince: number; affected: number }> {
  const { warehouse, lanes, destination, progress, nep } = night.assembly;
  const { assembly } = night;
  await warehouse.run('SET parquet_metadata_cache = true');
  for (const lane of lanes) await lane.run(macroStatements());
  await destination.openTables(warehouse);
  await openHistory(assembly);
  await requireSameBasis(night);
  await fillRegisterLookups(assembly);
  progress.stage('changes');
  const affected = await findAffected(night);
  progress.stage('units', affected, 'units');
  await computeUnits(night);
  await warehouse.run(warehouseSql('night-replace.sql'));
  await destination.replaceUnits(warehouse);
  if (nep !== null) await warehouse.run(warehouseSql('nep-account.sql'));
  await requireAllUnits(warehouse);
  progress.advance(affected);
  progress.stage('places of awards');
  await fillAwards(warehouse);
  const replacedSince = await writeNightLineage(assembly, 'former_units');
  await fillAnomalyHistory(assembly);
  await destination.fillAnswers({
    ...assembly,
    replaced: { numbers: 'affected', rows: 'present_units', former: 'former_units' },
  });
  return { replacedSince, affected };
}

const BASIS_IN_WORDS: Readonly<Record<string, string>> = {
  version: 'the version before is of an earlier release',
  programm: 'the program has changed',
  ausschreibungen: 'the tenders are others',
  orte: 'the list of places has changed',
  nep: 'the list of the grid development plan has changed',
  erasures: 'the past of more numbers is to be forgotten',
};

async function requireSameBasis({ assembly: { warehouse, olderExports }, basis }: Night): Promise<void> {
  const [changed] = await changedBasis(warehouse, basis);
  if (changed !== undefined) throw new FromNothing(BASIS_IN_WORDS[changed] ?? changed);
  if (olderExports.length > 0) throw new FromNothing('older exports were taken in');
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM withdrawn_versions'));
  if (Number(n) > 0) throw new FromNothing('a version was withdrawn since the version before was built');
}

/** Those of which units need some records, and the condition that finds these. */
const TAKEN_IN_PART: Readonly<Record<string, string>> = {
  eeg: 'EegMaStRNummer IN (SELECT eeg FROM wanted)',
  speicher: `MaStRNummer IN (SELECT speicher FROM wanted)
    OR MaStRNummer IN (SELECT anlage FROM named_by_plants SEMI JOIN surrounding ON nummer = einheit)`,
  lokation: 'MastrNummer IN (FROM wanted_locations)',
  punkt: 'NetzanschlusspunktMastrNummer IN (SELECT punkt FROM wanted_points)',
  akteur: `MastrNummer IN (SELECT betreiber FROM wanted)
    OR MastrNummer IN (SELECT netzbetreiber FROM wanted_points) OR Netz IS NOT NULL`,
};

/** Finds the units that a change can affect, `affected`, and those that these are computed with, `surrounding`. @returns their number */
async function findAffected({
  assembly,
  mostAffected = MOST_AFFECTED,
  alwaysWorth = ALWAYS_WORTH,
}: Night): Promise<number> {
  const { warehouse, stage, self, before } = assembly;
  await warehouse.run(warehouseSql('night-ties.sql', { file: literal(join(stage, 'ties.parquet')) }));
  await warehouse.run('CREATE TABLE scratch.changed (tabelle VARCHAR, nummer BIGINT, wirkt BOOLEAN)');
  await runOnLanes(
    assembly.lanes,
    RECORDS.flatMap(({ table, others }) =>
      Array.from({ length: PARTS }, (_, part) =>
        statement(warehouseSql('night-changed.sql', { table, others: String(others === 'all'), parts: PARTS, part })),
      ),
    ),
  );
  const [day, dayBefore] = [self.exportDay, before?.exportDay ?? self.exportDay];
  await warehouse.run(
    warehouseSql('night-touched.sql', {
      day: `DATE ${literal(day)}`,
      dayBefore: `DATE ${literal(dayBefore)}`,
      signals: signalsExpression(day),
      rulesNow: dayRuleBits(day),
      rulesThen: dayRuleBits(dayBefore),
    }),
  );
  await warehouse.run(warehouseSql('night-spread.sql', { from: 'spreading', to: 'reached' }));
  await warehouse.run('CREATE TABLE scratch.affected AS FROM touched UNION FROM reached');
  const count = firstRow(
    await warehouse.rows<{ affected: bigint; units: bigint }>(
      'SELECT (SELECT count(*) FROM affected) AS affected, (SELECT count(*) FROM ties) AS units',
    ),
  );
  const [affected, units] = [Number(count.affected), Number(count.units)];
  if (affected > Math.max(alwaysWorth, units * mostAffected))
    throw new FromNothing(`the changes affect ${affected} of ${units} units`);
  await warehouse.run(warehouseSql('night-spread.sql', { from: 'affected', to: 'surrounding' }));
  return affected;
}

/** Computes the units in a database of their own, which stays attached as `computed`. */
async function computeUnits({ assembly, folder, limits, signal, unitsAtOnce = UNITS_AT_ONCE }: Night): Promise<void> {
  const { warehouse, stage } = assembly;
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM surrounding'));
  const slices = Math.max(1, Math.ceil(Number(n) / unitsAtOnce));
  const own = join(folder, 'affected');
  const replaced = join(folder, 'replaced.duckdb');
  const fileOf = (table: string, slice = 0): string => {
    const of = join(own, table, String(slice));
    mkdirSync(of, { recursive: true });
    return literal(join(of, 'records.parquet'));
  };
  // A night that is made once more finds what it made before.
  for (const made of [own, replaced]) rmSync(made, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  for (const table of TAKEN_WHOLE) cpSync(join(stage, table), join(own, table), { recursive: true });
  const awards = {
    unitAwards: literal(join(own, 'unit-awards.parquet')),
    eegAwards: literal(join(own, 'eeg-awards.parquet')),
  };
  await warehouse.run(warehouseSql('night-wanted.sql'));
  const copy = (table: string, which: string, file: string): LaneTask =>
    statement(`COPY (FROM ${table} WHERE ${which}) TO ${file} (FORMAT parquet)`);
  await runOnLanes(assembly.lanes, [
    ...sliceRanges(slices).map((range, slice) => {
      const which = `EinheitMastrNummer IN (FROM surrounding) AND ${isInRange('EinheitMastrNummer', range)}`;
      return copy('staged_einheit', which, fileOf('einheit', slice));
    }),
    ...Object.entries(TAKEN_IN_PART).map(([table, which]) => copy(`staged_${table}`, which, fileOf(table))),
    copy('unit_awards', 'einheit IN (FROM surrounding)', awards.unitAwards),
    copy('eeg_awards', 'eeg IN (SELECT eeg FROM wanted)', awards.eegAwards),
  ]);
  // It is read once, and goes with the build: how it would compress best need not be found out.
  await warehouse.run(`SET force_compression = 'uncompressed'`);
  await warehouse.run(`ATTACH ${literal(replaced)} AS replaced`);
  await warehouse.run(warehouseSql('night-former.sql'));
  // Of all units at once, the engine would hold whole rows of many.
  await runOnLanes(
    assembly.lanes,
    sliceRanges(assembly.slices).map(({ from, to }) =>
      statement(warehouseSql('night-former-units.sql', { from: unitNumberOf(from), to: unitNumberOf(to) })),
    ),
  );
  // Two engines have one file in common as long as both only read it.
  await warehouse.run('DETACH replaced');
  const database = join(own, 'units.duckdb');
  // Two engines share the memory of one.
  const half = Math.floor(limits.memoryMb / 2);
  await warehouse.limitMemory(half);
  const engine = await openReadWrite(database, { ...limits, memoryMb: half }, signal);
  try {
    await fillAffected(engine, {
      ...assembly,
      ...{ warehouse: engine, lanes: [engine], progress: silentProgress, stage: own, slices, awards },
      destination: {
        ...assembly.destination,
        takeOver: 'units are no version to go on from',
        attach: (_, __, name) => engine.run(`ATTACH ${literal(replaced)} AS ${name} (READ_ONLY)`),
      },
    });
    await engine.run('DETACH previous_version');
  } finally {
    await engine.close();
    await warehouse.limitMemory(limits.memoryMb);
  }
  await warehouse.run(`ATTACH ${literal(database)} AS computed (READ_ONLY)`);
  await warehouse.run(`ATTACH ${literal(replaced)} AS replaced`);
  await warehouse.run(warehouseSql('night-present.sql'));
  await warehouse.run(`SET force_compression = 'auto'`);
}

async function fillAffected(engine: WarehouseConnection, small: Assembly): Promise<void> {
  await engine.run(`SET force_compression = 'uncompressed'`);
  await engine.run(warehouseSql('tables.sql'));
  await engine.run(macroStatements());
  await prepareRates([engine]);
  await small.destination.prepare([engine]);
  await fillLookups(small);
  await splitReferences(small);
  await fillUnits(small);
}

async function requireAllUnits(warehouse: WarehouseConnection): Promise<void> {
  const { units, served } = firstRow(
    await warehouse.rows<{ units: bigint; served: bigint }>(
      'SELECT (SELECT count(*) FROM units) AS units, (SELECT count(*) FROM served_units) AS served',
    ),
  );
  if (units !== served) throw new FromNothing(`there would be ${units} units, and the export has ${served}`);
}
