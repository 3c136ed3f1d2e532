import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { isArea } from '../../sql/query/space.ts';
import { totalStatement, type UnitCriteria } from '../../sql/query/units.ts';
import type { VersionReader } from '../warehouse/version.ts';

/** Says how the units of a part of the map were found: most have no published coordinates. */

export const spaceShape = {
  raum: z
    .strictObject({
      mitKoordinaten: z.int().describe('Units that lie there by their coordinates'),
      anGemeindepunkt: z
        .int()
        .describe('Units without published coordinates, which count at the point of their municipality'),
    })
    .optional()
    .meta({ id: 'UnitsInSpace' })
    .describe('With bbox, umkreis or polygon: how the units were found'),
};

const LOCATED: Condition = { ...entryOf(UNIT_FILTERS, 'hatKoordinaten'), value: true };

/** The member of `meta`; absent without such a filter. @param known how many units meet the criteria; null = they are counted */
export async function spaceMeta(
  criteria: UnitCriteria,
  known: number | null,
  { dialects, total: count }: Pick<VersionReader, 'dialects' | 'total'>,
) {
  const { conditions } = criteria;
  if (!conditions.some(isArea)) return {};
  const located = { ...criteria, conditions: [...conditions, LOCATED] };
  const total = known ?? (await count(totalStatement(criteria, dialects.projections)));
  const mitKoordinaten = total === 0 ? 0 : await count(totalStatement(located, dialects.projections));
  return { raum: { mitKoordinaten, anGemeindepunkt: total - mitKoordinaten } };
}
