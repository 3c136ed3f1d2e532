import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { CONSPICUOUS_UNITS, conspicuousRow, conspicuousStatement } from '../../sql/query/conspicuous.ts';
import type { UnitCriteria } from '../../sql/query/units.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { oneWord } from '../wire/parameters.ts';

/** Sums over units count conspicuous ones unless they are asked not to, and say how many of them there are. */

export const conspicuousParameter = {
  auffaellige: oneWord(['mit', 'ohne'])
    .default('mit')
    .describe(
      '`ohne`: units of which a rule of severity warnung or fehler applies (GET /v1/qualitaet) count in no figure',
    ),
};

export const conspicuousShape = {
  auffaellig: z
    .strictObject({ count: z.int(), bruttoleistungKw: z.number() })
    .nullable()
    .meta({ id: 'ConspicuousUnits' })
    .describe(
      'Conspicuous units among those asked for, each once: with `auffaellige=mit` they are counted in the figures, with `ohne` left out; null for a version that an earlier release built',
    ),
};

/** The condition that a unit is not conspicuous. */
export const NOT_CONSPICUOUS: Condition = { ...entryOf(UNIT_FILTERS, 'auffaellig'), value: false };

/** Counts the conspicuous ones of the units that meet the criteria. */
export async function conspicuousAmong(criteria: UnitCriteria, { tables, dialects, kept, query }: VersionReader) {
  if (!tables.has(CONSPICUOUS_UNITS)) return { auffaellig: null };
  const statement = conspicuousStatement(criteria, dialects.projections);
  const [row] = await (criteria.conditions.length === 0 ? kept : query)(conspicuousRow, statement);
  return { auffaellig: { count: row?.count ?? 0, bruttoleistungKw: row?.kw ?? 0 } };
}
