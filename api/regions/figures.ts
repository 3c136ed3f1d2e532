import { z } from 'zod';
import type { VersionReader } from '../warehouse/version.ts';

/** Converts kW to MW, rounded to 6 decimals, which are all that kW with three decimals can have. */
export const megawatts = (kw: number): number => Math.round(kw * 1000) / 1e6;

/** The energy of storage in a sum, in MWh, rounded likewise; null in a version of an earlier release, which has none. */
export const megawattHours = (kwh: number, { dialects }: Pick<VersionReader, 'dialects'>): number | null =>
  dialects.units.storageEnergy ? Math.round(kwh * 1000) / 1e6 : null;

/** The member of that name. @param storage whose energy it is */
export const energyShape = (storage: string) =>
  z
    .number()
    .nullable()
    .describe(
      `Usable capacity of ${storage} (MWh), of each plant once; null where an earlier release built the version`,
    );

/** Returns the share of a whole, rounded to 4 decimals; null when the whole is zero. */
export const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1e4) / 1e4;

/** Returns the same day some years earlier; 28 February where there is no 29th. */
export function yearsBefore(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) - years).padStart(4, '0');
  const sameDay = `${year}${day.slice(4)}`;
  return new Date(`${sameDay}T00:00:00Z`).toISOString().startsWith(sameDay) ? sameDay : `${year}-02-28`;
}

/** Returns the day some days earlier; both are YYYY-MM-DD. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}
