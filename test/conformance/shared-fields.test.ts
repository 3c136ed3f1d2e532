import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture } from '../support/service.ts';
import { makeCrossingField, openField, writeTexts } from '../support/shared-fields.ts';
import { type SharedFields, sharedFieldsOf } from '../support/shared-fields-client.ts';
import { writeMeta } from './served-portfolio.ts';

/**
 * Shared fields: interface.md, SharedField, RequestAnswer and both operations. Which rows are visible: shared-fields-
 * truth.test.ts.
 */

interface Member {
  readonly organisation: OrganisationRow;
  readonly key: string;
}

let service: OwnSubject;
/** Asks both others. */
let asking: Member;
let first: Member;
let second: Member;
let connections: { readonly first: string; readonly second: string };
/** Shared fields as each side of the first connection sees them, and as the second partner does. */
let owner: SharedFields;
let partner: SharedFields;
let other: SharedFields;

beforeAll(async () => {
  service = await serveSharedFixture();
});
beforeEach(async () => {
  const { store } = service;
  [asking, first, second] = [await newMember('Fragende'), await newMember('Erste'), await newMember('Zweite')];
  const assets = [unit(1), unit(2), unit(3)];
  connections = {
    first: await connect(store, asking.organisation, first.organisation, { assets }),
    // Invited by the partner: rights do not depend on who has invited.
    second: await connect(store, second.organisation, asking.organisation, { assets }),
  };
  owner = sharedFieldsOf(service, asking.key, connections.first);
  partner = sharedFieldsOf(service, first.key, connections.first);
  other = sharedFieldsOf(service, second.key, connections.second);
});
afterAll(() => service.stop());

async function newMember(name: string): Promise<Member> {
  const organisation = await makeOrganisation(service.store, { name });
  return { organisation, key: (await makeKey(service.store, organisation)).text };
}

type Choices = Parameters<typeof makeCrossingField>[2];

/** A field of the asking organisation that is open on both connections. */
async function ask(choices: Choices = {}) {
  const field = await makeCrossingField(service.store, asking.organisation.id, { filledByPartner: true, ...choices });
  await openField(service.store, connections.first, field);
  await openField(service.store, connections.second, field);
  return field;
}

async function share(choices: Choices = {}) {
  const field = await makeCrossingField(service.store, asking.organisation.id, choices);
  await openField(service.store, connections.first, field);
  return field;
}

interface Row {
  readonly anlage: string;
  readonly richtung: string;
  readonly besitzer: string;
  readonly def: { readonly id: string; readonly name: string };
  readonly werte: readonly Record<string, unknown>[];
}

const rowsOf = async (side: SharedFields, query?: string): Promise<readonly Row[]> => {
  const response = await side.list(query);
  expect(response.status).toBe(200);
  return response.json.data;
};

/** Texts of a field on a unit, as a side sees them. */
const textsOf = async (side: SharedFields, defId: string, number = 1): Promise<unknown[]> => {
  const rows = (await rowsOf(side, `anlage=${unit(number)}`)).filter(({ def }) => def.id === defId);
  expect(rows.length).toBe(1);
  return rows[0]!.werte.map(({ text }) => text);
};

/** The outcome of each row: its status, or the code of its error. */
const outcomes = ({ json }: ServiceResponse): string[] =>
  json.data.map((row: { status: string; error?: { code: string } }) => row.error?.code ?? row.status);

const answerTo = (field: { id: string }, text: string | null, number = 1) => ({
  anlage: unit(number),
  defId: field.id,
  text,
});

describe('reading', () => {
  test('both sides see the same rows, by unit, then by name in German order', async () => {
    const names = ['Zeile', 'Öl', 'Ofen', 'Ärger', 'apfel'];
    for (const name of names) await share({ name });
    const theirs = await makeCrossingField(service.store, first.organisation.id, { name: 'Mitte' });
    await openField(service.store, connections.first, theirs);
    const seen = (rows: readonly Row[]) => rows.map(({ anlage, def, besitzer }) => [anlage, def.name, besitzer]);
    const sorted = ['apfel', 'Ärger', 'Mitte', 'Ofen', 'Öl', 'Zeile'];
    const expected = (mine: string, yours: string) =>
      [1, 2, 3].flatMap((number) => sorted.map((name) => [unit(number), name, name === 'Mitte' ? yours : mine]));
    expect(seen(await rowsOf(owner))).toEqual(expected('eigen', 'gegenseite'));
    expect(seen(await rowsOf(partner))).toEqual(expected('gegenseite', 'eigen'));
  });

  test('a definition as the one who answers needs it, and values of every type', async () => {
    const choices = ['ja', 'nein'];
    const fields = [
      await share({ name: 'A', type: 'TEXT', multiple: true }),
      await ask({ name: 'B', type: 'DROPDOWN', choices }),
      await ask({ name: 'C', type: 'NUMBER' }),
      await ask({ name: 'D', type: 'DATE' }),
    ];
    await writeTexts(service.store, fields[0]!, unit(1), ['zwei', 'eins']);
    const sent = await partner.answer([
      { anlage: unit(1), defId: fields[1]!.id, text: 'ja' },
      { anlage: unit(1), defId: fields[2]!.id, zahl: -0.5 },
      { anlage: unit(1), defId: fields[3]!.id, datum: '2027-05-31', datumsgenauigkeit: 'MONTH' },
    ]);
    expect(outcomes(sent)).toEqual(['created', 'created', 'created']);
    const rows = await rowsOf(partner, `anlage=${unit(1)}`);
    expect(rows.map(({ def }) => def)).toEqual([
      { id: fields[0]!.id, name: 'A', fieldType: 'TEXT', allowMultiple: true, options: null },
      { id: fields[1]!.id, name: 'B', fieldType: 'DROPDOWN', allowMultiple: false, options: choices },
      { id: fields[2]!.id, name: 'C', fieldType: 'NUMBER', allowMultiple: false, options: null },
      { id: fields[3]!.id, name: 'D', fieldType: 'DATE', allowMultiple: false, options: null },
    ]);
    const empty = { text: null, zahl: null, datum: null, datumsgenauigkeit: 'DAY', geaendertAm: expect.any(String) };
    expect(rows.map(({ werte }) => werte)).toEqual([
      [
        { ...empty, text: 'zwei' },
        { ...empty, text: 'eins' },
      ],
      [{ ...empty, text: 'ja' }],
      [{ ...empty, zahl: -0.5 }],
      [{ ...empty, datum: '2027-05-01', datumsgenauigkeit: 'MONTH' }],
    ]);
  });

  test('anlage and richtung narrow it', async () => {
    const [asked, shared] = [await ask({ name: 'Bitte' }), await share({ name: 'Anteil' })];
    const ids = async (query: string) => (await rowsOf(partner, query)).map(({ anlage, def }) => [anlage, def.id]);
    expect(await ids('richtung=REQUEST')).toEqual([1, 2, 3].map((number) => [unit(number), asked.id]));
    expect(await ids(`richtung=SHARE&anlage=${unit(2)}`)).toEqual([[unit(2), shared.id]]);
    expect(await ids(`anlage=${unit(9)}`)).toEqual([]);
  });

  test.each([
    'anlage=SEE1',
    'richtung=share',
    'richtung=',
    'limit=5',
    'cursor=x',
    'anlage=SEE900000000001&anlage=SEE900000000002',
  ])('%s is 400', async (query) => {
    const response = await partner.list(query);
    expect(response.status).toBe(400);
  });

  test.each(['DECLINED', 'REVOKED', 'PENDING'])('nothing crosses a connection that is %s', async (status) => {
    await share();
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE connections SET status = ${status} WHERE id = ${connections.first}::uuid`),
    );
    expect((await partner.list()).json).toEqual({ data: [], meta: { count: 0, hasMore: false, cursor: null } });
  });

  test('a foreign connection is answered as an unknown one', async () => {
    await ask();
    const foreign = sharedFieldsOf(service, second.key, connections.first);
    const unknown = sharedFieldsOf(service, second.key, randomUUIDv7());
    expectProblem(await foreign.list(), 404, 'NOT_FOUND');
    const body = async (answer: Promise<ServiceResponse>) => ({ ...(await answer).json, instance: '' });
    expect(await body(foreign.list())).toEqual(await body(unknown.list()));
    expect(await body(foreign.answer([]))).toEqual(await body(unknown.answer([])));
  });
});

describe('answering', () => {
  test('created, updated, unchanged; the row is named by unit and field', async () => {
    const field = await ask();
    const response = await partner.answer([answerTo(field, 'eins')]);
    expect([response.status, response.json]).toEqual([
      200,
      {
        data: [{ id: null, externalId: `${unit(1)}:${field.id}`, status: 'created' }],
        meta: writeMeta({ total: 1, created: 1 }),
      },
    ]);
    expect(outcomes(await partner.answer([answerTo(field, 'eins')]))).toEqual(['unchanged']);
    expect(outcomes(await partner.answer([answerTo(field, 'zwei')]))).toEqual(['updated']);
    expect(await textsOf(partner, field.id)).toEqual(['zwei']);
    expect(await textsOf(owner, field.id)).toEqual(['zwei']);
  });

  test('the owner finds the answer among its values, written by the counterpart', async () => {
    const field = await ask({ name: 'Zähler' });
    await partner.answer([answerTo(field, 'Z-1')]);
    await other.answer([answerTo(field, 'Z-2')]);
    const { json } = await service.get(`/v1/units/${unit(1)}/custom-fields`, withKey(asking.key));
    const values = json.data.map(({ defId, text, schreiber }: Record<string, unknown>) => ({ defId, text, schreiber }));
    expect(values).toHaveLength(2);
    for (const text of ['Z-1', 'Z-2'])
      expect(values).toContainEqual({ defId: field.id, text, schreiber: 'gegenseite' });
    const theirs = await service.get(`/v1/units/${unit(1)}/custom-fields`, withKey(first.key));
    expect(theirs.json.data).toEqual([]);
  });

  test('a second partner neither sees nor overwrites the answer of the first', async () => {
    const field = await ask();
    await partner.answer([answerTo(field, 'der Ersten')]);
    expect(await textsOf(other, field.id)).toEqual([]);
    expect(outcomes(await other.answer([answerTo(field, 'der Zweiten')]))).toEqual(['created']);
    expect(await textsOf(partner, field.id)).toEqual(['der Ersten']);
    expect(await textsOf(other, field.id)).toEqual(['der Zweiten']);
    expect(outcomes(await other.answer([answerTo(field, null)]))).toEqual(['updated']);
    expect(await textsOf(partner, field.id)).toEqual(['der Ersten']);
  });

  test('the owner sees on each connection the answer of that counterpart alone', async () => {
    const field = await ask();
    await partner.answer([answerTo(field, 'der Ersten')]);
    await other.answer([answerTo(field, 'der Zweiten')]);
    expect(await textsOf(owner, field.id)).toEqual(['der Ersten']);
    expect(await textsOf(sharedFieldsOf(service, asking.key, connections.second), field.id)).toEqual(['der Zweiten']);
  });

  test.each([{}, { text: null }, { text: '' }, { zahl: null, datum: null }])(
    '%j withdraws the information',
    async (empty) => {
      const field = await ask();
      await partner.answer([answerTo(field, 'eins')]);
      const row = { anlage: unit(1), defId: field.id, ...empty };
      expect(outcomes(await partner.answer([row]))).toEqual(['updated']);
      expect(await textsOf(partner, field.id)).toEqual([]);
      expect(await textsOf(owner, field.id)).toEqual([]);
      expect(outcomes(await partner.answer([row]))).toEqual(['unchanged']);
    },
  );

  test('several rows of a field with several values are its values, in their order', async () => {
    const field = await ask({ multiple: true });
    const rows = ['b', 'a', 'c'].map((text) => answerTo(field, text));
    expect(outcomes(await partner.answer(rows))).toEqual(['created', 'created', 'created']);
    expect(await textsOf(owner, field.id)).toEqual(['b', 'a', 'c']);
    await partner.answer([answerTo(field, 'd')]);
    expect(await textsOf(owner, field.id)).toEqual(['d']);
  });

  test('of several values, all are written or none', async () => {
    const field = await ask({ multiple: true });
    const response = await partner.answer([
      answerTo(field, 'gut'),
      { anlage: unit(1), defId: field.id, zahl: 5 },
      answerTo(field, 'für sich', 2),
    ]);
    expect([response.status, outcomes(response)]).toEqual([207, ['UNPROCESSABLE', 'UNPROCESSABLE', 'created']]);
    expect(await textsOf(partner, field.id)).toEqual([]);
  });

  test('of a field with one value, the first row is written, and every other one fails', async () => {
    const field = await ask();
    const response = await partner.answer([
      answerTo(field, 'eins'),
      answerTo(field, 'zwei'),
      answerTo(field, 'drei', 2),
    ]);
    expect(outcomes(response)).toEqual(['created', 'UNPROCESSABLE', 'created']);
    expect(await textsOf(partner, field.id)).toEqual(['eins']);
  });

  test('each row fails for itself, in the order of the batch', async () => {
    const [field, date, choice] = [
      await ask(),
      await ask({ type: 'DATE' }),
      await ask({ type: 'DROPDOWN', choices: ['ja'] }),
    ];
    const response = await partner.answer([
      { anlage: unit(1), defId: field.id, zahl: 1 },
      { anlage: unit(1), defId: date.id, datum: '2026-02-30' },
      { anlage: unit(1), defId: choice.id, text: 'vielleicht' },
      { anlage: 'SEE1', defId: field.id, text: 'x' },
      { anlage: unit(2), text: 'x' },
      { anlage: unit(2), defId: field.id, text: 'x', wert: 'y' },
      'x',
      { anlage: unit(3), defId: field.id, text: 'gut' },
    ]);
    expect(response.status).toBe(207);
    expect(outcomes(response)).toEqual([...Array.from({ length: 7 }, () => 'UNPROCESSABLE'), 'created']);
    expect(response.json.meta).toMatchObject({ total: 8, created: 1, failed: 7 });
  });

  test('INSUFFICIENT_SCOPE: what the counterpart does not ask for', async () => {
    const [asked, shared] = [await ask(), await share()];
    const closed = await makeCrossingField(service.store, asking.organisation.id, { filledByPartner: true });
    const own = await makeCrossingField(service.store, first.organisation.id, { filledByPartner: true });
    await openField(service.store, connections.first, own);
    const response = await partner.answer([
      answerTo(asked, 'gut'),
      answerTo(asked, 'außerhalb', 9),
      answerTo(closed, 'nicht offen'),
      answerTo(shared, 'nur geteilt'),
      answerTo(own, 'selbst gefragt'),
      { anlage: unit(1), defId: randomUUIDv7(), text: 'unbekannt' },
      { anlage: unit(1), defId: 'kein Feld', text: 'unbekannt' },
    ]);
    expect(response.status).toBe(207);
    expect(outcomes(response)).toEqual(['created', ...Array.from({ length: 6 }, () => 'INSUFFICIENT_SCOPE')]);
    expect(outcomes(await owner.answer([answerTo(asked, 'als Fragende')]))).toEqual(['INSUFFICIENT_SCOPE']);
  });

  test('INSUFFICIENT_SCOPE: what another counterpart asks for, which is answered over its own connection', async () => {
    const connection = await connect(service.store, second.organisation, first.organisation, { assets: [unit(1)] });
    const theirs = await makeCrossingField(service.store, second.organisation.id, { filledByPartner: true });
    await openField(service.store, connection, theirs);
    expect(outcomes(await partner.answer([answerTo(theirs, 'falsch')]))).toEqual(['INSUFFICIENT_SCOPE']);
    const overIt = sharedFieldsOf(service, first.key, connection);
    expect(outcomes(await overIt.answer([answerTo(theirs, 'richtig')]))).toEqual(['created']);
    expect(await textsOf(overIt, theirs.id)).toEqual(['richtig']);
  });

  test('FIELD_NOT_WRITABLE: every row names what is shared; nothing is written and the key is free again', async () => {
    const [one, two, asked] = [await share(), await share(), await ask()];
    const refused = await partner.answer([answerTo(one, 'x'), answerTo(two, 'x', 2)], { once: 'k' });
    expectProblem(refused, 403, 'FIELD_NOT_WRITABLE');
    expect((await partner.answer([answerTo(asked, 'x')], { once: 'k' })).status).toBe(200);
    expect(await textsOf(owner, one.id)).toEqual([]);
  });

  test('an answer stays with the owner when the connection ends, and is not seen by its writer any more', async () => {
    const field = await ask();
    await partner.answer([answerTo(field, 'bleibt')]);
    const end = sql`UPDATE connections SET status = 'REVOKED' WHERE id = ${connections.first}::uuid`;
    await service.store.asOperator((session) => session.run(end));
    expect(outcomes(await partner.answer([answerTo(field, null)]))).toEqual(['INSUFFICIENT_SCOPE']);
    expect(await rowsOf(partner)).toEqual([]);
    const { json } = await service.get(`/v1/units/${unit(1)}/custom-fields`, withKey(asking.key));
    expect(json.data).toMatchObject([{ text: 'bleibt', schreiber: 'gegenseite' }]);
  });

  test('no row, or more than there may be', async () => {
    const field = await ask();
    expect((await partner.answer([])).json).toEqual({ data: [], meta: writeMeta({ total: 0 }) });
    const rows = Array.from({ length: 51 }, () => answerTo(field, 'x'));
    expectProblem(await partner.answer(rows), 400, 'TOO_MANY_VALUES');
    expectProblem(await partner.answer({}), 400, 'INVALID_BODY');
  });

  test('a dry run changes nothing, and a repetition with its key writes once', async () => {
    const field = await ask();
    const dry = await partner.answer([answerTo(field, 'eins')], { query: 'dryRun=true' });
    expect([outcomes(dry), dry.json.meta.dryRun]).toEqual([['created'], true]);
    expect(await textsOf(partner, field.id)).toEqual([]);
    await partner.answer([answerTo(field, 'eins')], { once: 'k' });
    await partner.answer([answerTo(field, 'zwei')]);
    const again = await partner.answer([answerTo(field, 'eins')], { once: 'k' });
    expect([outcomes(again), again.headers.get('idempotency-replayed')]).toEqual([['created'], 'true']);
    expect(await textsOf(partner, field.id)).toEqual(['zwei']);
  });
});
