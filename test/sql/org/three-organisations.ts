import { randomUUIDv7 } from 'node:crypto';
import { putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { connect } from '../../support/connections.ts';
import { makeOrganisation } from '../../support/organisation.ts';

/** Units in scope of every connection of the scene, and one in scope of none. */
export const IN_SCOPE = 'SEE900000000001';
export const OUT_OF_SCOPE = 'SEE900000000002';

/** A unit that was in every portfolio; the two others are in it now. */
export const REMOVED = 'SEE900000000003';

interface Field {
  readonly id: string;
  readonly owner: string;
}

/**
 * Three organisations in every table where two can meet: Anna and Berta are connected, Berta and Carla are, and what
 * Anna and Carla had has ended with everything still in its tables. Berta asks both the same.
 *
 * Names of fields and texts of values say whose they are and what is true of them.
 */
export interface Scene {
  readonly anna: string;
  readonly berta: string;
  readonly carla: string;
  readonly connections: { readonly annaBerta: string; readonly bertaCarla: string; readonly ended: string };
  /** By name. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly threads: { readonly annaBerta: string; readonly bertaCarla: string; readonly ended: string };
  /** A user of each. */
  readonly users: Readonly<Record<'anna' | 'berta' | 'carla', string>>;
}

type Run = (statement: StoreStatement) => Promise<number>;

export async function makeScene(store: OrgStore): Promise<Scene> {
  const [anna, berta, carla] = [
    await makeOrganisation(store, { name: 'Anna' }),
    await makeOrganisation(store, { name: 'Berta' }),
    await makeOrganisation(store, { name: 'Carla' }),
  ];
  const assets = [IN_SCOPE];
  const connections = {
    annaBerta: await connect(store, anna, berta, { assets }),
    bertaCarla: await connect(store, berta, carla, { assets }),
    ended: await connect(store, anna, carla, { assets, status: 'REVOKED' }),
  };
  const at = new Date().toISOString();
  return store.asOperator(async (session) => {
    const run: Run = (statement) => session.run(statement);
    const fields: Record<string, Field> = {};
    for (const [name, owner, asks] of [
      ['Anna shares', anna.id, false],
      ['Anna keeps inactive', anna.id, false],
      ['Anna keeps unreleased', anna.id, false],
      ['Anna asks Carla, over', anna.id, true],
      ['Berta asks', berta.id, true],
      ['Berta shares everywhere', berta.id, false],
      ['Carla has', carla.id, false],
    ] as const) {
      fields[name] = { id: await makeField(run, owner, name, asks), owner };
    }
    const field = (name: string): Field => fields[name]!;
    const entry = { relationType: 'OWNER' as const, externalRefs: {}, createdAt: at, updatedAt: at };
    for (const { id } of [anna, berta, carla]) {
      const rows = [IN_SCOPE, OUT_OF_SCOPE, REMOVED].map((mastrNumber) => ({
        ...{ ...entry, id: randomUUIDv7(), mastrNumber, removedAt: mastrNumber === REMOVED ? at : null },
      }));
      await run(putPortfolio(id, rows));
    }

    await activate(run, connections.annaBerta, field('Anna shares'), 'SHARE');
    await release(run, connections.annaBerta, field('Anna shares'));
    await release(run, connections.annaBerta, field('Anna keeps inactive'));
    await activate(run, connections.annaBerta, field('Anna keeps unreleased'), 'SHARE');
    await activate(run, connections.ended, field('Anna asks Carla, over'), 'REQUEST');
    await release(run, connections.ended, field('Anna asks Carla, over'));
    for (const connection of [connections.annaBerta, connections.bertaCarla]) {
      await activate(run, connection, field('Berta asks'), 'REQUEST');
      await release(run, connection, field('Berta asks'));
      await activate(run, connection, field('Berta shares everywhere'), 'SHARE');
    }
    for (const [name, unit] of [
      ['Berta shares everywhere', IN_SCOPE],
      ['Berta shares everywhere', OUT_OF_SCOPE],
      ['Carla has', IN_SCOPE],
    ] as const) {
      const { id, owner } = field(name);
      await run(sql`INSERT INTO standing_releases VALUES (${owner}::uuid, ${id}::uuid, ${unit}, now())`);
    }

    for (const [name, { owner, id }] of Object.entries(fields)) {
      for (const unit of [IN_SCOPE, OUT_OF_SCOPE]) await writeValue(run, owner, id, unit, owner, `${name}, ${unit}`);
    }
    await writeValue(run, berta.id, field('Berta asks').id, IN_SCOPE, anna.id, 'Anna answers Berta');
    await writeValue(run, berta.id, field('Berta asks').id, IN_SCOPE, carla.id, 'Carla answers Berta');
    await writeValue(
      run,
      berta.id,
      field('Berta asks').id,
      OUT_OF_SCOPE,
      anna.id,
      'Anna answered once, now out of scope',
    );
    await writeValue(
      run,
      anna.id,
      field('Anna asks Carla, over').id,
      IN_SCOPE,
      carla.id,
      'Carla answered once, now over',
    );

    const users = { anna: randomUUIDv7(), berta: randomUUIDv7(), carla: randomUUIDv7() };
    for (const [name, organisation] of Object.entries({ anna, berta, carla })) {
      const user = users[name as keyof typeof users];
      await run(
        sql`INSERT INTO users VALUES (${user}::uuid, ${organisation.id}::uuid, 'u', ${name}, NULL, 'member', now(), now())`,
      );
      await makeMailbox(run, organisation.id, user);
    }
    const threads = {
      annaBerta: await makeThread(run, connections.annaBerta, [anna.id, users.anna], [berta.id, users.berta]),
      bertaCarla: await makeThread(run, connections.bertaCarla, [berta.id, users.berta], [carla.id, users.carla]),
      ended: await makeThread(run, connections.ended, [anna.id, users.anna], [carla.id, users.carla]),
    };
    return { anna: anna.id, berta: berta.id, carla: carla.id, connections, fields, threads, users };
  });
}

async function makeField(run: Run, owner: string, name: string, asks: boolean): Promise<string> {
  const id = randomUUIDv7();
  await run(sql`
    INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at,
      updated_at)
    VALUES (${id}, ${owner}, ${name}, 'TEXT', false, '{}', ${asks}, ${!asks}, now(), now())`);
  return id;
}

const activate = (run: Run, connection: string, { id, owner }: Field, direction: 'SHARE' | 'REQUEST') =>
  run(
    sql`INSERT INTO connection_fields VALUES (${connection}::uuid, ${id}::uuid, ${owner}::uuid, ${direction}, now())`,
  );

const release = (run: Run, connection: string, { id, owner }: Field) =>
  run(sql`INSERT INTO connection_releases VALUES (${connection}::uuid, ${id}::uuid, ${owner}::uuid, now())`);

const writeValue = (run: Run, owner: string, field: string, unit: string, writer: string, text: string) =>
  run(sql`
    INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, writer_id, updated_at)
    VALUES (${owner}, ${field}, ${unit}, 0, ${text}, ${text}, ${writer}, now())`);

async function makeMailbox(run: Run, organisation: string, user: string): Promise<void> {
  const id = randomUUIDv7();
  await run(sql`INSERT INTO mailboxes VALUES (${id}::uuid, ${organisation}::uuid, 'Postfach', true, now(), now())`);
  await run(sql`INSERT INTO mailbox_categories VALUES (${organisation}::uuid, 'TECHNIK', ${id}::uuid)`);
  await run(sql`INSERT INTO mailbox_users VALUES (${organisation}::uuid, ${id}::uuid, ${user}::uuid)`);
}

type Side = readonly [organisation: string, user: string];

/** A thread with a person of each side and a message of each. */
async function makeThread(run: Run, connection: string, initiator: Side, invited: Side): Promise<string> {
  const id = randomUUIDv7();
  await run(sql`
    INSERT INTO threads (id, connection_id, initiator_id, invited_id, subject, category, assets, message_count,
      last_activity_at, created_at, updated_at)
    VALUES (${id}, ${connection}, ${initiator[0]}, ${invited[0]}, 'S', 'TECHNIK', '{}', 2, now(), now(), now())`);
  for (const [index, [side, user]] of [initiator, invited].entries()) {
    await run(sql`INSERT INTO thread_participants VALUES (${id}::uuid, ${user}::uuid, ${side}::uuid)`);
    await run(message(id, index + 1, side, user));
  }
  return id;
}

/** Inserts a message. */
export const message = (thread: string, number: number, sender: string, user: string | null): StoreStatement => sql`
  INSERT INTO messages (id, thread_id, number, sender_id, user_id, person, via_api, text, attachments, written_at)
  VALUES (${randomUUIDv7()}, ${thread}, ${number}, ${sender}, ${user}, ${user === null ? null : 'P'}, true, 'T', '[]', now() + ${number}::integer * interval '1 second')`;
