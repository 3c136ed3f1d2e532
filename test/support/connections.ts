import { randomUUIDv7 } from 'node:crypto';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';

type Side = Pick<OrganisationRow, 'id' | 'name'>;

interface ConnectionChoices {
  readonly status?: 'PENDING' | 'ACCEPTED' | 'DECLINED' | 'REVOKED';
  /** MaStR numbers in scope, all with the role OPERATOR. */
  readonly assets?: readonly string[];
}

/** Connects two organisations in the store itself. @returns the id of the connection */
export async function connect(
  store: OrgStore,
  initiator: Side,
  invited: Side,
  { status = 'ACCEPTED', assets = [] }: ConnectionChoices = {},
): Promise<string> {
  const id = randomUUIDv7();
  const now = new Date().toISOString();
  await store.asOperator(async (session) => {
    await session.run(sql`
      INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, status, created_at, answered_at, updated_at)
      VALUES (${id}, ${initiator.id}, ${initiator.name}, ${invited.id}, ${invited.name}, ${status}, ${now},
        ${status === 'PENDING' ? null : now}, ${now})`);
    await session.run(sql`
      INSERT INTO connection_assets (connection_id, mastr_number, relation_type, added_at, updated_at)
      SELECT ${id}::uuid, asset, 'OPERATOR', ${now}::timestamptz, ${now}::timestamptz FROM unnest(${assets}::text[]) AS asset`);
  });
  return id;
}
