import { itemAt } from '../../../runtime/present.ts';
import { openCheckedFile } from '../checked-file.ts';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import { turns } from '../search/turns.ts';
import { type DayGroup, hasEnergy, MAGIC, MAGIC_WITHOUT_ENERGY, type RegionDaysHeader } from './layout.ts';

/** Takes the units of one day. @param day its number; 0 = none @param wattHours energy of storage; 0 in files without */
export type TakeDay = (day: number, units: number, watts: number, wattHours: number) => void;

export interface RegionDays {
  /** Returns the numbers of the regions whose postal code begins with these digits. */
  withPostcode(beginning: string): number[];
  /**
   * Hands out the days of regions. Other work gets its turn between regions.
   * @param takes called with each group before its days, ascending, are handed to what it returns; null for a group that is not asked for
   * @throws Damaged when a block is not as it was written
   */
  read(regions: readonly number[], takes: (group: DayGroup) => TakeDay | null): Promise<void>;
  readonly groups: readonly DayGroup[];
  /** Returns the bytes of a region, valid until the next call; none for a region that the file does not know. @throws Damaged */
  bytesOf(region: number): Uint8Array;
  /** Reads every block. @returns a message for each that differs from what was written */
  damagedBlocks(): Generator<string>;
  close(): void;
}

/** @throws Damaged when the file has no days of regions, or not all */
export function openRegionDays(path: string): RegionDays {
  const file = openCheckedFile(path, MAGIC, MAGIC_WITHOUT_ENERGY);
  try {
    const { groups, postcodes } = file.about as RegionDaysHeader;
    const starts = file.numbers('days.starts', Float64Array);
    if (starts.length !== postcodes.length + 1) {
      throw new Damaged(path, `it has ${starts.length - 1} of ${postcodes.length} regions`, VERSION_REMEDY);
    }
    const bytesOf = (region: number): Uint8Array => {
      const [from, to] = [itemAt(starts, region - 1), itemAt(starts, region)];
      return file.read('days.bytes', from, to - from);
    };
    return {
      groups,
      bytesOf: (region) => (region > postcodes.length ? new Uint8Array(0) : bytesOf(region)),
      withPostcode: (beginning) =>
        postcodes.flatMap((postcode, index) => (postcode?.startsWith(beginning) ? [index + 1] : [])),
      async read(regions, takes) {
        const turn = turns();
        for (const region of regions) {
          handOut(bytesOf(region), groups, file.magic === MAGIC, takes);
          const pause = turn();
          if (pause !== null) await pause;
        }
      },
      damagedBlocks: file.damagedBlocks,
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Hands out the days of one region. */
function handOut(
  bytes: Uint8Array,
  groups: readonly DayGroup[],
  withEnergy: boolean,
  takes: (group: DayGroup) => TakeDay | null,
): void {
  let at = 0;
  const number = (): number => {
    const byte = bytes[at++] ?? 0;
    return byte < 0x80 ? byte : longNumber(byte);
  };
  const longNumber = (first: number): number => {
    let value = first & 0x7f;
    for (let byte = first, unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * unit;
    }
    return value;
  };
  while (at < bytes.length) {
    const group = itemAt(groups, number());
    const take = takes(group);
    const energy = withEnergy && hasEnergy(group);
    let day = 0;
    for (let left = number(); left > 0; left--) {
      day += number();
      const units = number();
      const watts = signed(number());
      const wattHours = energy ? signed(number()) : 0;
      take?.(day, units, watts, wattHours);
    }
  }
}

/** Undoes what the writer does to a number that may be negative. */
const signed = (number: number): number => (number % 2 === 0 ? number / 2 : -(number + 1) / 2);
