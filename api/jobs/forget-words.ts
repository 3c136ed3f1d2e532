import { setImmediate as othersTurn } from 'node:timers/promises';
import { forgetWords, nextWordBlock, type WordBlock, wordBlockRow } from '../../sql/org/records/custom-field-search.ts';
import { lockCustomFields } from '../../sql/org/records/custom-fields.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/**
 * Forgets the words of own texts that no unit has any more, so that searches need not read them. It goes from block to block,
 * in short transactions; only a block with such words keeps the writers of its organisation out, while it is looked through again.
 */
export async function forgetUnusedWords(store: OrgStore): Promise<void> {
  const next = (after: WordBlock | null) =>
    store.asOperator((session) => session.row(wordBlockRow, nextWordBlock(after)));
  for (let block = await next(null); block !== null; block = await next(block)) {
    if (block.hasUnused) {
      await store.asOperator(async (session) => {
        await session.run(lockCustomFields(block.organisationId));
        await session.run(forgetWords(block));
      });
    }
    // Postgres inside this process answers without ever yielding to other work.
    await othersTurn();
  }
}
