import { z } from 'zod';
import { CONNECTION_STATUSES, type ConnectionRow } from '../../sql/org/records/connections.ts';

/** The id in examples of operations that name a connection. */
export const EXAMPLE_CONNECTION = '019a0f6e-7c1b-7d52-9f0e-00000000c001';

/** The id in examples of an invitation to the organisation. */
export const EXAMPLE_INVITATION = EXAMPLE_CONNECTION.replace(/1$/, '2');

/** The path parameter of operations about one connection. A text that is no UUID is an unknown id, and answered so. */
export const connectionPath = z.strictObject({
  id: z.string().describe('Id of the connection, from GET /v1/connections'),
});

const members = {
  id: z.uuid(),
  status: z
    .enum(CONNECTION_STATUSES)
    .describe('PENDING: invited, not answered. DECLINED and REVOKED have ended, and never come back'),
  rolle: z.enum(['initiator', 'eingeladen']).describe('Whether this organisation invited, or was invited'),
  gegenseite: z.strictObject({ name: z.string() }).describe('The other organisation'),
  anlagenAnzahl: z.int().describe('Units in scope; 0 once the connection has ended'),
  angelegtAm: z.iso.datetime(),
  beantwortetAm: z.iso.datetime().nullable().describe('When the invitation was accepted or declined'),
  geaendertAm: z.iso.datetime().describe('Last change of status, assets or active fields'),
};

/** A connection in lists. */
export const connectionShape = z.strictObject(members).meta({ id: 'Connection' });

export const connectionDetailShape = z
  .strictObject({
    ...members,
    aktivierteFelder: z.int().describe('Fields that are active on the connection, of both sides, whatever its status'),
  })
  .meta({ id: 'ConnectionDetail' });

export const connectionFrom = (row: ConnectionRow): z.infer<typeof connectionShape> => ({
  id: row.id,
  status: row.status,
  rolle: row.initiated ? 'initiator' : 'eingeladen',
  gegenseite: { name: row.counterpartName },
  anlagenAnzahl: row.assetCount,
  angelegtAm: row.createdAt,
  beantwortetAm: row.answeredAt,
  geaendertAm: row.updatedAt,
});
