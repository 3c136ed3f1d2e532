import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

export const CONNECTION_STATUSES = ['PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED'] as const;

/** A connection as one of its sides sees it. */
export const connectionRow = z.strictObject({
  id: z.uuid(),
  status: z.enum(CONNECTION_STATUSES),
  /** True for the side that invited. */
  initiated: z.boolean(),
  counterpartId: z.uuid(),
  counterpartName: z.string(),
  /** Units in scope; none once it has ended. */
  assetCount: z.int(),
  createdAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});

export type ConnectionRow = z.infer<typeof connectionRow>;

/** Selects connections as the organisation sees them. Invitations to an e-mail address have no other side yet, and are not among them. */
export const connectionsSeenBy = (organisationId: string): StoreStatement => sql`
  SELECT id, status, initiator_id = ${organisationId}::uuid AS initiated,
    CASE initiator_id WHEN ${organisationId}::uuid THEN invited_id ELSE initiator_id END AS "counterpartId",
    CASE initiator_id WHEN ${organisationId}::uuid THEN invited_name ELSE initiator_name END AS "counterpartName",
    CASE WHEN status IN ('PENDING', 'ACCEPTED')
      THEN (SELECT count(*) FROM connection_assets a WHERE a.connection_id = connections.id) ELSE 0 END AS "assetCount",
    created_at AS "createdAt", answered_at AS "answeredAt", updated_at AS "updatedAt"
  FROM connections
  WHERE ${organisationId}::uuid IN (initiator_id, invited_id) AND invited_id IS NOT NULL`;

/** The connection with this id, if the organisation is one of its sides; at most one row. */
export const connectionSeenBy = (organisationId: string, id: string): StoreStatement => sql`
  ${connectionsSeenBy(organisationId)} AND id = ${id}::uuid`;
