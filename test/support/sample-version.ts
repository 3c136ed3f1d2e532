import { openDuckdbVersion } from '../../api/warehouse/duckdb/version.ts';
import type { OpenVersion } from '../../api/warehouse/version.ts';
import {
  currentPublication,
  ordersFile,
  type Publication,
  regionDaysFile,
  rowFile,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from './built.ts';

/** The sample as an open version of which tests count the statements. */
export interface SampleVersion {
  readonly publication: Publication;
  readonly version: OpenVersion;
  /** The number of statements that have ended so far. */
  readonly statements: () => number;
  readonly close: () => void;
}

/** Files beside the tables from which some answers are read without statements. */
const FILES = { orders: ordersFile, regionDays: regionDaysFile };

/** Builds and opens the sample, with one of these files. */
export async function openSample(file: keyof typeof FILES): Promise<SampleVersion> {
  const warehouse = warehouseFolder();
  await publishSample(warehouse.path);
  const publication = currentPublication(warehouse.path)!;
  const pathOf = (path: (warehouse: string, version: string) => string) => path(warehouse.path, publication.version);
  let statements = 0;
  const version = await openDuckdbVersion(
    {
      tables: pathOf(versionFile),
      rows: pathOf(rowFile),
      search: null,
      orders: null,
      regionDays: null,
      [file]: pathOf(FILES[file]),
    },
    { threads: 1, memoryMb: 128 },
    {
      statementEnded() {
        statements += 1;
      },
      unitsRead() {},
    },
  );
  return {
    publication,
    version,
    statements: () => statements,
    close() {
      version.close();
      warehouse.remove();
    },
  };
}
