import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** The addresses to which events of an organisation are delivered. Secrets are encrypted: secrets.ts. */

/** The most endpoints of an organisation: every event is delivered to each. */
export const MAX_ENDPOINTS = 20;

export const DISABLED_REASONS = ['MANUAL', 'GONE', 'FAILING'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const endpointRow = z.strictObject({
  id: z.uuid(),
  organisationId: z.uuid(),
  /** The address as URL.href writes it; unique within the organisation. */
  url: z.string(),
  description: z.string(),
  /** Null = all types, also those of later releases. */
  eventTypes: z.array(z.string()).nullable(),
  /** The form of the events that it gets. */
  schemaVersion: z.union([z.literal(1), z.literal(2)]),
  disabled: z.boolean(),
  /**
   * MANUAL: the organisation or the operator disabled it; GONE: the receiver answered 410; FAILING: nothing arrived for days.
   */
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  disabledAt: z.iso.datetime().nullable(),
  /** The current secret, encrypted. */
  secret: z.string(),
  secretKeyId: z.string(),
  /** The former secret, encrypted; it signs as well until `previousSecretUntil`. */
  previousSecret: z.string().nullable(),
  previousSecretKeyId: z.string().nullable(),
  previousSecretUntil: z.iso.datetime().nullable(),
  /** The first of the failed attempts since the last one that succeeded; null = that one was the last, or there was none. */
  failingSince: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type EndpointRow = z.infer<typeof endpointRow>;

/** The columns of `webhook_endpoints` as endpointRow names them, for statements of others that read whole rows. */
export const ENDPOINT_COLUMNS = sql`webhook_endpoints.id, webhook_endpoints.organisation_id AS "organisationId",
  webhook_endpoints.url, webhook_endpoints.description, webhook_endpoints.event_types AS "eventTypes",
  webhook_endpoints.schema_version AS "schemaVersion", webhook_endpoints.disabled, webhook_endpoints.disabled_reason AS "disabledReason",
  webhook_endpoints.disabled_at AS "disabledAt", webhook_endpoints.secret,
  webhook_endpoints.secret_key_id AS "secretKeyId", webhook_endpoints.previous_secret AS "previousSecret",
  webhook_endpoints.previous_secret_key_id AS "previousSecretKeyId",
  webhook_endpoints.previous_secret_until AS "previousSecretUntil", webhook_endpoints.failing_since AS "failingSince",
  webhook_endpoints.created_at AS "createdAt", webhook_endpoints.updated_at AS "updatedAt"`;

/** One row where an endpoint of the organisation takes events in the form of schema version 2. */
export const takesChanges = (organisationId: string): StoreStatement => sql`
  SELECT id FROM webhook_endpoints WHERE organisation_id = ${organisationId}::uuid AND schema_version = 2 LIMIT 1`;

/** What an endpoint gets of an event: one that has just changed to version 2 gets what there is. */
export const payloadFor = (endpoint: StoreStatement, event: StoreStatement): StoreStatement => sql`
  CASE WHEN ${endpoint}.schema_version = 2 THEN coalesce(${event}.payload_2, ${event}.payload) ELSE ${event}.payload END`;

/** All endpoints of an organisation, the oldest first. */
export const endpointsOf = (organisationId: string): StoreStatement => sql`
  SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE organisation_id = ${organisationId}::uuid
  ORDER BY created_at, id`;

/** The endpoint of this id if it belongs to the organisation, in at most one row. */
export const endpointOf = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
  WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid`;

/** The same, locked against other changes until the transaction ends; deliveries to the endpoint can be written meanwhile. */
export const endpointToChange = (organisationId: string, id: string): StoreStatement => sql`
  ${endpointOf(organisationId, id)} FOR NO KEY UPDATE`;

/** Inserts an endpoint, or replaces it; one that is replaced keeps its organisation and its time of creation. */
export const putEndpoint = (row: EndpointRow): StoreStatement => sql`
  INSERT INTO webhook_endpoints (id, organisation_id, url, description, event_types, schema_version, disabled,
    disabled_reason, disabled_at, secret, secret_key_id, previous_secret, previous_secret_key_id, previous_secret_until, failing_since,
    created_at, updated_at)
  VALUES (${row.id}::uuid, ${row.organisationId}::uuid, ${row.url}, ${row.description}, ${row.eventTypes}::text[],
    ${row.schemaVersion}, ${row.disabled}, ${row.disabledReason}, ${row.disabledAt}::timestamptz, ${row.secret}, ${row.secretKeyId},
    ${row.previousSecret}, ${row.previousSecretKeyId}, ${row.previousSecretUntil}::timestamptz,
    ${row.failingSince}::timestamptz, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz)
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, description = excluded.description,
    event_types = excluded.event_types, schema_version = excluded.schema_version, disabled = excluded.disabled, disabled_reason = excluded.disabled_reason,
    disabled_at = excluded.disabled_at, secret = excluded.secret, secret_key_id = excluded.secret_key_id,
    previous_secret = excluded.previous_secret, previous_secret_key_id = excluded.previous_secret_key_id,
    previous_secret_until = excluded.previous_secret_until, failing_since = excluded.failing_since,
    updated_at = excluded.updated_at`;

/** Removes an endpoint with its deliveries. */
export const deleteEndpoint = (organisationId: string, id: string): StoreStatement => sql`
  DELETE FROM webhook_endpoints WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid`;

/** Returns the row as disabled at a moment, RFC 3339. One that is disabled already keeps that time, and gets the reason. */
export const disabledEndpoint = (row: EndpointRow, reason: DisabledReason, at: string): EndpointRow => ({
  ...row,
  disabled: true,
  disabledReason: reason,
  disabledAt: row.disabledAt ?? at,
  updatedAt: at,
});

/** Returns the row as enabled at a moment, RFC 3339: earlier failures no longer count. */
export const enabledEndpoint = (row: EndpointRow, at: string): EndpointRow => ({
  ...row,
  disabled: false,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  updatedAt: at,
});
