import { z } from 'zod';
import { CONNECTION_STATUSES, type ConnectionRecord, isAlive } from '../../sql/org/records/connections.ts';

/** A connection that need not have two sides yet: the invitation may go to an e-mail address. */
export const invitationShape = z
  .strictObject({
    id: z.uuid().describe('Also the id of the connection'),
    status: z.enum(CONNECTION_STATUSES),
    rolle: z.enum(['initiator', 'eingeladen']),
    gegenseite: z
      .strictObject({ name: z.string() })
      .nullable()
      .describe('null for the side that has invited an address, until somebody accepts'),
    email: z
      .string()
      .nullable()
      .describe('The address that was invited, until somebody accepts; null: an organisation'),
    anlagenAnzahl: z.int(),
    angelegtAm: z.iso.datetime(),
    beantwortetAm: z.iso.datetime().nullable(),
    geaendertAm: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });

/** A connection as one of its sides sees it, or an organisation with a user of the invited address. */
export function shownInvitation(row: ConnectionRecord, organisationId: string): z.infer<typeof invitationShape> {
  const initiated = row.initiatorId === organisationId;
  const name = initiated ? row.invitedName : row.initiatorName;
  return {
    id: row.id,
    status: row.status,
    rolle: initiated ? 'initiator' : 'eingeladen',
    gegenseite: name === null ? null : { name },
    email: row.invitedEmail,
    anlagenAnzahl: isAlive(row.status) ? row.assetCount : 0,
    angelegtAm: row.createdAt,
    beantwortetAm: row.answeredAt,
    geaendertAm: row.updatedAt,
  };
}
