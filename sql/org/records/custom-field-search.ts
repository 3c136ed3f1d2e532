import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

export const unitNumberRow = z.strictObject({ mastrNumber: z.string() });

/**
 * Units one of whose own texts contains a term: rows of `mastrNumber`, each once. The unit may have left the register.
 * @param term folded (sql/query/fold.ts)
 */
export const unitsWithText = (organisationId: string, term: string): StoreStatement => sql`
  SELECT DISTINCT mastr_number AS "mastrNumber" FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND position(${term} IN folded_text) > 0
    AND field_id IN (SELECT id FROM custom_fields WHERE organisation_id = ${organisationId}::uuid AND retired_at IS NULL)`;
