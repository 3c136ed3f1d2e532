import { z } from 'zod';
import { putPortfolio } from '../../sql/org/records/portfolio.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { answerRows, batchOf } from '../wire/rows.ts';
import { PARTLY_FAILED, type WriteRow, writeAnswer, writeResponse } from '../wire/write-response.ts';
import { entriesToChange } from './change.ts';

const MAX_NUMBERS = 500;

const number = mastrNumber().describe('MaStR number of a unit');

/** Removes entries softly: they stay, with the time of their removal. Units outside the portfolio are unchanged. */
export const removePortfolioEntries = operation({
  id: 'portfolio.remove',
  method: 'DELETE',
  path: '/v1/portfolio',
  summary: 'Remove entries',
  description:
    'An entry is not deleted: it gets `entferntAm` and stays visible with includeDeleted=true. A unit that is not in the ' +
    'portfolio is `unchanged`, so the call can be repeated; so is a number that came in a row before.',
  access: 'api',
  scope: 'portfolio:write',
  module: 'portfolio',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  body: z.strictObject({ mastrNummern: batchOf(number, MAX_NUMBERS) }),
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  example: { body: { mastrNummern: ['SEE900000000001'] } },
  async handle({ body, caller, records, dryRun }) {
    const answers = await answerRows({
      rows: body.mastrNummern,
      shape: number,
      key: null,
      write: (numbers) => records((session) => remove(session, caller.organisation.id, numbers)),
    });
    return writeAnswer(answers, dryRun);
  },
});

/** Removes entries; the answers come in the order of the numbers. */
async function remove(session: Session, organisationId: string, numbers: readonly string[]): Promise<WriteRow[]> {
  const { at, present } = await entriesToChange(session, organisationId, numbers);
  const leaving = [...present.values()].filter(({ removedAt }) => removedAt === null);
  const removed = leaving.map((row) => ({ ...row, updatedAt: at, removedAt: at }));
  if (removed.length > 0) await session.run(putPortfolio(organisationId, removed));
  const changed = new Set(removed.map(({ mastrNumber }) => mastrNumber));
  return numbers.map((externalId) => {
    // If a number comes twice, its first row removes the entry.
    const status = changed.delete(externalId) ? 'updated' : 'unchanged';
    return { id: present.get(externalId)?.id ?? null, externalId, status };
  });
}
