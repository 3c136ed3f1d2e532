import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { openFresh, POSTGRES, PREPARED, written } from '../../support/store-engines.ts';
import { REACHING_NOTHING, REFUSED } from './forbidden-statements.ts';
import { IN_SCOPE, makeScene, message, OUT_OF_SCOPE, REMOVED, type Scene } from './three-organisations.ts';

/**
 * Row-level security names exactly the two sides of what crosses between organisations, whatever a statement says. Each of
 * the three organisations in three-organisations.ts reads, inserts, updates and deletes in every table of the store.
 */

/** The rows of a table that an organisation reaches; null where tests below list them one by one. */
interface Table {
  /** A condition on its rows that is true for those of the organisation $org. */
  readonly readBy: string | null;
  readonly changedBy: string | null;
  readonly deletedBy: string | null;
}

const own = (column: string): Table => {
  const condition = `${column} = $org`;
  return { readBy: condition, changedBy: condition, deletedBy: condition };
};
const readOnly = (readBy: string | null): Table => ({ readBy, changedBy: 'false', deletedBy: 'false' });
const side = '$org IN (initiator_id, invited_id)';
const ofConnection = readOnly(`connection_id IN (SELECT id FROM connections WHERE ${side})`);
const living = `connection_id IN (SELECT id FROM connections WHERE ${side} AND status IN ('PENDING', 'ACCEPTED'))`;
const ofThread = readOnly(`thread_id IN (SELECT id FROM threads WHERE ${side})`);

const TABLES: Readonly<Record<string, Table>> = {
  organisations: own('id'),
  users: own('organisation_id'),
  api_keys: own('organisation_id'),
  older_rows: own('organisation_id'),
  limit_windows: own('organisation_id'),
  usage_months: own('organisation_id'),
  idempotency_keys: own('organisation_id'),
  alerts: own('organisation_id'),
  alert_emails: own('organisation_id'),
  alert_evaluations: own('organisation_id'),
  event_counters: own('organisation_id'),
  events: own('organisation_id'),
  audit_log: own('organisation_id'),
  portfolio_entries: own('organisation_id'),
  saved_filters: own('organisation_id'),
  shares: own('organisation_id'),
  custom_field_words: own('organisation_id'),
  custom_field_word_units: own('organisation_id'),
  contacts: own('organisation_id'),
  mailboxes: own('organisation_id'),
  mailbox_categories: own('organisation_id'),
  mailbox_users: own('organisation_id'),
  webhook_endpoints: own('organisation_id'),
  webhook_deliveries: own('organisation_id'),
  webhook_attempts: own('organisation_id'),
  connections: readOnly(side),
  // Either side takes units out while it lasts; fields are arranged by their owner.
  connection_assets: { ...ofConnection, deletedBy: living },
  connection_fields: { ...ofConnection, deletedBy: 'owner_id = $org' },
  connection_releases: { ...ofConnection, deletedBy: 'owner_id = $org' },
  standing_releases: { ...readOnly(null), deletedBy: 'owner_id = $org' },
  custom_fields: { ...own('organisation_id'), readBy: null },
  custom_field_values: { readBy: null, changedBy: null, deletedBy: null },
  // Their count and times change with every message.
  threads: { ...readOnly(side), changedBy: side },
  thread_participants: ofThread,
  messages: ofThread,
};

/** Tables without rows of organisations. */
const OF_NOBODY = ['evaluations', 'job_runs', 'schema_migrations', 'write_probe'];

const line = z.strictObject({ line: z.string() });

/** The error of Postgres for a row that violates the policy of its table. */
const POLICY_VIOLATED = { code: '42501' };

/** Ends a transaction so that nothing of it stays. */
class Rollback extends Error {}

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`where organisations meet: ${engine.name}`, () => {
    let store: OrgStore;
    let scene: Scene;
    beforeAll(async () => {
      store = await openFresh(engine);
      scene = await makeScene(store);
    });
    afterAll(() => store?.close());

    /** Does something in the name of an organisation, and takes it back. */
    async function tryAs<Result>(organisation: string, work: (session: Session) => Promise<Result>): Promise<Result> {
      let result: { readonly value: Result } | undefined;
      const done = store.asOrganisation(organisation, async (session) => {
        result = { value: await work(session) };
        throw new Rollback();
      });
      await done.catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error;
      });
      return result!.value;
    }

    const changedAs = (organisation: string, text: string) =>
      tryAs(organisation, (session) => session.run(written(text)));
    const linesAs = async (organisation: string, text: string) =>
      (await tryAs(organisation, (session) => session.rows(line, written(text)))).map((row) => row.line);
    const known = async (text: string) => (await store.autocommit(line, written(text))).map((row) => row.line);
    const organisations = () => Object.entries({ anna: scene.anna, berta: scene.berta, carla: scene.carla });
    const mine = (condition: string, organisation: string) => condition.replaceAll('$org', `'${organisation}'`);

    it('every table of the store is in this test, and forces its policies', async () => {
      const tables =
        await known(`SELECT relname || CASE WHEN relrowsecurity AND relforcerowsecurity THEN '' ELSE ' open' END AS line
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`);
      expect(tables).toEqual([...Object.keys(TABLES), ...OF_NOBODY.map((name) => `${name} open`)].toSorted());
    });

    describe.each(Object.entries(TABLES))('%s', (table, { readBy, changedBy, deletedBy }) => {
      const rows = (condition: string) =>
        `SELECT to_jsonb(t)::text AS line FROM ${table} t WHERE ${condition} ORDER BY 1`;

      it.skipIf(readBy === null)('each organisation reads the rows that it is a side of, and no other', async () => {
        for (const [name, id] of organisations()) {
          expect(await linesAs(id, rows('true')), name).toEqual(await known(rows(mine(readBy!, id))));
        }
      });

      it.skipIf(changedBy === null)('an UPDATE of everything reaches only rows that it may change', async () => {
        const [column] = await known(`SELECT attname::text AS line FROM pg_attribute
          WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum DESC LIMIT 1`);
        for (const [name, id] of organisations()) {
          const expected = (await known(rows(mine(changedBy!, id)))).length;
          expect(await changedAs(id, `UPDATE ${table} SET ${column} = ${column}`), name).toBe(expected);
        }
      });

      it.skipIf(deletedBy === null)('a DELETE of everything reaches only rows that it may delete', async () => {
        for (const [name, id] of organisations()) {
          const expected = (await known(rows(mine(deletedBy!, id)))).length;
          expect(await changedAs(id, `DELETE FROM ${table}`), name).toBe(expected);
        }
      });
    });

    describe('fields and values cross through the four conditions only', () => {
      const names = 'SELECT name AS line FROM custom_fields ORDER BY 1';
      const texts = 'SELECT text AS line FROM custom_field_values ORDER BY 1';
      const bothUnits = (name: string) => [`${name}, ${IN_SCOPE}`, `${name}, ${OUT_OF_SCOPE}`];

      it('definitions: own ones, and those that are accepted, released, active and in scope', async () => {
        expect(await linesAs(scene.anna, names)).toEqual([
          'Anna asks Carla, over',
          'Anna keeps inactive',
          'Anna keeps unreleased',
          'Anna shares',
          'Berta asks',
          'Berta shares everywhere',
        ]);
        expect(await linesAs(scene.berta, names)).toEqual(['Anna shares', 'Berta asks', 'Berta shares everywhere']);
        expect(await linesAs(scene.carla, names)).toEqual(['Berta asks', 'Berta shares everywhere', 'Carla has']);
      });

      it('values: those of own fields, what partners share, and own answers', async () => {
        expect(await linesAs(scene.anna, texts)).toEqual(
          [
            ...['Anna asks Carla, over', 'Anna keeps inactive', 'Anna keeps unreleased', 'Anna shares'].flatMap(
              bothUnits,
            ),
            'Carla answered once, now over',
            'Anna answers Berta',
            `Berta shares everywhere, ${IN_SCOPE}`,
          ].toSorted(),
        );
        expect(await linesAs(scene.berta, texts)).toEqual(
          [
            ...['Berta asks', 'Berta shares everywhere'].flatMap(bothUnits),
            'Anna answered once, now out of scope',
            'Anna answers Berta',
            'Carla answers Berta',
            `Anna shares, ${IN_SCOPE}`,
          ].toSorted(),
        );
        expect(await linesAs(scene.carla, texts)).toEqual(
          [...bothUnits('Carla has'), 'Carla answers Berta', `Berta shares everywhere, ${IN_SCOPE}`].toSorted(),
        );
      });

      it('values that an UPDATE or a DELETE of everything reaches: those it wrote and may still write', async () => {
        const reached = {
          anna: [...bothUnits('Anna asks Carla, over'), ...bothUnits('Anna keeps inactive')]
            .concat(bothUnits('Anna keeps unreleased'), bothUnits('Anna shares'), 'Anna answers Berta')
            .toSorted(),
          berta: [...bothUnits('Berta asks'), ...bothUnits('Berta shares everywhere')],
          carla: [...bothUnits('Carla has'), 'Carla answers Berta'].toSorted(),
        };
        for (const [name, id] of organisations()) {
          for (const statement of [
            'UPDATE custom_field_values SET position = position',
            'DELETE FROM custom_field_values',
          ]) {
            const lines = await linesAs(id, `${statement} RETURNING text AS line`);
            expect(lines.toSorted(), `${name}: ${statement}`).toEqual(reached[name as keyof typeof reached]);
          }
        }
      });

      it('standing releases: own ones, and those that take effect', async () => {
        const releases = `SELECT owner_id || ' ' || mastr_number AS line FROM standing_releases ORDER BY 1`;
        expect(await linesAs(scene.anna, releases)).toEqual([`${scene.berta} ${IN_SCOPE}`]);
        expect(await linesAs(scene.berta, releases)).toEqual([
          `${scene.berta} ${IN_SCOPE}`,
          `${scene.berta} ${OUT_OF_SCOPE}`,
        ]);
        expect(await linesAs(scene.carla, releases)).toEqual(
          [`${scene.berta} ${IN_SCOPE}`, `${scene.carla} ${IN_SCOPE}`].toSorted(),
        );
      });

      it('a field that is active on a connection of others crosses nothing', async () => {
        const { id, owner } = scene.fields['Carla has']!;
        const strange = sql`INSERT INTO connection_fields VALUES (${scene.connections.annaBerta}::uuid, ${id}::uuid,
          ${owner}::uuid, 'SHARE', now())`;
        const released = sql`INSERT INTO connection_releases VALUES (${scene.connections.annaBerta}::uuid, ${id}::uuid,
          ${owner}::uuid, now())`;
        await store.asOperator((session) => session.run(strange));
        await store.asOperator((session) => session.run(released));
        for (const organisation of [scene.anna, scene.berta]) {
          expect(await linesAs(organisation, names)).not.toContain('Carla has');
          expect((await linesAs(organisation, texts)).join()).not.toContain('Carla has');
        }
        await store.asOperator((session) =>
          session.run(sql`DELETE FROM connection_fields WHERE field_id = ${id}::uuid`),
        );
        await store.asOperator((session) =>
          session.run(sql`DELETE FROM connection_releases WHERE field_id = ${id}::uuid`),
        );
      });
    });

    describe('functions that look across organisations', () => {
      /** What carla calls, about the connection of anna and berta, in her own name or in that of another. */
      const calls = (me: string, { connections: { annaBerta }, berta }: Scene): Readonly<Record<string, string>> => ({
        lock_connection: `SELECT id::text AS line FROM lock_connection('${me}', '${annaBerta}')`,
        invitations_by_address: `SELECT id::text AS line FROM invitations_by_address('${me}')`,
        answer_invitation: `SELECT 'done' AS line FROM answer_invitation('${me}', '${annaBerta}', 'DECLINED')`,
        end_connection: `SELECT 'done' AS line WHERE end_connection('${me}', '${annaBerta}')`,
        send_invitation: `SELECT 'done' AS line WHERE '${me}' <> '${scene.carla}'
          AND send_invitation(gen_random_uuid(), '${me}', '${berta}', NULL)`,
        lock_sides: `SELECT name AS line FROM lock_sides('${me}', '${berta}') AS name
          WHERE '${me}' <> '${scene.carla}' AND name IS NOT NULL`,
        may_extend: `SELECT 'may' AS line WHERE may_extend('${annaBerta}')`,
      });

      it('do nothing for a third, nor in the name of another, and leave the session its own', async () => {
        for (const me of [scene.carla, scene.anna, scene.berta]) {
          for (const [name, text] of Object.entries(calls(me, scene))) {
            const seen = await tryAs(scene.carla, async (session) => [
              ...(await session.rows(line, written(text))),
              ...(await session.rows(line, written(`SELECT current_setting('app.organisation') AS line`))),
            ]);
            expect([name, seen]).toEqual([name, [{ line: scene.carla }]]);
          }
        }
      });

      const extending = (connection: string, ...units: string[]) =>
        `SELECT extend_connection('${connection}', '{${units}}')::text AS line`;

      it('put units in scope for the side that invited, from its portfolio as it is now', async () => {
        const units = [IN_SCOPE, OUT_OF_SCOPE, REMOVED, 'SEE900000000009'];
        expect(await linesAs(scene.berta, extending(scene.connections.bertaCarla, ...units))).toEqual(['1']);
      });

      it.each([
        ['anna', 'annaBerta', 'where the other side has released a field for all of it'],
        ['berta', 'annaBerta', 'as the side that was invited'],
        ['carla', 'bertaCarla', 'as the side that was invited'],
        ['anna', 'bertaCarla', 'of others'],
        ['anna', 'ended', 'after the end'],
      ] as const)('put none in scope for %s on %s: %s', async (who, connection, _why) => {
        const text = extending(scene.connections[connection], OUT_OF_SCOPE);
        expect(await linesAs(scene[who], text)).toEqual(['0']);
      });

      it('note no change on a connection of others', async () => {
        const text = `SELECT updated_at::text AS line FROM connections WHERE id = '${scene.connections.annaBerta}'`;
        const before = await known(text);
        await store.asOrganisation(scene.carla, (session) =>
          session.run(sql`SELECT touch_connection(${scene.connections.annaBerta}::uuid)`),
        );
        expect(await known(text)).toEqual(before);
      });

      it('nobody answers its own invitation, nor a connection that is answered', async () => {
        const { annaBerta } = scene.connections;
        for (const side of [scene.anna, scene.berta]) {
          const text = `SELECT 'done' AS line FROM answer_invitation('${side}', '${annaBerta}', 'DECLINED')`;
          expect(await linesAs(side, text)).toEqual([]);
        }
        const made = `SELECT (SELECT count(*) FROM answer_invitation('${scene.anna}', id, 'ACCEPTED'))::text AS line FROM (
          SELECT gen_random_uuid() AS id) AS made WHERE send_invitation(id, '${scene.anna}', '${scene.carla}', NULL)`;
        expect(await linesAs(scene.anna, made)).toEqual(['0']);
      });
    });

    describe('what no statement does', () => {
      it.each(REFUSED)('no organisation can %s (%s)', async (_, who, statement) => {
        await expect(tryAs(scene[who], (session) => session.run(statement(scene)))).rejects.toMatchObject(
          POLICY_VIOLATED,
        );
      });

      it.each(REACHING_NOTHING)('no organisation can %s (%s)', async (_, who, statement) => {
        expect(await tryAs(scene[who], (session) => session.run(statement(scene)))).toBe(0);
      });

      it('a mailbox gets no user of another organisation', async () => {
        const mailbox = sql`INSERT INTO mailbox_users SELECT organisation_id, id, ${scene.users.berta}::uuid FROM mailboxes`;
        await expect(tryAs(scene.anna, (session) => session.run(mailbox))).rejects.toMatchObject({ code: '23503' });
      });
    });

    it('what each may do is done: an answer, a thread, a person, a message', async () => {
      const { anna, berta, threads, connections, users } = scene;
      const { id } = scene.fields['Berta asks']!;
      const statements = [
        sql`INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, writer_id,
              updated_at)
            VALUES (${berta}, ${id}, ${IN_SCOPE}, 1, 'X', 'x', ${anna}, now())`,
        sql`UPDATE custom_field_values SET text = 'Y' WHERE writer_id = ${anna}::uuid AND organisation_id = ${berta}::uuid
              AND position = 0 AND mastr_number = ${IN_SCOPE}`,
        sql`INSERT INTO threads (id, connection_id, initiator_id, invited_id, assets, message_count, last_activity_at,
              created_at, updated_at)
            VALUES (${randomUUIDv7()}, ${connections.annaBerta}, ${anna}, ${berta}, '{}', 0, now(), now(), now())`,
        message(threads.annaBerta, 3, anna, users.anna),
        message(threads.annaBerta, 4, anna, null),
        sql`UPDATE threads SET message_count = 4, last_activity_at = now(), updated_at = now()
            WHERE id = ${threads.annaBerta}::uuid`,
        sql`DELETE FROM custom_field_values WHERE writer_id = ${anna}::uuid AND organisation_id = ${berta}::uuid
              AND position = 1`,
      ];
      const changed = await tryAs(anna, async (session) => {
        const counts: number[] = [];
        for (const statement of statements) counts.push(await session.run(statement));
        return counts;
      });
      expect(changed).toEqual(statements.map(() => 1));
    });
  });
}
