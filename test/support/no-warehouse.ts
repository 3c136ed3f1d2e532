import type { Warehouse } from '../../api/warehouse/warehouse.ts';

/** A warehouse that serves nothing. */
export const NO_WAREHOUSE: Warehouse = {
  acquire: () => null,
  served: () => null,
  publications: () => [],
  openBeside: async (version) => {
    throw new Error(`There is no version ${version}`);
  },
  connections: () => ({ busy: 0, idle: 0, waiting: 0 }),
  catchUp: async () => {},
  upToDate: () => false,
  versions: async () => [],
  report: async () => null,
  close: () => {},
};
