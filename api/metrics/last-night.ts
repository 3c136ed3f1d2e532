import type { Logger } from '../../runtime/log.ts';
import { failedNight, type NightRecord, readNights } from '../../runtime/nightly-record.ts';
import type { Publication } from '../../sql/warehouse/versions.ts';

/** The nightly run, as its record in STATE_DIR shows it. */
export interface LastNight {
  /** The night that began last, also while it runs; null when none ever did, or the record cannot be read. */
  readonly last: NightRecord | null;
  /** Nights that failed in a row, up to now; one that runs does not count. */
  readonly failures: number;
  /** The last night that ended failed, and nothing was built and published since. */
  readonly failed: boolean;
}

/** Reads the record of the nights; null before the first. A record that cannot be read counts as a failure. */
export function lastNight(
  stateFolder: string,
  publications: readonly Publication[],
  log: Pick<Logger, 'error'>,
): LastNight | null {
  try {
    const nights = readNights(stateFolder);
    const last = nights.at(-1);
    if (last === undefined) return null;
    const ended = nights.filter(({ outcome }) => outcome !== 'running');
    const failures = ended.length - 1 - ended.findLastIndex(({ outcome }) => outcome !== 'failed');
    return { last, failures, failed: failedNight(stateFolder, publications) !== null };
  } catch (error) {
    log.error({ err: error }, 'the record of the nights cannot be read');
    return { last: null, failures: 0, failed: true };
  }
}
