import { z } from 'zod';
import { ROLES } from './rights.ts';
import { type StoreStatement, sql } from './statement.ts';

/** A person of an organisation, as the store has them. */
export const userRow = z.strictObject({
  id: z.uuid(),
  /** The name under which the organisation knows the person; unique within it. */
  externalId: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(ROLES),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type UserRow = z.infer<typeof userRow>;

const COLUMNS = sql`id, external_id AS "externalId", name, email, role, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export const usersOf = (organisationId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM users WHERE organisation_id = ${organisationId}::uuid ORDER BY external_id COLLATE "C"`;

/** The user with this id, if it is one of the organisation; at most one row. */
export const userOf = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM users WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid`;

/** Inserts or updates users; an update keeps the id and the time of creation. */
export const putUsers = (organisationId: string, rows: readonly UserRow[]): StoreStatement => sql`
  INSERT INTO users (id, organisation_id, external_id, name, email, role, created_at, updated_at)
  SELECT r."id", ${organisationId}::uuid, r."externalId", r."name", r."email", r."role", r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "externalId" text, "name" text,
    "email" text, "role" text, "createdAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT (organisation_id, external_id) DO UPDATE SET name = excluded.name, email = excluded.email,
    role = excluded.role, updated_at = excluded.updated_at`;

/** Removes a user. Keys that the user made stay valid, and count as made by the operator. */
export const deleteUser = (id: string): StoreStatement => sql`DELETE FROM users WHERE id = ${id}::uuid`;
