import { errorPage } from './docs/errors.ts';
import { showHealth } from './health/health.ts';
import type { Operation } from './operation.ts';
import { altersstruktur } from './regions/altersstruktur.ts';
import { momentaufnahme } from './regions/momentaufnahme.ts';
import { zeitreihe } from './regions/zeitreihe.ts';
import { showUnit } from './units/detail.ts';
import { listUnitFields } from './units/fields.ts';
import { listUnits } from './units/list.ts';

/** Everything the service answers. */
export const OPERATIONS: readonly Operation[] = [
  listUnits,
  listUnitFields,
  showUnit,
  zeitreihe,
  altersstruktur,
  momentaufnahme,
  showHealth,
  errorPage,
];
