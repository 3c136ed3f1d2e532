import type { Warehouse } from '../../api/warehouse/warehouse.ts';

/** A warehouse that serves nothing. */
export const NO_WAREHOUSE: Warehouse = {
  take: () => null,
  served: () => null,
  connections: () => ({ busy: 0, idle: 0, waiting: 0 }),
  upToDate: () => false,
  kept: async () => [],
  report: async () => null,
  close: () => {},
};
