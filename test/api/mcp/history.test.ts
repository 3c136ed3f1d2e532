import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tables, withTables } from '../../support/built.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildChain, type Chain, publishAt } from '../delta/chain.ts';

/** What assistants are asked about the past, over a register of two states: the figures are those of both versions. */

let chain: Chain;
let warehouse: string;
let service: OwnSubject;
let client: Client;
beforeAll(async () => {
  chain = await buildChain();
  warehouse = chain.copy('past');
  for (const minute of [0, 1]) publishAt(warehouse, chain.versions[minute]!, minute);
  service = await serve(warehouse, { TODAY: '2026-11-21' });
  const headers = { authorization: `Bearer ${service.key}` };
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
}, 240_000);
afterAll(async () => {
  await client?.close();
  await service?.stop();
  chain.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is read here, and compared
async function call(name: string, given: object): Promise<any> {
  const { content, isError } = await client.callTool({ name, arguments: { ...given } });
  const [text] = content.map((one) => (one.type === 'text' ? one.text : ''));
  expect({ isError: isError ?? false, text }).toMatchObject({ isError: false });
  return JSON.parse(text ?? '');
}

const [BEFORE, AFTER] = ['2026-11-01', '2026-11-20'];

/** The same of both versions. */
const ofBoth = async <T>(ask: (sql: Tables) => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (const id of chain.versions.slice(0, 2)) all.push(await withTables(warehouse, ask, id));
  return all;
};

const numbersWhere = (condition: string) => async (sql: Tables) =>
  (await sql<{ nummer: string }>(`SELECT mastrNummer AS nummer FROM units WHERE ${condition}`)).map(
    ({ nummer }) => nummer,
  );

test('which units came since the first of November?', async () => {
  const found: string[] = [];
  for (let cursor: object = {}; ; ) {
    const { data, meta } = await call('what_changed', { von: BEFORE, art: ['neu'], limit: 10, ...cursor });
    found.push(...data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));
    if (!meta.hasMore) break;
    cursor = { cursor: meta.cursor };
  }
  const [known = [], now = []] = await ofBoth(numbersWhere('true'));
  const came = now.filter((number) => !known.includes(number));
  expect(came.length).toBeGreaterThan(0);
  expect(found.sort()).toEqual(came.sort());
});

test('why is there another capacity than on the first of November?', async () => {
  const { data } = await call('why_a_sum_moved', { von: BEFORE, bis: AFTER });
  const [before = 0, after = 0] = await ofBoth(async (sql) => {
    const [row] = await sql<{ kw: string }>('SELECT sum(bruttoleistungKw) AS kw FROM units');
    return Number(row?.kw);
  });
  expect([data.vorher.bruttoleistungKw, data.nachher.bruttoleistungKw]).toEqual([before, after]);
  const moved = data.ursachen.reduce((all: number, one: { bruttoleistungKw: number }) => all + one.bruttoleistungKw, 0);
  expect(moved).toBeCloseTo(after - before, 3);
  expect(data.ursachen.length).toBeGreaterThan(0);
});

test('how many units did the register have on the first of November, and which state is that?', async () => {
  const [before] = await ofBoth(async (sql) => (await numbersWhere('true')(sql)).length);
  const counted = await call('count_units', { groupBy: 'einheitTyp', stand: BEFORE });
  expect({ stand: counted.stand, count: counted.data.totals.count }).toEqual({ stand: BEFORE, count: before });
  const compared = await call('compare_places', { orte: ['bundesland:Bayern'], stand: BEFORE });
  const [bavaria] = await ofBoth(async (sql) => (await numbersWhere(`bundesland = 'Bayern'`)(sql)).length);
  expect(compared.data.totals.count).toBe(bavaria);
});

test('what was one unit like?', async () => {
  const [changed] = (await call('what_changed', { art: ['geaendert'], limit: 1 })).data;
  const { data } = await call('unit_history', { id: changed.mastrNummer });
  expect(data.intervalle[0]).toMatchObject({ art: 'geaendert', von: { tag: AFTER } });
  expect(data.intervalle[0].aenderungen).toEqual(changed.aenderungen);
});
