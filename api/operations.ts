import { listAudit } from './audit/list.ts';
import { errorPage } from './docs/errors.ts';
import { showOpenApi } from './docs/openapi.ts';
import { showPage, showPageFile } from './docs/page.ts';
import { showHealth } from './health/health.ts';
import { showMe } from './me/me.ts';
import type { Operation } from './operation.ts';
import { listPortfolio } from './portfolio/list.ts';
import { putPortfolioEntries } from './portfolio/put.ts';
import { removePortfolioEntries } from './portfolio/remove.ts';
import { altersstruktur } from './regions/altersstruktur.ts';
import { momentaufnahme } from './regions/momentaufnahme.ts';
import { zeitreihe } from './regions/zeitreihe.ts';
import { showUnit } from './units/detail.ts';
import { listUnitFields } from './units/fields.ts';
import { listUnits } from './units/list.ts';
import { searchUnits } from './units/search.ts';
import { showUsage } from './usage/usage.ts';

/** Everything the service answers. */
export const OPERATIONS: readonly Operation[] = [
  listUnits,
  searchUnits,
  listUnitFields,
  showUnit,
  zeitreihe,
  altersstruktur,
  momentaufnahme,
  listPortfolio,
  putPortfolioEntries,
  removePortfolioEntries,
  listAudit,
  showMe,
  showUsage,
  showHealth,
  showOpenApi(() => OPERATIONS),
  showPage,
  showPageFile,
  errorPage,
];
