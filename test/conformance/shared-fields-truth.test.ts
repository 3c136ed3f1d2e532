import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';
import { makeCrossingField, openField, writeTexts } from '../support/shared-fields.ts';
import { sharedFieldsOf } from '../support/shared-fields-client.ts';

/**
 * The truth table of interface.md, SharedField: a row is visible only when the connection is accepted, the field
 * released, the field active on this connection, and the asset in scope. Every combination, for both sides, both
 * directions and each way of releasing, over HTTP.
 */

type Field = Awaited<ReturnType<typeof makeCrossingField>>;

interface Member {
  readonly organisation: OrganisationRow;
  readonly key: string;
}

let service: OwnSubject;
let owner: Member;
let partner: Member;
let connection: string;
/** Fields of the owner. */
let share: Field;
let request: Field;

beforeAll(async () => {
  service = await serveSharedFixture();
  [owner, partner] = [await newMember('Eignerin'), await newMember('Partnerin')];
  // The side that invited has the fields; the model test swaps the roles.
  connection = await connect(service.store, owner.organisation, partner.organisation);
  share = await makeCrossingField(service.store, owner.organisation.id, { name: 'Anteil' });
  request = await makeCrossingField(service.store, owner.organisation.id, { name: 'Bitte', filledByPartner: true });
  await writeTexts(service.store, share, unit(1), ['geteilt']);
  await writeTexts(service.store, request, unit(1), ['beantwortet'], partner.organisation.id);
});
afterAll(() => service.stop());

async function newMember(name: string): Promise<Member> {
  const organisation = await makeOrganisation(service.store, { name });
  return { organisation, key: (await makeKey(service.store, organisation)).text };
}

const ORIGINS = ['explizit', 'broadcast', 'beides'] as const;

interface State {
  readonly accepted: boolean;
  readonly released: boolean;
  readonly active: boolean;
  readonly inScope: boolean;
  /** The way in which it is released, where it is. */
  readonly origin: (typeof ORIGINS)[number];
}

const CONDITIONS = ['accepted', 'released', 'active', 'inScope'] as const;

const ALL_HOLD = { accepted: true, released: true, active: true, inScope: true };

const STATES: readonly State[] = ORIGINS.flatMap(
  (origin) =>
    Array.from({ length: 16 }, (_, bits) => ({
      origin,
      ...Object.fromEntries(CONDITIONS.map((name, bit) => [name, ((bits >> bit) & 1) === 1])),
    })) as State[],
);

/** Statuses that are not ACCEPTED; the states take turns. */
const OTHERS = ['PENDING', 'DECLINED', 'REVOKED'];

/** Makes the store have exactly this state. */
async function bringAbout(state: State, turn = 0): Promise<void> {
  const { store } = service;
  const status = state.accepted ? 'ACCEPTED' : OTHERS[turn % OTHERS.length]!;
  await store.asOperator(async (session) => {
    await session.run(sql`UPDATE connections SET status = ${status} WHERE id = ${connection}::uuid`);
    for (const table of [sql`connection_assets`, sql`connection_fields`, sql`connection_releases`]) {
      await session.run(sql`DELETE FROM ${table} WHERE connection_id = ${connection}::uuid`);
    }
    await session.run(sql`DELETE FROM standing_releases WHERE owner_id = ${owner.organisation.id}::uuid`);
    if (state.inScope) {
      await session.run(
        sql`INSERT INTO connection_assets VALUES (${connection}::uuid, ${unit(1)}, 'OWNER', now(), now())`,
      );
    }
  });
  const over = state.released && state.origin !== 'broadcast';
  const on = state.released && state.origin !== 'explizit' ? [unit(1)] : [];
  for (const field of [share, request]) await openField(store, connection, field, { active: state.active, over, on });
}

const ask = async ({ key }: Member) => {
  const { status, json } = await sharedFieldsOf(service, key, connection).list();
  expect(status).toBe(200);
  expect(json.meta).toEqual({ count: json.data.length, hasMore: false, cursor: null });
  return json.data;
};

/** The rule: all four conditions hold. */
function expected(state: State, besitzer: 'eigen' | 'gegenseite') {
  const { accepted, released, active, inScope, origin } = state;
  if (!(accepted && released && active && inScope)) return [];
  const row = (field: Field, richtung: string, text: string) => ({
    anlage: unit(1),
    richtung,
    herkunft: origin === 'broadcast' ? 'broadcast' : 'explizit',
    besitzer,
    def: { id: field.id, name: field.name, fieldType: 'TEXT', allowMultiple: false, options: null },
    werte: [{ text, zahl: null, datum: null, datumsgenauigkeit: 'DAY', geaendertAm: expect.any(String) }],
  });
  return [row(share, 'SHARE', 'geteilt'), row(request, 'REQUEST', 'beantwortet')];
}

const nameOf = (state: State): string =>
  `${CONDITIONS.map((name) => (state[name] ? name : `not ${name}`)).join(', ')}; ${state.origin}`;

test.each(STATES.map((state, turn) => [nameOf(state), state, turn] as const))('%s', async (_, state, turn) => {
  await bringAbout(state, turn);
  expect(await ask(owner)).toEqual(expected(state, 'eigen'));
  const rows = expected(state, 'gegenseite');
  expect(await ask(partner)).toEqual(rows);

  const outcomesOf = async ({ key }: Member, fields: readonly Field[]) => {
    const sent = fields.map(({ id }) => ({ anlage: unit(1), defId: id, text: 'neu' }));
    const { json } = await sharedFieldsOf(service, key, connection).answer(sent, { query: 'dryRun=true' });
    return (
      json.code ?? json.data.map((row: { status: string; error?: { code: string } }) => row.error?.code ?? row.status)
    );
  };
  const isVisible = rows.length > 0;
  expect(await outcomesOf(partner, [request, share])).toEqual([
    isVisible ? 'updated' : 'INSUFFICIENT_SCOPE',
    'INSUFFICIENT_SCOPE',
  ]);
  expect(await outcomesOf(owner, [request])).toEqual(['INSUFFICIENT_SCOPE']);
  if (isVisible) expect(await outcomesOf(partner, [share])).toBe('FIELD_NOT_WRITABLE');
});

describe('a condition that ceases takes the rows away, and they come back with it', () => {
  test.each(ORIGINS.flatMap((origin) => CONDITIONS.map((condition) => ({ origin, condition }))))(
    '$condition, $origin',
    async ({ origin, condition }) => {
      const whole = { ...ALL_HOLD, origin };
      await bringAbout(whole);
      const before = [await ask(owner), await ask(partner)];
      expect(before.map((rows) => rows.length)).toEqual([2, 2]);
      await bringAbout({ ...whole, [condition]: false });
      expect([await ask(owner), await ask(partner)]).toEqual([[], []]);
      await bringAbout(whole);
      expect([await ask(owner), await ask(partner)]).toEqual(before);
    },
  );
});

describe('a condition that holds only elsewhere opens nothing here', () => {
  let third: Member;
  /** Another connection of the owner, where all four hold for the same unit and fields. */
  let elsewhere: string;
  beforeAll(async () => {
    third = await newMember('Dritte');
    elsewhere = await connect(service.store, owner.organisation, third.organisation, { assets: [unit(1)] });
    for (const field of [share, request]) await openField(service.store, elsewhere, field);
  });

  test.each(CONDITIONS)('%s on another connection', async (condition) => {
    await bringAbout({ ...ALL_HOLD, [condition]: false, origin: 'explizit' });
    expect([await ask(owner), await ask(partner)]).toEqual([[], []]);
    const { json } = await sharedFieldsOf(service, third.key, elsewhere).list();
    expect(json.data.map(({ richtung }: { richtung: string }) => richtung)).toEqual(['SHARE', 'REQUEST']);
  });

  test.each(ORIGINS)(
    'another unit: one out of scope, then in scope beside one that is released; %s',
    async (origin) => {
      await bringAbout({ ...ALL_HOLD, origin });
      const seen = async () =>
        (await ask(partner)).map(({ anlage, richtung }: Record<string, string>) => `${anlage} ${richtung}`);
      const rowsOf = (number: number) => [`${unit(number)} SHARE`, `${unit(number)} REQUEST`];
      expect(await seen()).toEqual(rowsOf(1));
      await service.store.asOperator((session) =>
        session.run(sql`INSERT INTO connection_assets VALUES (${connection}::uuid, ${unit(2)}, 'OWNER', now(), now())`),
      );
      expect(await seen()).toEqual(origin === 'broadcast' ? rowsOf(1) : [...rowsOf(1), ...rowsOf(2)]);
    },
  );

  test('another field', async () => {
    await bringAbout({ ...ALL_HOLD, released: false, active: false, origin: 'explizit' });
    await openField(service.store, connection, share, { over: false });
    await openField(service.store, connection, request, { active: false, on: [unit(1)] });
    expect([await ask(owner), await ask(partner)]).toEqual([[], []]);
  });
});
