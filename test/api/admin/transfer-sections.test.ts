import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { applyDocument } from '../../../api/admin/transfer/apply-document.ts';
import { type DocumentMembers, section } from '../../../api/admin/transfer/section.ts';
import { readSettings } from '../../../runtime/settings.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { ANYWHERE, openFresh } from '../../support/store-engines.ts';

/** The ways in which a section of the transfer document identifies its items. */

let store: OrgStore;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
});
afterAll(() => store.close());

const apply = (sectionOf: Parameters<typeof applyDocument>[1]['lists'][number]['section'], items: DocumentMembers[]) =>
  store.asOperator((session) =>
    applyDocument(
      session,
      { organisation: { externalId: `of-${randomUUID()}`, name: 'Werk' }, lists: [{ section: sectionOf, items }] },
      { settings: readSettings({}) },
    ),
  );

describe('items without an id, identified by several members', () => {
  interface Place {
    readonly unit: string;
    readonly place: number;
    readonly text: string;
  }
  let stored: Place[];
  beforeEach(() => {
    stored = [{ unit: 'a', place: 0, text: 'kept' }];
  });

  const places = section<Place>({
    name: 'places',
    shape: z.strictObject({ unit: z.string(), place: z.int(), text: z.string() }),
    key: ['unit', 'place'],
    defaults: () => ({ place: 0 }),
    read: async () => stored,
    async write(_, items) {
      const keyOf = ({ unit, place }: Place) => `${unit} ${place}`;
      stored = [...stored.filter((old) => !items.some((item) => keyOf(item) === keyOf(old))), ...items];
    },
  });

  test('are created, updated or unchanged by all of these, with the defaults of what is left out', async () => {
    const { counts } = await apply(places, [
      { unit: 'a', text: 'kept' },
      { unit: 'a', place: 1, text: 'new' },
      { unit: 'b', text: 'new' },
    ]);
    expect(counts.places).toEqual({ created: 2, updated: 0, unchanged: 1 });
    expect((await apply(places, [{ unit: 'a', place: 0, text: 'other' }])).counts.places).toMatchObject({ updated: 1 });
    expect(stored).toEqual([
      { unit: 'a', place: 1, text: 'new' },
      { unit: 'b', place: 0, text: 'new' },
      { unit: 'a', place: 0, text: 'other' },
    ]);
  });

  test('are refused when the document has one twice, at the place of the item', async () => {
    const twice = apply(places, [
      { unit: 'b', text: 'one' },
      { unit: 'b', place: 0, text: 'two' },
    ]);
    await expect(twice).rejects.toThrow('#/places/1 names the same as #/places/0, too');
    expect(stored).toHaveLength(1);
  });
});

describe('items whose id is their key', () => {
  const named = section<{ readonly id: string; readonly name: string }>({
    name: 'named',
    shape: z.strictObject({ id: z.uuid(), name: z.string() }),
    key: 'id',
    defaults: () => ({}),
    read: async () => [],
    write: async () => {},
  });

  test('get one when they come without', async () => {
    expect((await apply(named, [{ name: 'a' }, { name: 'b' }])).counts.named).toMatchObject({ created: 2 });
  });

  test('are refused once when the document has one twice', async () => {
    const id = randomUUID();
    const twice = apply(named, [
      { id, name: 'a' },
      { id, name: 'b' },
    ]);
    await expect(twice).rejects.toThrow(/valid:\n {2}#\/named\/1\/id is that of #\/named\/0, too$/);
  });
});
