import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awardId, awardNumbers } from '../../sql/tenders/award-number.ts';
import { type Calendar, tenderOf } from '../../sql/tenders/calendar.ts';
import { parcelKeys, parcelsOfRegister } from '../../sql/tenders/parcels.ts';
import { SERIES_OF } from '../../sql/tenders/series.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { ListedAward, LoadedTenders } from '../tenders/loaded.ts';
import { parcelsOfCell } from '../tenders/location.ts';
import { largestBidKw } from '../tenders/reference.ts';

/**
 * Links the awards of tenders with units. Numbers and parcels are read from their free texts here, by the same code that
 * reads lists; everything else is SQL (sql/warehouse/duckdb/tenders-*.sql).
 */

export interface TenderAssembly {
  readonly warehouse: WarehouseConnection;
  readonly stage: string;
  readonly tenders: LoadedTenders;
}

/** Fills the rounds and the links, and makes `unit_awards` and `eeg_awards` for the steps that fill the units. */
export async function linkAwards({ warehouse, stage, tenders }: TenderAssembly): Promise<void> {
  const write = tableWriter(join(stage, 'tenders'));
  const { awards, calendar } = tenders;
  const largest = largestBidKw();
  const rounds = tenders.rounds.map((round) => ({ ...round, groesstesGebotKw: largest(round) }));
  await warehouse.run(
    warehouseSql('tenders-loaded.sql', { rounds: write('rounds', rounds), awards: write('awards', awards) }),
  );
  const texts = await warehouse.rows<{ text: string }>('SELECT DISTINCT text FROM plant_texts ORDER BY text');
  const read = texts.map(({ text }) => ({ text, ...awardNumbers(text) }));
  await warehouse.run(
    warehouseSql('tenders-units.sql', {
      numbers: write(
        'numbers',
        read.flatMap(({ text, numbers }) => numbers.map((number) => ({ text, ...awardOf(number, calendar) }))),
      ),
      spellings: write(
        'spellings',
        read.map(({ text, repaired, rest }) => ({ text, berichtigt: repaired, unlesbar: rest.length > 0 })),
      ),
    }),
  );
  const pairs = await commonParcels(warehouse, awards);
  await warehouse.run(warehouseSql('tenders-links.sql', { pairs: write('pairs', pairs) }));
  await warehouse.run(warehouseSql('tenders-findings.sql', { findings: write('findings', tenders.findings) }));
}

/** Fills the awards with what is known of their units, once the units are complete. */
export async function fillAwards(warehouse: WarehouseConnection): Promise<void> {
  await warehouse.run(warehouseSql('tenders-awards.sql'));
}

/**
 * Writes rows as JSON lines, from which the engine makes a table.
 * @returns a function that returns the path of a table's file as an SQL literal
 */
function tableWriter(folder: string): (name: string, rows: readonly object[]) => string {
  mkdirSync(folder, { recursive: true });
  return (name, rows) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return literal(path);
  };
}

function awardOf(number: ReturnType<typeof awardNumbers>['numbers'][number], calendar: Calendar): object {
  const tender = tenderOf(number, calendar);
  return {
    zuschlagsnummer: number.text,
    // The round of a number may never have been.
    technologie: SERIES_OF[number.serie].technologie,
    gebotstermin: tender,
    zuschlag: tender === null ? null : awardId(tender, number.laufnummer),
  };
}

/** It separates the two texts of a unit; the register cannot hold it. */
const SEPARATOR = '\u001f';

/** The pairs of units and awards of lists that have a parcel in common. */
async function commonParcels(
  warehouse: WarehouseConnection,
  awards: readonly ListedAward[],
): Promise<{ einheit: string; zuschlag: number }[]> {
  const awardsByParcel = new Map<string, number[]>();
  for (const award of awards) {
    for (const parcel of parcelKeys(parcelsOfCell(award.flurstueckRoh ?? ''))) {
      const there = awardsByParcel.get(parcel);
      if (there === undefined) awardsByParcel.set(parcel, [award.id]);
      else there.push(award.id);
    }
  }
  if (awardsByParcel.size === 0) return [];
  const pairs: { einheit: string; zuschlag: number }[] = [];
  await warehouse.pairs(
    `SELECT einheit, gemarkung || '${SEPARATOR}' || parcels FROM tender_units
     WHERE gemarkung IS NOT NULL AND parcels IS NOT NULL ORDER BY einheit`,
    (einheit, text) => {
      const [gemarkung = '', parcels = ''] = text.split(SEPARATOR);
      const keys = [...parcelKeys(parcelsOfRegister(gemarkung, parcels))];
      const shared = new Set(keys.flatMap((key) => awardsByParcel.get(key) ?? []));
      for (const zuschlag of shared) pairs.push({ einheit, zuschlag });
    },
  );
  return pairs;
}
