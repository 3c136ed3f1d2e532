import { randomUUIDv7 } from 'node:crypto';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { putAssets, recountAssets } from '../../sql/org/records/connection-assets.ts';
import { type ConnectionStatus, putConnections } from '../../sql/org/records/connections.ts';
import type { OrgStore } from '../../sql/org/store.ts';

type Side = Pick<OrganisationRow, 'id' | 'name'>;

interface ConnectionChoices {
  /** Default: a new one. */
  readonly id?: string;
  readonly status?: ConnectionStatus;
  /** MaStR numbers in scope, all with the role OPERATOR. */
  readonly assets?: readonly string[];
  /** Time of creation and of all else, RFC 3339. Default: now. */
  readonly at?: string;
}

/** Connects two organisations in the store itself. @returns the id of the connection */
export async function connect(
  store: OrgStore,
  initiator: Side,
  invited: Side,
  { id = randomUUIDv7(), status = 'ACCEPTED', assets = [], at = new Date().toISOString() }: ConnectionChoices = {},
): Promise<string> {
  const connection = {
    id,
    initiatorId: initiator.id,
    initiatorName: initiator.name,
    invitedId: invited.id,
    invitedName: invited.name,
    invitedEmail: null,
    status,
    createdAt: at,
    answeredAt: status === 'PENDING' ? null : at,
    updatedAt: at,
    assetCount: 0,
  };
  const rows = assets.map((mastrNumber) => ({
    connectionId: id,
    mastrNumber,
    relationType: 'OPERATOR' as const,
    addedAt: at,
    updatedAt: at,
  }));
  await store.asOperator(async (session) => {
    await session.run(putConnections([connection]));
    await session.run(putAssets(rows));
    await session.run(recountAssets([id]));
  });
  return id;
}
