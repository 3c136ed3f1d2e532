import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { DISABLED_REASONS } from './endpoints.ts';

/** Derives the health of endpoints from attempts: endpoints that fail, and those that are disabled for it. */

/** An endpoint is disabled by an attempt that fails when all have failed for longer than this. */
export const PATIENCE_DAYS = 5;

/** The summary of a series of attempts at one endpoint. */
export interface EndpointHealth {
  readonly endpointId: string;
  /** At least one attempt succeeded. */
  readonly succeeded: boolean;
  /** The last attempt failed. */
  readonly failing: boolean;
  /** The receiver answered that it is gone for good. */
  readonly gone: boolean;
}

export const changedHealthRow = z.strictObject({
  endpointId: z.uuid(),
  organisationId: z.uuid(),
  /** The reason why these attempts have disabled the endpoint; null = they have not. */
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  /** The last attempt failed. */
  failing: z.boolean(),
});

/**
 * Writes what attempts say about endpoints, in the order of their ids, so that instances do not lock each other out.
 * @param now a part of SQL, see deliveries.ts
 * @returns a row for each endpoint that this has changed: most attempts succeed, and change nothing
 */
export const writeHealth = (now: StoreStatement, rows: readonly EndpointHealth[]): StoreStatement => sql`
  WITH said AS (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS said ("endpointId" uuid, succeeded boolean,
      failing boolean, gone boolean)),
  seen AS (
    SELECT e.id,
      CASE WHEN NOT said.failing THEN NULL WHEN said.succeeded THEN ${now} ELSE coalesce(e.failing_since, ${now}) END
        AS failing_since,
      CASE WHEN e.disabled THEN NULL WHEN said.gone THEN 'GONE'
        WHEN said.failing AND NOT said.succeeded AND e.failing_since < ${now} - make_interval(days => ${PATIENCE_DAYS})
        THEN 'FAILING' END AS reason
    FROM said JOIN webhook_endpoints e ON e.id = said."endpointId"
    WHERE said.failing OR e.failing_since IS NOT NULL
    ORDER BY e.id FOR NO KEY UPDATE OF e)
  UPDATE webhook_endpoints e SET failing_since = seen.failing_since, disabled = e.disabled OR seen.reason IS NOT NULL,
    disabled_reason = coalesce(seen.reason, e.disabled_reason),
    disabled_at = CASE WHEN seen.reason IS NULL THEN e.disabled_at ELSE ${now} END,
    updated_at = CASE WHEN seen.reason IS NULL THEN e.updated_at ELSE ${now} END
  FROM seen
  WHERE e.id = seen.id AND (seen.reason IS NOT NULL OR (e.failing_since IS NULL) <> (seen.failing_since IS NULL))
  RETURNING e.id AS "endpointId", e.organisation_id AS "organisationId", seen.reason AS "disabledReason",
    e.failing_since IS NOT NULL AS failing`;
