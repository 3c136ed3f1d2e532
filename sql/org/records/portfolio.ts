import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';

export const RELATION_TYPES = [
  'OPERATOR',
  'OWNER',
  'SERVICE_CONTRACT',
  'DIRECT_MARKETING',
  'ASSET_MANAGEMENT',
  'PROJECT_DEVELOPMENT',
  'GRID_OPERATOR',
  'LESSOR',
  'INVESTOR',
  'OTHER',
] as const;

export const externalRefsShape = z.record(z.string(), z.string());

export const portfolioRow = z.strictObject({
  id: z.uuid(),
  mastrNumber: z.string(),
  relationType: z.enum(RELATION_TYPES),
  externalRefs: externalRefsShape,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  removedAt: z.iso.datetime().nullable(),
});

export type PortfolioRow = z.infer<typeof portfolioRow>;

const COLUMNS = sql`id, mastr_number AS "mastrNumber", relation_type AS "relationType", external_refs AS "externalRefs",
  created_at AS "createdAt", updated_at AS "updatedAt", removed_at AS "removedAt"`;

interface PortfolioPageRequest {
  /** Null = every role. */
  readonly relationTypes: readonly string[] | null;
  readonly includeRemoved: boolean;
  /** Time of creation and id of the last entry of the page before. */
  readonly after: readonly [createdAt: string, id: string] | null;
  readonly limit: number;
}

/** Entries of one organisation, newest first. */
export function portfolioPage(organisationId: string, request: PortfolioPageRequest): StoreStatement {
  const { relationTypes, includeRemoved, after, limit } = request;
  const conditions = [sql`organisation_id = ${organisationId}::uuid`];
  if (relationTypes !== null) conditions.push(sql`relation_type = ANY (${relationTypes}::text[])`);
  if (!includeRemoved) conditions.push(sql`removed_at IS NULL`);
  if (after !== null) conditions.push(sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  return sql`SELECT ${COLUMNS} FROM portfolio_entries WHERE ${all(conditions)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
}

/** The entries of these units, removed ones included. */
export const portfolioOf = (organisationId: string, mastrNumbers: readonly string[]): StoreStatement => sql`
  SELECT ${COLUMNS} FROM portfolio_entries
  WHERE organisation_id = ${organisationId}::uuid AND mastr_number = ANY (${mastrNumbers}::text[])`;

export const portfolioNumberRow = portfolioRow.pick({ mastrNumber: true });

/** Which entries are meant; null = whatever they have. */
export interface PortfolioChoice {
  readonly relationTypes: readonly string[] | null;
  /** An identifier in another system; without `id` any of that system. */
  readonly externalRef: { readonly system: string; readonly id: string | null } | null;
  /** A value of an own field as it is written, and as texts are searched; null = any. */
  readonly customField: {
    readonly fieldId: string;
    readonly value: string | null;
    readonly folded: string | null;
  } | null;
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

/**
 * The numbers of the units that are in the portfolio now and are meant, in their order.
 * @param limit null = all
 */
export function portfolioNumbers(
  organisationId: string,
  { relationTypes, externalRef, customField }: PortfolioChoice,
  limit: number | null,
): StoreStatement {
  const conditions = [sql`organisation_id = ${organisationId}::uuid`, sql`removed_at IS NULL`];
  if (relationTypes !== null) conditions.push(sql`relation_type = ANY (${relationTypes}::text[])`);
  if (externalRef !== null) {
    const { system, id } = externalRef;
    conditions.push(
      id === null ? sql`external_refs -> ${system}::text IS NOT NULL` : sql`external_refs ->> ${system}::text = ${id}`,
    );
  }
  if (customField !== null) {
    const { fieldId, value, folded } = customField;
    const decimal = value !== null && DECIMAL.test(value) ? value : null;
    const isMeant =
      value === null
        ? sql`true`
        : sql`(folded_text = ${folded} OR number = ${decimal}::numeric OR to_char(day, 'YYYY-MM-DD') = ${value})`;
    conditions.push(sql`mastr_number IN (
      SELECT mastr_number FROM custom_field_values
      WHERE organisation_id = ${organisationId}::uuid AND field_id = ${fieldId}::uuid AND ${isMeant})`);
  }
  return sql`
    SELECT mastr_number AS "mastrNumber" FROM portfolio_entries
    WHERE ${all(conditions)} ORDER BY mastr_number LIMIT ${limit}::bigint`;
}

/** Locks the portfolio of an organisation against other changes until the transaction ends. */
export const lockPortfolio = (organisationId: string): StoreStatement => sql`
  SELECT pg_advisory_xact_lock(hashtextextended(${`portfolio ${organisationId}`}, 0))`;

/**
 * Selects the time of the change that has the lock, in one row. It is later than every change before, whatever the
 * clocks of several servers say, so a reader that continues after the newest change it saw misses none.
 */
export const timeOfChange = (organisationId: string): StoreStatement => sql`
  SELECT greatest(clock_timestamp(), max(updated_at) + interval '1 millisecond')::timestamptz(3) AS "at"
  FROM portfolio_entries WHERE organisation_id = ${organisationId}::uuid`;

export const changeTime = z.strictObject({ at: z.iso.datetime() });

/** Inserts or updates entries; an update keeps the id and the time of creation. */
export const putPortfolio = (organisationId: string, rows: readonly PortfolioRow[]): StoreStatement => sql`
  INSERT INTO portfolio_entries (id, organisation_id, mastr_number, relation_type, external_refs, created_at,
    updated_at, removed_at)
  SELECT r."id", ${organisationId}::uuid, r."mastrNumber", r."relationType", r."externalRefs", r."createdAt",
    r."updatedAt", r."removedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "mastrNumber" text,
    "relationType" text, "externalRefs" jsonb, "createdAt" timestamptz, "updatedAt" timestamptz,
    "removedAt" timestamptz)
  ON CONFLICT (organisation_id, mastr_number) DO UPDATE SET relation_type = excluded.relation_type,
    external_refs = excluded.external_refs, updated_at = excluded.updated_at, removed_at = excluded.removed_at`;
