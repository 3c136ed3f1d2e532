import type { Logger } from '../sql/log.ts';
import type { Settings } from '../sql/settings.ts';
import type { Health } from './health/probe.ts';
import type { Warehouse } from './warehouse/warehouse.ts';
import type { CursorSeal } from './wire/cursor.ts';

/** What every request shares. */
export interface Service {
  /** With the addresses under which the service is really reached. */
  readonly settings: Settings;
  readonly log: Logger;
  readonly warehouse: Warehouse;
  readonly cursors: CursorSeal;
  readonly health: () => Promise<Health>;
  /** True from the first signal to stop: connections are closed after their answer. */
  stopping: boolean;
}
