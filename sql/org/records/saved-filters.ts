import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** A page of the dashboards with its choices, as its address has them; `query` is without `?`. */
const savedView = z.strictObject({ page: z.string(), query: z.string() });

const FILTER_KINDS = ['table', 'map'] as const;

export const savedFilterRow = z.strictObject({
  id: z.uuid(),
  /** Unique within the organisation. */
  name: z.string(),
  kind: z.enum(FILTER_KINDS),
  /** Unit filters in the notation of POST /v1/units/search; they are validated again before each use. */
  criteria: z.record(z.string(), z.unknown()),
  /** Null = it is a filter alone. */
  view: savedView.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type SavedFilterRow = z.infer<typeof savedFilterRow>;

const COLUMNS = sql`id, name, kind, criteria, view, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** All filters of an organisation, of both kinds. */
export const savedFiltersOf = (organisationId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM saved_filters WHERE organisation_id = ${organisationId}::uuid`;

/** Selects the filter with this id if it belongs to the organisation and to the table view; at most one row. */
export const tableFilter = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM saved_filters
  WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid AND kind = 'table'`;

/** Inserts a filter, or changes the one of this id. */
export const writeSavedFilter = (organisationId: string, row: SavedFilterRow): StoreStatement => sql`
  INSERT INTO saved_filters (id, organisation_id, name, kind, criteria, view, created_at, updated_at)
  VALUES (${row.id}::uuid, ${organisationId}::uuid, ${row.name}, ${row.kind}, ${JSON.stringify(row.criteria)}::text::jsonb,
    ${row.view === null ? null : JSON.stringify(row.view)}::text::jsonb, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, criteria = excluded.criteria, view = excluded.view,
    updated_at = excluded.updated_at
  WHERE saved_filters.organisation_id = excluded.organisation_id`;

export const deleteSavedFilter = (organisationId: string, id: string): StoreStatement => sql`
  DELETE FROM saved_filters WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid`;

/** Inserts or updates filters; an update keeps the id and the time of creation. */
export const putSavedFilters = (organisationId: string, rows: readonly SavedFilterRow[]): StoreStatement => sql`
  INSERT INTO saved_filters (id, organisation_id, name, kind, criteria, view, created_at, updated_at)
  SELECT r."id", ${organisationId}::uuid, r."name", r."kind", r."criteria", r."view", r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "name" text, "kind" text,
    "criteria" jsonb, "view" jsonb, "createdAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT (organisation_id, name) DO UPDATE SET kind = excluded.kind, criteria = excluded.criteria,
    view = excluded.view, updated_at = excluded.updated_at`;
