import { z } from 'zod';
import { lockedRow, lockPortfolio, portfolioOf, portfolioRow, putPortfolio } from '../../sql/org/portfolio.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation.ts';
import { mastrNumber } from '../wire/parameters.ts';
import { batchOf, checkedRows } from '../wire/rows.ts';
import { PARTLY_FAILED, type WriteRow, writeAnswer, writeResponse } from '../wire/write-response.ts';

const MOST_NUMBERS = 500;

const number = mastrNumber().describe('MaStR number of a unit');

/** Removes entries softly: they stay, with the time of their removal. What is not in the portfolio stays so. */
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
  pathParameters: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ mastrNummern: batchOf(number, MOST_NUMBERS) }),
  media: 'application/json',
  answer: writeResponse,
  otherStatuses: PARTLY_FAILED,
  example: { body: { mastrNummern: ['SEE900000000001'] } },
  async handle({ body, caller, records, dryRun }) {
    const checked = checkedRows(body.mastrNummern, number, null);
    const numbers = checked.rows.map(({ row }) => row);
    const answers = await records((session) => remove(session, caller.organisation.id, numbers));
    for (const [position, { index }] of checked.rows.entries()) checked.answers[index] = answers[position]!;
    return writeAnswer(checked.answers, dryRun);
  },
});

/** Removes entries; the answers come in the order of the numbers. */
async function remove(session: Session, organisationId: string, numbers: readonly string[]): Promise<WriteRow[]> {
  const { at } = (await session.row(lockedRow, lockPortfolio(organisationId)))!;
  const present = await session.rows(portfolioRow, portfolioOf(organisationId, [...new Set(numbers)]));
  const entries = new Map(present.map((row) => [row.mastrNumber, row]));
  const leaving = new Map(present.filter(({ removedAt }) => removedAt === null).map((row) => [row.mastrNumber, row]));
  const removed = [...leaving.values()].map((row) => ({ ...row, updatedAt: at, removedAt: at }));
  if (removed.length > 0) await session.run(putPortfolio(organisationId, removed));
  return numbers.map((externalId) => {
    // Only the first row of a number removes its entry.
    const status = leaving.delete(externalId) ? 'updated' : 'unchanged';
    return { id: entries.get(externalId)?.id ?? null, externalId, status };
  });
}
