import { describe, expect, test } from 'vitest';
import { entry, listed, rowStatuses, unit } from '../support/portfolio.ts';
import { references, servePortfolio, writeMeta } from './served-portfolio.ts';

/** Rows of a write to the portfolio that fail, and what becomes of the others. */

const subject = servePortfolio();
const { entryOf, portfolio } = subject;

describe('rows that fail', () => {
  /** Message of the one row of a batch, which failed. */
  async function failure(row: unknown, code = 'UNPROCESSABLE') {
    const response = await portfolio.put([row]);
    expect(response.status).toBe(207);
    expect(response.json.meta).toEqual(writeMeta({ total: 1, failed: 1 }));
    expect(response.json.data).toMatchObject([{ id: null, status: 'failed', error: { code } }]);
    return { message: response.json.data[0].error.message, externalId: response.json.data[0].externalId };
  }

  test('a unit that the register does not know: NOT_FOUND', async () => {
    expect(await failure(entry(99), 'NOT_FOUND')).toEqual({
      message: `The register has no unit ${unit(99)}`,
      externalId: unit(99),
    });
    expect((await failure({ ...entry(1), mastrNummer: 'ABR900000000001' }, 'NOT_FOUND')).externalId).toBe(
      'ABR900000000001',
    );
  });

  test.each([
    ['see900000000001'],
    ['SEE90000000001'],
    ['SEE9000000000011'],
    [' SEE900000000001'],
    ['SEE900000000001\n'],
    [''],
  ])('a number that none can be: %j', async (mastrNummer) => {
    expect(await failure({ ...entry(1), mastrNummer })).toEqual({
      message: expect.stringMatching(/^mastrNummer must be a MaStR number/),
      externalId: mastrNummer,
    });
  });

  test.each([
    [{ relationType: 'OPERATOR' }, 'mastrNummer is required and must be a MaStR number'],
    [{ mastrNummer: 900000000001, relationType: 'OPERATOR' }, 'mastrNummer must be a MaStR number'],
    [{ mastrNummer: unit(1) }, 'relationType must be one of OPERATOR, OWNER, '],
    [{ mastrNummer: unit(1), relationType: 'operator' }, 'relationType must be one of OPERATOR, OWNER, '],
    [{ mastrNummer: unit(1), relationType: null }, 'relationType must be one of OPERATOR, OWNER, '],
    [entry(1, { externalRefs: { crm: 17 } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: { crm: null } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: { crm: ['A'] } }), 'externalRefs.crm must be a text'],
    [entry(1, { externalRefs: null }), 'externalRefs must be an object {system: id} of texts'],
    [entry(1, { externalRefs: ['A'] }), 'externalRefs must be an object {system: id} of texts'],
    [entry(1, { externalRefs: { '': 'A' } }), 'a name in externalRefs must not be empty'],
    [entry(1, { externalRefs: { ['n'.repeat(101)]: 'A' } }), 'a name in externalRefs must have at most 100'],
    [entry(1, { externalRefs: { crm: 'x'.repeat(256) } }), 'externalRefs.crm must have at most 255'],
    [entry(1, { externalRefs: references(51) }), 'externalRefs must have at most 50 members'],
    [entry(1, { externalRefs: { crm: 'a\0b' } }), 'externalRefs.crm must be well-formed Unicode without NUL'],
    [entry(1, { externalRefs: { crm: '\uD83D' } }), 'externalRefs.crm must be well-formed Unicode without NUL'],
    [entry(1, { externalRefs: { '\uDE00': 'A' } }), 'a name in externalRefs must be well-formed Unicode'],
    [entry(1, { relationTyp: 'OWNER' }), '"relationTyp" is not a member of a row'],
    [null, 'the row must be an object'],
    [unit(1), 'the row must be an object'],
    [[entry(1)], 'the row must be an object'],
  ])('%j: UNPROCESSABLE', async (row, message) => {
    const { externalId, ...told } = await failure(row);
    expect(told.message).toContain(message);
    const number = row !== null && typeof row === 'object' && 'mastrNummer' in row ? row.mastrNummer : null;
    expect(externalId).toBe(typeof number === 'string' ? number : null);
    expect(listed(await portfolio.list())).toEqual([]);
  });

  test('the message of a row has all its faults', async () => {
    const { message } = await failure({ mastrNummer: 'X', externalRefs: { crm: 1 }, more: true });
    for (const part of ['mastrNummer', 'relationType', 'externalRefs.crm', '"more"']) expect(message).toContain(part);
  });

  test('a row that fails undoes no other; the rows come back in the order of the input', async () => {
    await portfolio.put([entry(2), entry(3)]);
    const response = await portfolio.put([
      entry(99),
      entry(1),
      { relationType: 'OWNER' },
      entry(2),
      entry(3, { relationType: 'OWNER' }),
    ]);
    expect(response.status).toBe(207);
    expect(rowStatuses(response)).toEqual(['failed', 'created', 'failed', 'unchanged', 'updated']);
    expect(response.json.data.map(({ externalId }: { externalId: string }) => externalId)).toEqual([
      unit(99),
      unit(1),
      null,
      unit(2),
      unit(3),
    ]);
    expect(response.json.data.map((row: { error?: { code: string } }) => row.error?.code)).toEqual([
      'NOT_FOUND',
      undefined,
      'UNPROCESSABLE',
      undefined,
      undefined,
    ]);
    expect(response.json.meta).toEqual(writeMeta({ total: 5, created: 1, updated: 1, unchanged: 1, failed: 2 }));
    expect(listed(await portfolio.list()).sort()).toEqual([1, 2, 3]);
  });

  test('a number that comes again in a batch: every row after the first fails, whatever became of that', async () => {
    const response = await portfolio.put([
      entry(1),
      entry(1, { relationType: 'OWNER' }),
      { mastrNummer: unit(2) },
      entry(2),
      entry(1),
      entry(99),
      entry(99),
    ]);
    expect(rowStatuses(response)).toEqual(['created', ...Array(6).fill('failed')]);
    expect(response.json.data.map((row: { error?: { code: string } }) => row.error?.code)).toEqual([
      undefined,
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'UNPROCESSABLE',
      'NOT_FOUND',
      'UNPROCESSABLE',
    ]);
    expect(response.json.data[3].error.message).toBe('mastrNummer came in a row before');
    expect((await entryOf(1)).relationType).toBe('OPERATOR');
    expect(await entryOf(2)).toBeUndefined();
  });
});
