import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OUTSIDE_M } from '../../sql/catalogue/rules-place.ts';
import { type Municipalities, referenceMunicipalities } from '../boundaries/municipalities.ts';
import { isSamePlace } from '../boundaries/same-place.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';

/** Finds the units whose coordinates lie outside of their municipality, for the rules of plausibility. */

/** This is what is wrong with the place of a unit. One of which nothing is wrong, or nothing is known, has none. */
export interface Misplaced {
  /** From its point to its municipality; null for a unit that names none, or one that is not on the map. */
  readonly abstandGemeindeM: number | null;
  /** Key of the municipality in which the point lies; null outside of the country. */
  readonly agsAmPunkt: string | null;
  /** True: the unit's town is that municipality. */
  readonly ortAmPunkt: boolean | null;
  /** From its point to the land of the country. */
  readonly abstandDeutschlandM: number;
}

/** A unit with coordinates; key and town as the register has them. */
export interface PlacedUnit {
  readonly longitude: number;
  readonly latitude: number;
  readonly key: string | null;
  readonly town: string | null;
}

export function misplacedAs({ longitude, latitude, key, town }: PlacedUnit, map: Municipalities): Misplaced | null {
  const distance = key === null ? null : map.distanceTo(key, longitude, latitude);
  const abstandGemeindeM = distance === null ? null : Math.round(distance);
  if (abstandGemeindeM !== null && abstandGemeindeM <= OUTSIDE_M) return null;
  const there = map.at(longitude, latitude);
  if (abstandGemeindeM === null && there !== null) return null;
  return {
    abstandGemeindeM,
    agsAmPunkt: there?.key ?? null,
    ortAmPunkt: there === null || town === null ? null : there.names.some((name) => isSamePlace(town, name)),
    abstandDeutschlandM: there === null ? Math.round(map.toNearest(longitude, latitude)) : 0,
  };
}

/** Lines that are written at once. */
const LINES = 10_000;

/**
 * Fills `misplaced_units`. They go through a file: a register in which every place is wrong needs no more memory than any other.
 * @param stage folder of the file
 */
export async function findMisplaced(warehouse: WarehouseConnection, stage: string): Promise<void> {
  const path = join(stage, 'misplaced.jsonl');
  const file = openSync(path, 'w');
  try {
    let lines: string[] = [];
    const write = (): void => {
      writeSync(file, lines.join(''));
      lines = [];
    };
    await warehouse.columns(warehouseSql('placed-units.sql'), ([units = [], longitudes, latitudes, keys, towns]) => {
      for (const [row, unit] of units.entries()) {
        const found = misplacedAs(
          {
            longitude: Number(longitudes?.[row]),
            latitude: Number(latitudes?.[row]),
            key: textOrNull(keys?.[row]),
            town: textOrNull(towns?.[row]),
          },
          referenceMunicipalities(),
        );
        if (found !== null) lines.push(`${JSON.stringify({ einheit: String(unit), ...found })}\n`);
      }
      if (lines.length >= LINES) write();
    });
    write();
  } finally {
    closeSync(file);
  }
  await warehouse.run(warehouseSql('misplaced-units.sql', { misplaced: literal(path) }));
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
