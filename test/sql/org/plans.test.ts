import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withoutOwnTexts } from '../../../api/access/without-own-texts.ts';
import { forgetUnusedWords } from '../../../api/jobs/forget-words.ts';
import { searchedContacts, searchedRow } from '../../../sql/org/records/contacts.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { fill } from '../../bench/org/fill.ts';
import { arrangeEverything, lookAtEverything } from '../../model/everything.ts';
import { newWorld } from '../../model/history.ts';
import { Reality } from '../../model/world/reality.ts';
import { TEST_KEYS } from '../../support/contacts.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { serveOwnFixture } from '../../support/service.ts';
import { drawnEngines, openFresh, written } from '../../support/store-engines.ts';
import { flat, type Taken, tablesReadWhole, takingDown } from './statement-plans.ts';

/**
 * Every statement of sql/org/records finds its rows by an index. The statements are taken down while organisations use
 * everything there is, and explained afterwards in a store with many rows, where reading whole tables is forbidden.
 */

const RECORDS = join(import.meta.dirname, '../../../sql/org/records');

/** The longest piece of SQL in the source of each exported statement, by file and name. */
async function statementsOfRecords(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of readdirSync(RECORDS)) {
    const members: Record<string, unknown> = await import(join(RECORDS, file));
    for (const [name, member] of Object.entries(members)) {
      const pieces = [...String(member).matchAll(/\bsql`([^`$]*)/g)].map(([, piece = '']) => flat(piece));
      const longest = pieces.toSorted((one, other) => other.length - one.length)[0];
      if (typeof member === 'function' && longest !== undefined) found.set(`${file} ${name}`, longest);
    }
  }
  return found;
}

/** It takes the first entry of an index, then the first behind that, and so on: so many reads as there are keys. */
const FIRST_OF_INDEX = /min\(key_id\)/;

/**
 * Adds so many rows that it never pays to read all of the small tables, either, which policies and joins look into. Ids of users
 * lie around those of others, or a join in their order would end early.
 */
async function crowd(store: OrgStore): Promise<void> {
  const { id } = await makeOrganisation(store);
  await store.asOperator(async (session) => {
    for (const statement of [
      `INSERT INTO organisations (id, external_id, name, modules, signals, alert_templates, limits, quota, created_at, updated_at)
       SELECT gen_random_uuid(), 'many-' || n, 'N', '{}', '{}', '{}', '{}', 1, now(), now() FROM ROWS`,
      `INSERT INTO users (id, organisation_id, external_id, name, email, role, created_at, updated_at)
       SELECT overlay(gen_random_uuid()::text PLACING '01a2' FROM 1 FOR 4)::uuid, '${id}', 'u' || n, 'U', 'u' || n || '@example.org', 'member', now(), now() FROM ROWS`,
      `INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, status, created_at, updated_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'A', gen_random_uuid(), 'B', 'REVOKED', now(), now() FROM ROWS`,
      `INSERT INTO connections (id, initiator_id, initiator_name, invited_email, status, created_at, updated_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'A', 'v' || n || '@example.org', 'PENDING', now(), now() FROM ROWS`,
      `INSERT INTO threads (id, connection_id, initiator_id, invited_id, assets, message_count, last_activity_at, created_at, updated_at)
       SELECT gen_random_uuid(), id, initiator_id, invited_id, '{}', 0, now(), now(), now() FROM connections
       WHERE status = 'REVOKED'`,
      `INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at, updated_at)
       SELECT gen_random_uuid(), id, 'F', 'TEXT', false, '{}', false, true, now(), now() FROM organisations
       WHERE external_id LIKE 'many-%'`,
      `INSERT INTO standing_releases (owner_id, field_id, mastr_number, released_at)
       SELECT organisation_id, id, 'SEE900000000001', now() FROM custom_fields WHERE name = 'F'`,
      `INSERT INTO mailboxes (id, organisation_id, name, general, created_at, updated_at)
       SELECT gen_random_uuid(), id, 'M', true, now(), now() FROM organisations WHERE external_id LIKE 'many-%'`,
      `INSERT INTO mailbox_categories (organisation_id, category, mailbox_id)
       SELECT organisation_id, 'TECHNIK', id FROM mailboxes WHERE name = 'M'`,
    ])
      await session.run(written(statement.replace('ROWS', 'generate_series(1, 6000) n')));
  });
}

/** Statements of the portfolio and the saved filters are not about what this arranges; they are tested beside their own. */
const ELSEWHERE = /^(portfolio|saved-filters)\.ts /;

describe.each(drawnEngines(1))('$name', (engine) => {
  describe('statements of records', () => {
    const state = temporaryFolder();
    let store: OrgStore;
    let taken: Map<string, Taken>;

    beforeAll(async () => {
      store = await openFresh(engine);
      const noted = takingDown(store);
      taken = noted.taken;
      const service = await serveOwnFixture({ STATE_DIR: state.path }, noted.store);
      const reality = new Reality(service, state.path);
      await reality.found(newWorld(4));
      const arranged = await arrangeEverything(reality);
      await lookAtEverything(reality, arranged);
      await forgetUnusedWords(noted.store);
      // A service asks this of an exclusive store alone.
      const { id } = await makeOrganisation(noted.store);
      await withoutOwnTexts({ ...noted.store, exclusive: true })(id);
      // A search looks at contacts in their order where more match than this world has.
      const searched = searchedContacts(id, { kind: null, after: null }, ['muster'], 10, 10);
      await noted.store.asOrganisation(id, (session) => session.rows(searchedRow, searched));
      const sides = ['A', 'B'].map(reality.externalId);
      const documents = await Promise.all(sides.map((side) => reality.command(['export', side])));
      for (const side of sides)
        await reality.command(['organisations', 'delete', side, '--yes-delete-everything-of', side]);
      for (const document of documents) await reality.command(['import', '-'], document);
      await service.stop();
      // Rows of others, among which those of an organisation have to be found.
      const sizes = { contacts: 3000, values: 2000, threads: 100, messages: 800 };
      for (let others = 0; others < 3; others++) await fill(store, sizes, [], TEST_KEYS);
      await crowd(store);
      await store.autocommit(z.unknown(), written('ANALYZE'));
    });
    afterAll(async () => {
      await store?.close();
      state.remove();
    });

    test('were all taken down', async () => {
      const texts = [...taken.values()].map(({ statement }) => flat(statement.text));
      const missing = [...(await statementsOfRecords())]
        .filter(([name, piece]) => !ELSEWHERE.test(name) && !texts.some((text) => text.includes(piece)))
        .map(([name]) => name);
      expect(missing).toEqual([]);
    });

    test('find their rows by an index', async () => {
      const faults: string[] = [];
      const pieces = [...(await statementsOfRecords()).values()];
      for (const each of taken.values()) {
        const text = flat(each.statement.text);
        if (!pieces.some((piece) => piece.length > 20 && text.includes(piece)) || FIRST_OF_INDEX.test(text)) continue;
        const tables = (await tablesReadWhole(store, each)) ?? [];
        if (tables.length > 0) faults.push(`${tables.join(', ')}: ${text}`);
      }
      expect(faults).toEqual([]);
    });
  });
});
