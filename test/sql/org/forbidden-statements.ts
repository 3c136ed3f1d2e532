import { randomUUIDv7 } from 'node:crypto';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import { IN_SCOPE, message, OUT_OF_SCOPE, type Scene } from './three-organisations.ts';

/** Statements about the records of others that row-level security must let no organisation succeed with. */

/** An organisation tries a statement; the title completes the sentence "no organisation can …". */
type Attempt = readonly [what: string, who: 'anna' | 'berta' | 'carla', statement: (scene: Scene) => StoreStatement];

const value = (owner: string, field: string, unit: string, writer: string): StoreStatement => sql`
  INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, writer_id, updated_at)
  VALUES (${owner}, ${field}, ${unit}, 7, 'X', 'x', ${writer}, now())`;
const field = (scene: Scene, name: string): string => scene.fields[name]!.id;
const connection = (initiator: string, invited: string, status: string): StoreStatement => sql`
  INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, status, created_at, updated_at)
  VALUES (${randomUUIDv7()}, ${initiator}, 'A', ${invited}, 'B', ${status}, now(), now())`;
const activation = (connectionId: string, fieldId: string, owner: string, direction: string): StoreStatement =>
  sql`INSERT INTO connection_fields VALUES (${connectionId}::uuid, ${fieldId}::uuid, ${owner}::uuid, ${direction}, now())`;
const thread = (connectionId: string, initiator: string, invited: string): StoreStatement => sql`
  INSERT INTO threads (id, connection_id, initiator_id, invited_id, assets, message_count, last_activity_at, created_at,
    updated_at)
  VALUES (${randomUUIDv7()}, ${connectionId}, ${initiator}, ${invited}, '{}', 0, now(), now(), now())`;
const participant = (threadId: string, user: string, organisation: string): StoreStatement =>
  sql`INSERT INTO thread_participants VALUES (${threadId}::uuid, ${user}::uuid, ${organisation}::uuid)
      ON CONFLICT DO NOTHING`;

/** Statements that Postgres refuses. */
export const REFUSED: readonly Attempt[] = [
  [
    'answer in the name of another',
    'anna',
    (scene) => value(scene.berta, field(scene, 'Berta asks'), IN_SCOPE, scene.carla),
  ],
  [
    'answer in the name of the owner',
    'anna',
    (scene) => value(scene.berta, field(scene, 'Berta asks'), IN_SCOPE, scene.berta),
  ],
  [
    'make up an answer to its own question',
    'berta',
    (scene) => value(scene.berta, field(scene, 'Berta asks'), IN_SCOPE, scene.anna),
  ],
  ['answer out of scope', 'anna', (scene) => value(scene.berta, field(scene, 'Berta asks'), OUT_OF_SCOPE, scene.anna)],
  [
    'answer what was only shared',
    'anna',
    (scene) => value(scene.berta, field(scene, 'Berta shares everywhere'), IN_SCOPE, scene.anna),
  ],
  [
    'answer after the end',
    'carla',
    (scene) => value(scene.anna, field(scene, 'Anna asks Carla, over'), IN_SCOPE, scene.carla),
  ],
  [
    'answer what nobody asked',
    'carla',
    (scene) => value(scene.anna, field(scene, 'Anna shares'), IN_SCOPE, scene.carla),
  ],
  [
    'move its answer out of scope',
    'anna',
    () =>
      sql`UPDATE custom_field_values SET mastr_number = ${OUT_OF_SCOPE}, position = 8 WHERE text = 'Anna answers Berta'`,
  ],
  [
    'hand its answer to another writer',
    'anna',
    (scene) =>
      sql`UPDATE custom_field_values SET writer_id = ${scene.carla}::uuid, position = 8 WHERE text = 'Anna answers Berta'`,
  ],
  [
    'move its own value into a field of a partner that does not ask',
    'anna',
    (scene) => sql`UPDATE custom_field_values SET organisation_id = ${scene.berta}::uuid,
      field_id = ${field(scene, 'Berta shares everywhere')}::uuid WHERE text LIKE 'Anna shares%'`,
  ],
  [
    'define a field for another',
    'anna',
    (
      scene,
    ) => sql`INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared,
        created_at, updated_at)
      VALUES (${randomUUIDv7()}, ${scene.berta}, 'N', 'TEXT', false, '{}', false, true, now(), now())`,
  ],
  [
    'hand a field over',
    'carla',
    (scene) =>
      sql`UPDATE custom_fields SET organisation_id = ${scene.berta}::uuid WHERE id = ${field(scene, 'Carla has')}::uuid`,
  ],
  ['connect in its own name', 'anna', (scene) => connection(scene.anna, scene.carla, 'PENDING')],
  ['connect in the name of another', 'anna', (scene) => connection(scene.carla, scene.anna, 'ACCEPTED')],
  ['connect two others', 'anna', (scene) => connection(scene.carla, scene.berta, 'REVOKED')],
  [
    'put a unit in scope by itself',
    'berta',
    (
      scene,
    ) => sql`INSERT INTO connection_assets VALUES (${scene.connections.bertaCarla}::uuid, ${OUT_OF_SCOPE}, 'OWNER',
      now(), now())`,
  ],
  [
    'activate an own field on a connection of others',
    'carla',
    (scene) => activation(scene.connections.annaBerta, field(scene, 'Carla has'), scene.carla, 'SHARE'),
  ],
  [
    'activate an own field after the end',
    'carla',
    (scene) => activation(scene.connections.ended, field(scene, 'Carla has'), scene.carla, 'SHARE'),
  ],
  [
    'ask for what it shares',
    'carla',
    (scene) => activation(scene.connections.bertaCarla, field(scene, 'Carla has'), scene.carla, 'REQUEST'),
  ],
  [
    'activate a field of the other side as its own',
    'anna',
    (scene) => activation(scene.connections.annaBerta, field(scene, 'Berta asks'), scene.anna, 'REQUEST'),
  ],
  [
    'release an own field on a connection of others',
    'carla',
    (scene) => sql`INSERT INTO connection_releases VALUES (${scene.connections.annaBerta}::uuid,
      ${field(scene, 'Carla has')}::uuid, ${scene.carla}::uuid, now())`,
  ],
  [
    'activate a field of the other side',
    'berta',
    (scene) => sql`INSERT INTO connection_fields VALUES (${scene.connections.annaBerta}::uuid,
      ${field(scene, 'Anna keeps inactive')}::uuid, ${scene.anna}::uuid, 'SHARE', now())`,
  ],
  [
    'release a field of the other side',
    'berta',
    (scene) => sql`INSERT INTO connection_releases VALUES (${scene.connections.annaBerta}::uuid,
      ${field(scene, 'Anna keeps unreleased')}::uuid, ${scene.anna}::uuid, now())`,
  ],
  [
    'release a field of the other side everywhere',
    'berta',
    (
      scene,
    ) => sql`INSERT INTO standing_releases VALUES (${scene.anna}::uuid, ${field(scene, 'Anna keeps unreleased')}::uuid,
      ${IN_SCOPE}, now())`,
  ],
  ['write as the other side', 'anna', (scene) => message(scene.threads.annaBerta, 3, scene.berta, null)],
  [
    'write as a person of the other side',
    'anna',
    (scene) => message(scene.threads.annaBerta, 3, scene.anna, scene.users.berta),
  ],
  [
    'write as a person who does not exist',
    'anna',
    (scene) => message(scene.threads.annaBerta, 3, scene.anna, randomUUIDv7()),
  ],
  ['write into a thread of others', 'anna', (scene) => message(scene.threads.bertaCarla, 3, scene.anna, null)],
  ['write after the end', 'anna', (scene) => message(scene.threads.ended, 3, scene.anna, null)],
  ['open a thread between others', 'anna', (scene) => thread(scene.connections.bertaCarla, scene.berta, scene.carla)],
  [
    'open a thread with somebody it is not connected to',
    'anna',
    (scene) => thread(scene.connections.annaBerta, scene.anna, scene.carla),
  ],
  ['open a thread after the end', 'anna', (scene) => thread(scene.connections.ended, scene.anna, scene.carla)],
  [
    'change the subject of a thread',
    'berta',
    (scene) => sql`UPDATE threads SET subject = 'N' WHERE id = ${scene.threads.annaBerta}::uuid`,
  ],
  [
    'move a thread to another connection',
    'berta',
    (scene) => sql`UPDATE threads SET connection_id = ${scene.connections.bertaCarla}::uuid,
      initiator_id = ${scene.berta}::uuid, invited_id = ${scene.carla}::uuid WHERE id = ${scene.threads.annaBerta}::uuid`,
  ],
  ['add a person of a third', 'anna', (scene) => participant(scene.threads.annaBerta, scene.users.carla, scene.carla)],
  [
    'add a person as one of the other side',
    'anna',
    (scene) => participant(scene.threads.annaBerta, scene.users.anna, scene.berta),
  ],
  [
    'add a person to a thread of others',
    'anna',
    (scene) => participant(scene.threads.bertaCarla, scene.users.anna, scene.anna),
  ],
];

/** Statements that find no row to change. */
export const REACHING_NOTHING: readonly Attempt[] = [
  [
    'accept an invitation, or end or revive a connection',
    'anna',
    () => sql`UPDATE connections SET status = 'ACCEPTED'`,
  ],
  [
    'take a unit out of scope of a connection of others',
    'anna',
    (scene) => sql`DELETE FROM connection_assets WHERE connection_id = ${scene.connections.bertaCarla}::uuid`,
  ],
  [
    'take a unit out of scope after the end',
    'anna',
    (scene) => sql`DELETE FROM connection_assets WHERE connection_id = ${scene.connections.ended}::uuid`,
  ],
  [
    'end the activity or the release of a field of the other side',
    'anna',
    (scene) => sql`
      WITH released AS (DELETE FROM connection_releases WHERE owner_id = ${scene.berta}::uuid RETURNING 1),
        standing AS (DELETE FROM standing_releases WHERE owner_id = ${scene.berta}::uuid RETURNING 1)
      DELETE FROM connection_fields WHERE owner_id = ${scene.berta}::uuid OR EXISTS (SELECT FROM released)
        OR EXISTS (SELECT FROM standing)`,
  ],
  [
    "change a partner's definition",
    'anna',
    (scene) => sql`UPDATE custom_fields SET filled_by_partner = true WHERE organisation_id = ${scene.berta}::uuid`,
  ],
  [
    "change a partner's shared value",
    'berta',
    () => sql`UPDATE custom_field_values SET text = 'X' WHERE text LIKE 'Anna shares%'`,
  ],
  [
    'change an answer that it got',
    'berta',
    (scene) => sql`UPDATE custom_field_values SET text = 'X' WHERE writer_id <> ${scene.berta}::uuid`,
  ],
  [
    'change an answer of its own after the end',
    'carla',
    (scene) => sql`DELETE FROM custom_field_values WHERE organisation_id = ${scene.anna}::uuid`,
  ],
  ['change a message, its own or the other side’s', 'anna', () => sql`UPDATE messages SET text = 'X'`],
  ['delete a thread', 'anna', () => sql`DELETE FROM threads`],
  ['remove a person from a thread', 'anna', () => sql`DELETE FROM thread_participants`],
];
