import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openArchive } from '../../../ingest/archive/archive.ts';
import { dropInvented } from '../../../ingest/tenders/invented.ts';
import { loadSampleTenders } from '../../../ingest/tenders/sample.ts';
import { storedRound, storedRounds, storeRound } from '../../../ingest/tenders/store.ts';
import { SAMPLE } from '../../support/sample.ts';

/** Invented award lists belong to invented registers, and leave before anything true is built. */

let warehouse: string;
beforeAll(() => {
  warehouse = mkdtempSync(join(tmpdir(), 'invented-'));
});
afterAll(() => rmSync(warehouse, { recursive: true }));

it('loads the lists of the sample once, and not where an operator has loaded lists', async () => {
  expect(await loadSampleTenders(warehouse)).toBe(17);
  expect(storedRounds(warehouse).length).toBe(17);
  expect(await loadSampleTenders(warehouse)).toBe(0);
});

it('keeps them for an export of the generator', async () => {
  expect(await dropInvented(warehouse, await openArchive(SAMPLE, null))).toBe(0);
  expect(storedRounds(warehouse).length).toBe(17);
});

it('takes them away before a true export, and leaves what the operator loaded', async () => {
  const own = { ...storedRounds(warehouse)[0]!, id: 2019090110, datum: '2019-09-01' };
  storeRound(warehouse, {
    ...own,
    listen: [{ ...own.listen[0]!, quelle: 'Liste der Zuschläge (Zuschlaege-2019-09.xlsx)' }],
  });
  const extracted = { ...(await openArchive(SAMPLE, null)), form: 'folder' as const };
  expect(await dropInvented(warehouse, extracted)).toBe(17);
  expect(storedRounds(warehouse).map(({ id }) => id)).toEqual([2019090110]);
  expect(storedRound(warehouse, 2019090110)?.listen[0]?.quelle).toContain('Zuschlaege-2019-09');
});
