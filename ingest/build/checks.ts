import type { Archive } from '../archive/archive.ts';
import { STAGED_TABLES } from '../stage/tables.ts';

/** What must hold before a version may be served. Each failed check is a sentence for the report. */

export interface CarrierCounts {
  readonly [carrier: string]: number;
}

export interface Band {
  /** Share by which a carrier may shrink, e.g. 0.05. */
  readonly shrink: number;
  readonly grow: number;
}

/** Kinds of files that the service needs and the archive lacks. */
export function missingKinds(archive: Archive): string[] {
  const present = new Set(archive.members.map(({ kind }) => kind));
  const missing = STAGED_TABLES.filter((table) => table.needed)
    .flatMap((table) => table.kinds)
    .filter((kind) => !present.has(kind));
  return missing.map((kind) => `The export has no file ${kind}.xml, which the service needs`);
}

/** A band says nothing about a handful: below this many units before, one unit is no more than a unit. */
const SMALLEST_STOCK = 200;

/** Carriers whose count leaves its band against the version before. */
export function outOfBand(before: CarrierCounts, now: CarrierCounts, band: Band): string[] {
  const faults: string[] = [];
  for (const [carrier, was] of Object.entries(before)) {
    const is = now[carrier] ?? 0;
    if (was > 0 && is === 0) faults.push(`${carrier}: ${was} units before, none now`);
    if (is === 0 || was < SMALLEST_STOCK) continue;
    const change = (is - was) / was;
    if (change >= -band.shrink && change <= band.grow) continue;
    faults.push(
      `${carrier}: ${is} units after ${was}, ${percent(change)}; allowed are ${percent(-band.shrink)} to ${percent(band.grow)}`,
    );
  }
  return faults;
}

/** An export without a single unit is none, whatever was there before. */
export const noUnits = (now: CarrierCounts): string[] =>
  Object.values(now).some((count) => count > 0) ? [] : ['The export holds no units'];

const percent = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
