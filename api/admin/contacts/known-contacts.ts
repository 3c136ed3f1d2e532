import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { idsOf } from '../transfer/ids.ts';

/** Returns those of these ids that are contacts of the organisation, without decrypting anything. */
export const knownContacts = async (
  session: Session,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    await idsOf(
      session,
      sql`SELECT id FROM contacts WHERE organisation_id = ${organisationId}::uuid AND id = ANY (${ids}::uuid[])`,
    ),
  );
