import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lockForValues, writeValues } from '../../../api/custom-fields/write-values.ts';
import { forgetUnusedWords } from '../../../api/jobs/forget-words.ts';
import { unitsWithOwnTexts } from '../../../api/units/conditions.ts';
import { type FieldValue, fieldValueRow, valuesOfUnit } from '../../../sql/org/records/custom-field-values.ts';
import type { CustomFieldRow } from '../../../sql/org/records/custom-fields.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { fold } from '../../../sql/query/fold.ts';
import { cases } from '../../support/cases.ts';
import { makeField } from '../../support/custom-fields.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { unit } from '../../support/portfolio.ts';
import { openFresh, POSTGRES, PREPARED } from '../../support/store-engines.ts';

/** Writing values and finding them by their words, against a plain model of both. */

const text = (value: string): FieldValue => ({ text: value, number: null, day: null, dayPrecision: null });

/** One change: what a writer puts into a field of a unit. */
interface Change {
  readonly number: number;
  readonly field: number;
  readonly byPartner: boolean;
  readonly texts: readonly string[];
}

const change: fc.Arbitrary<Change> = fc.record({
  number: fc.integer({ min: 1, max: 3 }),
  field: fc.integer({ min: 0, max: 1 }),
  byPartner: fc.boolean(),
  texts: fc.array(fc.constantFrom('Müller', 'Müller & Söhne', 'a b', "o'neil%_\\", ' \n ß', 'x'.repeat(3000)), {
    maxLength: 3,
  }),
});

const placesRow = z.strictObject({ unit: z.string() });

/** The units that have a whole word. */
const placesOf = (organisationId: string, word: string) => sql`
  SELECT mastr_number AS unit FROM custom_field_word_units
  WHERE organisation_id = ${organisationId}::uuid AND word_key = word_key(${word})`;

const waitingRow = z.strictObject({ waiting: z.boolean() });

/** Tells whether somebody in this database waits for a lock that a transaction has. */
const waitingForLocks = sql`
  SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE NOT granted AND locktype = 'advisory' AND d.datname = current_database()) AS waiting`;

const TERMS = ['muller', 'ull', '&', 'b', '%_\\', 'ss', 'xx', 'sohne', 'zz'];

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(engine.name, () => {
    let store: OrgStore;
    let organisation: { readonly id: string };
    let partner: string;
    let fields: CustomFieldRow[];
    beforeAll(async () => {
      store = await openFresh(engine);
      partner = (await makeOrganisation(store)).id;
    });
    afterAll(() => store?.close());

    const begin = async () => {
      organisation = await makeOrganisation(store);
      fields = [await makeField(store, organisation), await makeField(store, organisation)];
    };

    const changeOf = ({ number, field, byPartner, texts }: Change) => ({
      fieldId: fields[field]!.id,
      mastrNumber: unit(number),
      writerId: byPartner ? partner : organisation.id,
      values: texts.map(text),
    });

    /** A partner writes only what it is asked for on a connection, which these fields are not; so the operator does for it. */
    const write = (changes: readonly Change[]) => {
      const work = async (session: Session) => {
        const rows = changes.map(changeOf);
        await lockForValues(
          session,
          organisation.id,
          rows.map(({ mastrNumber }) => mastrNumber),
        );
        return writeValues(session, organisation.id, rows);
      };
      return changes.some(({ byPartner }) => byPartner)
        ? store.asOperator(work)
        : store.asOrganisation(organisation.id, work);
    };

    const findEach = (terms: readonly string[]) =>
      store.asOrganisation(organisation.id, async (session) =>
        [...(await unitsWithOwnTexts(session, organisation.id, terms))].map(
          ([term, units]) => [term, units.toSorted()] as const,
        ),
      );

    const find = async (term: string) => (await findEach([term]))[0]![1];

    test('any changes leave exactly what was written last, and every term finds exactly the units that have it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
          await begin();
          const model = new Map<string, { change: Change; texts: readonly string[] }>();
          for (const one of changes) {
            const place = JSON.stringify([one.number, one.field, one.byPartner]);
            const before = model.get(place)?.texts ?? [];
            model.set(place, { change: one, texts: one.texts });
            const same = JSON.stringify(before) === JSON.stringify(one.texts);
            const expected = same ? 'unchanged' : before.length === 0 ? 'created' : 'updated';
            expect(await write([one])).toEqual([expected]);
          }
          const ids = fields.map(({ id }) => id);
          for (const number of [1, 2, 3]) {
            const rows = await store.asOrganisation(organisation.id, (session) =>
              session.rows(fieldValueRow, valuesOfUnit(organisation.id, unit(number), ids, 100)),
            );
            for (const { change: one, texts } of model.values()) {
              if (one.number !== number) continue;
              const { fieldId, writerId } = changeOf(one);
              const mine = rows.filter((row) => row.fieldId === fieldId && row.writerId === writerId);
              expect(mine.map((row) => row.text)).toEqual(texts);
            }
          }
          const expected = TERMS.map((term) => {
            const having = [...model.values()].filter(({ texts }) => texts.some((one) => fold(one).includes(term)));
            return [term, [...new Set(having.map(({ change: one }) => unit(one.number)))].sort()];
          });
          expect(await findEach(TERMS)).toEqual(expected);
        }),
        { numRuns: cases(15) },
      );
    });

    test('writers of one field at the same time: each is whole, and the last one stays', async () => {
      await begin();
      const texts = Array.from({ length: 12 }, (_, index) => [`erster ${index}`, `zweiter ${index}`]);
      const effects = await Promise.all(
        texts.map((both) => write([{ number: 1, field: 0, byPartner: false, texts: both }])),
      );
      expect(effects.flat().sort()).toEqual(['created', ...Array(11).fill('updated')]);
      const rows = await store.asOrganisation(organisation.id, (session) =>
        session.rows(fieldValueRow, valuesOfUnit(organisation.id, unit(1), [fields[0]!.id], 100)),
      );
      expect(texts).toContainEqual(rows.map((row) => row.text));
      for (const [index, both] of texts.entries()) {
        const stays = rows[0]!.text === both[0];
        const words = await store.asOrganisation(organisation.id, (session) =>
          session.rows(placesRow, placesOf(organisation.id, String(index))),
        );
        expect(words, both[0]).toEqual(stays ? [{ unit: unit(1) }] : []);
      }
    });

    test('the key of a word is the same on every engine', async () => {
      const key = z.strictObject({ key: z.string() });
      expect(await store.autocommit(key, sql`SELECT word_key('müller')::text AS key`)).toEqual([
        { key: '8861782393884280094' },
      ]);
    });

    test('the sweep forgets words that no unit has, and no other', async () => {
      await begin();
      const one = (texts: string[]) => write([{ number: 1, field: 0, byPartner: false, texts }]);
      await one(['alt bleibt']);
      await one(['bleibt neu']);
      const words = async () => {
        const rows = await store.autocommit(
          z.strictObject({ words: z.string() }),
          sql`SELECT words FROM custom_field_words WHERE organisation_id = ${organisation.id}::uuid`,
        );
        return rows.flatMap((row) => row.words.split(' ').filter((word) => word !== '')).sort();
      };
      expect(await words()).toEqual(['alt', 'bleibt', 'neu']);
      await forgetUnusedWords(store);
      expect(await words()).toEqual(['bleibt', 'neu']);
      await one(['alt neu']);
      expect([await find('alt'), await find('neu'), await find('bleibt')]).toEqual([[unit(1)], [unit(1)], []]);
    });

    test('the sweep keeps a word that somebody writes again at that moment', async () => {
      await begin();
      const again = { number: 1, field: 0, byPartner: false, texts: ['wieder'] };
      await write([again]);
      await write([{ ...again, texts: [] }]);
      let sweep: Promise<void> | undefined;
      await store.asOrganisation(organisation.id, async (session) => {
        await lockForValues(session, organisation.id, [unit(1)]);
        await writeValues(session, organisation.id, [changeOf(again)]);
        let over = false;
        sweep = forgetUnusedWords(store).finally(() => {
          over = true;
        });
        // In one process, it waits for the end of this transaction from its beginning on.
        while (!store.exclusive && !over) {
          const { waiting } = (await session.row(waitingRow, waitingForLocks))!;
          if (waiting) break;
          await setTimeout(5);
        }
        expect(over).toBe(false);
      });
      await sweep;
      expect(await find('wieder')).toEqual([unit(1)]);
    });

    test('values go with their field, and their words with them', async () => {
      await begin();
      await write([{ number: 1, field: 0, byPartner: false, texts: ['Müller'] }]);
      await store.asOperator((session) =>
        session.run(sql`DELETE FROM custom_fields WHERE organisation_id = ${organisation.id}::uuid`),
      );
      const counted = z.strictObject({ n: z.int() });
      const left = sql`SELECT count(*) AS n FROM custom_field_word_units WHERE organisation_id = ${organisation.id}::uuid`;
      expect(await store.autocommit(counted, left)).toEqual([{ n: 0 }]);
    });
  });
}
