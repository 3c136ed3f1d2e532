import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { LOCATIONS, neighbourRow, neighboursStatement } from '../../sql/query/neighbours.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { Problem } from '../problem/problem.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { unitsByNumber } from './read.ts';

/** The other units at the location of a unit, in short. Each is served under its own number, too, with all that is said here. */

/** Most that one answer lists; a few places have thousands. */
const MOST_NEIGHBOURS = 100;

const neighbour = z
  .strictObject({
    mastrNummer: z.string(),
    einheitTyp: z.enum(CARRIERS),
    energietraeger: z.string().nullable(),
    betriebsStatus: z.string().nullable(),
    bruttoleistungKw: z.number().nullable(),
  })
  .meta({ id: 'Neighbour' });

const FIELDS = Object.keys(neighbour.shape).map(fieldNamed);

export const neighboursShape = z
  .strictObject({
    anzahl: z.int().describe('Other units at the location, whatever their status'),
    einheiten: z.array(neighbour).describe(`The first ${MOST_NEIGHBOURS} of them, by number`),
  })
  .describe('With include=standort: the other units at the location of the unit');

/**
 * @param location MaStR number; null = the unit has none, and no neighbours
 * @throws Problem SERVICE_UNAVAILABLE for a version of an earlier release
 */
export async function neighboursOf(
  unit: string,
  location: string | null,
  dataset: Dataset,
  today: string,
): Promise<z.infer<typeof neighboursShape>> {
  if (location === null) return { anzahl: 0, einheiten: [] };
  if (!dataset.tables.has(LOCATIONS)) {
    throw new Problem('SERVICE_UNAVAILABLE', 'The version that is served does not know what stands at one location', {
      retryAt: Date.now() + 600_000,
    });
  }
  const question = { location, unit, limit: MOST_NEIGHBOURS };
  const found = await dataset.query(neighbourRow, neighboursStatement(question, dataset.dialects.units));
  const numbers = found.map(({ digits }) => unitNumberOf(digits));
  const rows = await unitsByNumber(dataset, numbers, FIELDS, today);
  return { anzahl: found[0]?.total ?? 0, einheiten: rows.map((row) => neighbour.parse(row)) };
}
