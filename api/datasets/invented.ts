import { z } from 'zod';
import type { VersionReader } from '../warehouse/version.ts';

/** Versions of earlier releases do not say it; a fixed list of columns would fail there. */
const datasetRow = z.looseObject({ erfunden: z.boolean().nullish() });

/** Returns true where the generator made the export of the version: its units are those of no register. */
export async function isInvented(version: Pick<VersionReader, 'kept'>): Promise<boolean> {
  const [row] = await version.kept(datasetRow, { text: 'SELECT * FROM dataset', values: {} });
  return row?.erfunden === true;
}
