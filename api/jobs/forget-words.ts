import {
  forgetWords,
  organisationsWithWords,
  WORD_BUCKETS,
  wordOwnerRow,
} from '../../sql/org/records/custom-field-search.ts';
import { lockCustomFields } from '../../sql/org/records/custom-fields.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Buckets that one transaction looks through, so that writers of values do not wait long. */
const STEP = 256;

/** Forgets the words of own texts that no unit has any more, so that searches need not read them. */
export async function forgetUnusedWords(store: OrgStore): Promise<void> {
  const owners = await store.autocommit(wordOwnerRow, organisationsWithWords);
  for (const { organisationId } of owners) {
    for (let from = 0; from < WORD_BUCKETS; from += STEP) {
      await store.asOperator(async (session) => {
        await session.run(lockCustomFields(organisationId));
        await session.run(forgetWords(organisationId, from, from + STEP));
      });
    }
  }
}
