import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** Counting calls: migrations/0002_calls.sql says how. */

/** Asks for some calls of one key in one cost class. */
export interface TakeCallsRequest {
  readonly organisationId: string;
  readonly keyId: string;
  readonly costClass: string;
  /** Calls per window; null = the class has no limit. */
  readonly most: number | null;
  /** Length of the window, seconds. */
  readonly seconds: number;
  /** Calls per month; null = these are not counted. */
  readonly quota: number | null;
  /** 0 = read the counters only. */
  readonly amount: number;
}

export const takeCallsRow = z.strictObject({
  keyId: z.uuid(),
  costClass: z.string(),
  /** Calls that the window had room for. */
  inWindow: z.int(),
  /** RFC 3339; null without a class limit. */
  windowEnds: z.iso.datetime().nullable(),
  windowUsed: z.int().nullable(),
  /** Calls of these that the month had room for. */
  granted: z.int(),
});

export type TakeCallsResult = z.infer<typeof takeCallsRow>;

export const takeCallsStatement = (requests: readonly TakeCallsRequest[]): StoreStatement => sql`
  SELECT key_id AS "keyId", cost_class AS "costClass", in_window AS "inWindow", window_ends AS "windowEnds",
    window_used AS "windowUsed", granted
  FROM take_calls(${JSON.stringify(requests.map(takeJson))}::text::jsonb)`;

const takeJson = (request: TakeCallsRequest) => ({
  organisation_id: request.organisationId,
  key_id: request.keyId,
  cost_class: request.costClass,
  most: request.most,
  seconds: request.seconds,
  quota: request.quota,
  amount: request.amount,
});

export const monthRow = z.strictObject({
  used: z.int(),
  /** RFC 3339: first moment of the calendar month in Europe/Berlin, and of the next. */
  start: z.iso.datetime(),
  end: z.iso.datetime(),
});

export type Month = z.infer<typeof monthRow>;

/** Calls of the running month, in one row. */
export const monthStatement = (organisationId: string): StoreStatement => sql`
  SELECT coalesce(u.used, 0) AS used,
    m.month::timestamp AT TIME ZONE 'Europe/Berlin' AS start,
    (m.month + interval '1 month') AT TIME ZONE 'Europe/Berlin' AS "end"
  FROM (SELECT date_trunc('month', now() AT TIME ZONE 'Europe/Berlin')::date AS month) m
  LEFT JOIN usage_months u ON u.organisation_id = ${organisationId}::uuid AND u.month = m.month`;
