import { beforeEach, expect, test } from 'vitest';
import { withoutOwnTexts } from '../../../api/access/without-own-texts.ts';
import type { OrgStore } from '../../../sql/org/store.ts';

/** The organisations that have a word, and how often the store was asked for one. */
let words: Set<string>;
let lookUps: number;
let changes: number;
/** Awaited by a look-up after it has read. */
let answered: () => Promise<void> | void;

const store = (exclusive = true): Pick<OrgStore, 'asOrganisation' | 'changes' | 'exclusive'> => ({
  exclusive,
  changes: () => changes,
  async asOrganisation(id, work) {
    lookUps += 1;
    const found = words.has(id);
    await answered();
    const row = async () => (found ? { bucket: 1 } : null) as never;
    return work({ row, rows: async () => [], run: async () => 0 });
  },
});

beforeEach(() => {
  words = new Set(['with']);
  lookUps = 0;
  changes = 0;
  answered = () => {};
});

test('the store is asked once for an organisation, with texts and without', async () => {
  const isWithout = withoutOwnTexts(store());
  for (let call = 0; call < 3; call++) {
    expect(await isWithout('without')).toBe(true);
    expect(await isWithout('with')).toBe(false);
  }
  expect(lookUps).toBe(2);
});

test('a text is found as soon as records have changed, whoever wrote it', async () => {
  const isWithout = withoutOwnTexts(store());
  expect(await isWithout('without')).toBe(true);
  words.add('without');
  changes += 2;
  expect(await isWithout('without')).toBe(false);
});

test('what is read while records change counts for nothing later', async () => {
  const isWithout = withoutOwnTexts(store());
  answered = () => {
    words.add('without');
    changes += 2;
  };
  expect(await isWithout('without')).toBe(true);
  expect(await isWithout('without')).toBe(false);
});

test('nothing is known of a store that other processes write to', async () => {
  const isWithout = withoutOwnTexts(store(false));
  expect(await isWithout('without')).toBe(false);
  expect(lookUps).toBe(0);
});
