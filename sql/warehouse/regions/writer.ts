import { itemAt } from '../../../runtime/present.ts';
import { createCheckedFile } from '../checked-file.ts';
import { type DayGroup, hasEnergy, MAGIC, type RegionDaysHeader } from './layout.ts';

export interface RegionDaysWriter {
  /**
   * Adds a row of region_tage; rows come by region, group and day.
   * @param region from 1
   * @param group index in the header
   * @param day its number; 0 = none
   */
  add(region: number, group: number, day: number, units: number, watts: number, wattHours: number): void;
  /** Adds all days of a region, as they are in a file with the same groups. */
  copy(region: number, bytes: Uint8Array): void;
  /** Writes the rest, and closes the file durably. */
  finish(about: Omit<RegionDaysHeader, 'groups'>): void;
  /** Closes a file that will not be finished. */
  abort(): void;
}

/** Bytes that a number takes at most. */
const MOST_NUMBER_BYTES = 8;

/** Writes the days of regions (layout.ts). */
export function createRegionDays(path: string, groups: readonly DayGroup[]): RegionDaysWriter {
  const file = createCheckedFile(path, MAGIC);
  const starts = [0];
  const days = byteList();
  const inRegion = byteList();
  let [regions, group, count, before, written] = [0, -1, 0, 0, 0];

  const endGroup = (): void => {
    if (count === 0) return;
    inRegion.number(group);
    inRegion.number(count);
    inRegion.append(days.take());
    count = 0;
    before = 0;
  };
  const endRegion = (): void => {
    endGroup();
    const bytes = inRegion.take();
    file.write(bytes);
    written += bytes.length;
    starts.push(written);
  };

  const begin = (region: number): void => {
    if (region < regions) throw new Error(`Region ${region} comes after region ${regions}`);
    for (; regions < region; regions++) if (regions > 0) endRegion();
  };

  file.begin('days.bytes');
  return {
    add(region, ofGroup, day, units, watts, wattHours) {
      if (region !== regions) begin(region);
      else if (ofGroup !== group) endGroup();
      group = ofGroup;
      days.number(day - before);
      days.number(units);
      days.number(unsigned(watts));
      if (hasEnergy(itemAt(groups, group))) days.number(unsigned(wattHours));
      before = day;
      count++;
    },
    copy(region, bytes) {
      begin(region);
      inRegion.append(bytes);
    },
    finish({ postcodes }) {
      for (; regions < postcodes.length + 1; regions++) if (regions > 0) endRegion();
      file.begin('days.starts');
      file.write(Float64Array.from(starts));
      file.finish({ groups, postcodes } satisfies RegionDaysHeader);
    },
    abort: file.abort,
  };
}

/** Folds a number that may be negative into those that are not. */
const unsigned = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);

/** Bytes that are appended, and taken all at once. */
function byteList() {
  let bytes = new Uint8Array(1 << 12);
  let length = 0;
  const grow = (by: number): void => {
    if (length + by <= bytes.length) return;
    const larger = new Uint8Array(2 * (length + by));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  };
  return {
    /** Appends a whole number that is not negative. @throws RangeError for any other */
    number(value: number): void {
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number`);
      grow(MOST_NUMBER_BYTES);
      let rest = value;
      // Watts may have more than the 32 bits of bitwise operators.
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[length++] = (rest % 0x80) | 0x80;
      bytes[length++] = rest;
    },
    append(others: Uint8Array): void {
      grow(others.length);
      bytes.set(others, length);
      length += others.length;
    },
    /** Returns all bytes, which are valid until the next are appended. */
    take(): Uint8Array {
      const all = bytes.subarray(0, length);
      length = 0;
      return all;
    },
  };
}
