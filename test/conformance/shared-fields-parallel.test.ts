import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { makeCrossingField, openField } from '../support/shared-fields.ts';
import { type SharedFields, sharedFieldsOf } from '../support/shared-fields-client.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';

/**
 * Answers at the same time, on a server, where transactions overlap. The embedded store runs them one after the other.
 */

describe.skipIf(!POSTGRES.here)(`at the same time: ${POSTGRES.name}`, () => {
  let store: OrgStore;
  let service: OwnSubject;
  let asking: OrganisationRow;
  let connections: readonly string[];
  let partners: readonly SharedFields[];
  let owners: readonly SharedFields[];

  beforeAll(async () => {
    store = await openFresh(POSTGRES);
    service = await serveOwnFixture({}, store);
    asking = await makeOrganisation(store, { name: 'Fragende' });
    const others = [
      await makeOrganisation(store, { name: 'Erste' }),
      await makeOrganisation(store, { name: 'Zweite' }),
    ];
    connections = await Promise.all(others.map((other) => connect(store, asking, other, { assets: [unit(1)] })));
    const keyOf = async (organisation: OrganisationRow) => (await makeKey(store, organisation)).text;
    partners = await Promise.all(
      others.map(async (other, index) => sharedFieldsOf(service, await keyOf(other), connections[index]!)),
    );
    owners = await Promise.all(connections.map(async (id) => sharedFieldsOf(service, await keyOf(asking), id)));
  });
  afterAll(async () => {
    await service?.stop();
    await store?.close();
  });

  /** A field of several values that both partners are asked for. */
  async function ask() {
    const field = await makeCrossingField(store, asking.id, { filledByPartner: true, multiple: true });
    for (const connection of connections) await openField(store, connection, field);
    return field;
  }

  const textsOf = async (side: SharedFields, defId: string): Promise<string[]> => {
    const { data } = (await side.list(`anlage=${unit(1)}`)).json;
    return data
      .find((row: { def: { id: string } }) => row.def.id === defId)
      .werte.map(({ text }: { text: string }) => text);
  };

  const ROUNDS = Array.from({ length: 12 }, (_, round) => round);
  const answersOf = (writer: number, round: number) => [0, 1, 2].map((place) => `${writer} ${round} ${place}`);
  const answer = (side: SharedFields, defId: string, texts: readonly string[]): Promise<ServiceResponse> =>
    side.answer(texts.map((text) => ({ anlage: unit(1), defId, text })));

  test('two partners answer one field, each several times: each has one of its answers, whole', async () => {
    const { id } = await ask();
    const responses = await Promise.all(
      ROUNDS.flatMap((round) => partners.map((side, writer) => answer(side, id, answersOf(writer, round)))),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    for (const [writer, side] of partners.entries()) {
      const seen = await textsOf(side, id);
      expect(ROUNDS.map((round) => answersOf(writer, round))).toContainEqual(seen);
      expect(await textsOf(owners[writer]!, id)).toEqual(seen);
    }
  });

  test('what is switched off meanwhile refuses the row, and nothing else happens', async () => {
    const field = await ask();
    const [connection] = connections;
    const switches = [
      [
        sql`UPDATE connections SET status = 'REVOKED' WHERE id = ${connection!}::uuid`,
        sql`UPDATE connections SET status = 'ACCEPTED' WHERE id = ${connection!}::uuid`,
      ],
      [
        sql`WITH removed AS (DELETE FROM connection_fields WHERE field_id = ${field.id}::uuid AND connection_id = ${connection!}::uuid)
            UPDATE connections SET updated_at = now() WHERE id = ${connection!}::uuid`,
        sql`INSERT INTO connection_fields VALUES (${connection!}::uuid, ${field.id}::uuid, ${asking.id}::uuid, 'REQUEST', now())`,
      ],
    ];
    const toggling = (async () => {
      for (const round of ROUNDS) {
        for (const statement of switches[round % 2]!) await store.asOperator((session) => session.run(statement));
      }
    })();
    const responses = await Promise.all(
      ROUNDS.flatMap((round) => partners.map((side, writer) => answer(side, field.id, answersOf(writer, round)))),
    );
    await toggling;
    const outcomes = responses.flatMap(({ status, json }) =>
      json.data.map((row: { error?: { code: string } }) => `${status} ${row.error?.code ?? 'written'}`),
    );
    expect(new Set([...outcomes, '200 written', '207 INSUFFICIENT_SCOPE'])).toEqual(
      new Set(['200 written', '207 INSUFFICIENT_SCOPE']),
    );
    expect(ROUNDS.map((round) => answersOf(1, round))).toContainEqual(await textsOf(partners[1]!, field.id));
  });
});
