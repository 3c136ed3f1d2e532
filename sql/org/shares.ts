import { z } from 'zod';
import { callerRow } from './callers.ts';
import { type StoreStatement, sql } from './statement.ts';

/** Public links to one view of the pages each. The link itself is signed, and not in the store. */

export const shareRow = z.strictObject({
  id: z.uuid(),
  /** For the list of the organisation; visitors never see it. */
  name: z.string(),
  page: z.string(),
  /** The choices of the page, as its address has them, without `?`. */
  query: z.string(),
  /** Origins whose pages may show the view in a frame. */
  frameAncestors: z.array(z.string()),
  /** Prefix of the key that it was made with. */
  keyPrefix: z.string(),
  createdAt: z.iso.datetime(),
  /** The last day on which it holds. */
  endsOn: z.iso.date(),
  revokedAt: z.iso.datetime().nullable(),
  /** Openings of the page, and requests to the interface that were answered. */
  views: z.int(),
  calls: z.int(),
  lastUsedAt: z.iso.datetime().nullable(),
});

export type ShareRow = z.infer<typeof shareRow>;

const COLUMNS = sql`s.id, s.name, s.page, s.query, s.frame_ancestors AS "frameAncestors", s.key_prefix AS "keyPrefix",
  s.created_at AS "createdAt", s.ends_on AS "endsOn", s.revoked_at AS "revokedAt", s.views, s.calls,
  s.last_used_at AS "lastUsedAt"`;

/** Links of an organisation, newest first. */
export const sharesOf = (organisationId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM shares s WHERE s.organisation_id = ${organisationId}::uuid ORDER BY s.created_at DESC, s.id DESC`;

export const insertShare = (organisationId: string, row: ShareRow): StoreStatement => sql`
  INSERT INTO shares (id, organisation_id, name, page, query, frame_ancestors, key_prefix, created_at, ends_on)
  VALUES (${row.id}::uuid, ${organisationId}::uuid, ${row.name}, ${row.page}, ${row.query}, ${row.frameAncestors}::text[],
    ${row.keyPrefix}, ${row.createdAt}::timestamptz, ${row.endsOn}::date)`;

/** Revokes a link now, in at most one row; one that was revoked before keeps its time. */
export const revokeShare = (organisationId: string, id: string): StoreStatement => sql`
  UPDATE shares s SET revoked_at = coalesce(s.revoked_at, now())
  WHERE s.id = ${id}::uuid AND s.organisation_id = ${organisationId}::uuid
  RETURNING ${COLUMNS}`;

/** Removes links that ended before a day, or were revoked before it. */
export const forgetShares = (organisationId: string, before: string): StoreStatement => sql`
  DELETE FROM shares WHERE organisation_id = ${organisationId}::uuid
    AND (ends_on < ${before}::date OR revoked_at < ${before}::date)`;

/** A link with what its organisation has booked. */
export const usedShareRow = shareRow.extend(
  callerRow.pick({ organisationId: true, modules: true, signals: true, trialEndsAt: true }).shape,
);

export type UsedShareRow = z.infer<typeof usedShareRow>;

/** The link of an id, of whatever organisation, in at most one row. */
export const usedShare = (id: string): StoreStatement => sql`
  SELECT ${COLUMNS}, o.id AS "organisationId", o.modules, o.signals, o.trial_ends_at AS "trialEndsAt"
  FROM shares s JOIN organisations o ON o.id = s.organisation_id WHERE s.id = ${id}::uuid`;

/** The uses of a link since they were last written. */
export interface ShareUse {
  readonly id: string;
  readonly views: number;
  readonly calls: number;
  readonly at: string;
}

export const countUses = (uses: readonly ShareUse[]): StoreStatement => sql`
  UPDATE shares s SET views = s.views + u."views", calls = s.calls + u."calls",
    last_used_at = greatest(s.last_used_at, u."at")
  FROM jsonb_to_recordset(${JSON.stringify(uses)}::text::jsonb) AS u ("id" uuid, "views" bigint, "calls" bigint,
    "at" timestamptz)
  WHERE s.id = u."id"`;
