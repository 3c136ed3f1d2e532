import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../support/connections.ts';
import { makeField } from '../support/custom-fields.ts';
import { entry, unit } from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';
import { type ManagedSide, managedSide } from '../support/sides.ts';

/** The sides of a connection decide themselves about its units, and each about its own fields. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

/** The one that invited, the one that was invited, and a third that is connected to both. */
let a: ManagedSide;
let b: ManagedSide;
let c: ManagedSide;
let id: string;
beforeEach(async () => {
  a = await managedSide(service, 'Stadtwerke A');
  b = await managedSide(service, 'Windpark B');
  c = await managedSide(service, 'Dritte C');
  id = await connect(service.store, a.organisation, b.organisation);
  await connect(service.store, a.organisation, c.organisation, { assets: [unit(1)] });
  await connect(service.store, c.organisation, b.organisation, { assets: [unit(1)] });
  await a.portfolio.put([entry(1, { relationType: 'OWNER' }), entry(2), entry(3)]);
  await a.portfolio.remove([unit(3)]);
});

const add = (side: ManagedSide, ...units: string[]) =>
  side.ask(`connections/${id}/assets`, 'POST', { mastrNummern: units });
const remove = (side: ManagedSide, ...units: string[]) =>
  side.ask(`connections/${id}/assets`, 'DELETE', { mastrNummern: units });
const scope = async (side: ManagedSide) =>
  (await side.ask(`connections/${id}/assets`)).json.data.map(
    ({ mastrNummer, beziehung }: Record<string, string>) => `${mastrNummer} ${beziehung}`,
  );
const fieldOf = async (side: ManagedSide, choices: Parameters<typeof makeField>[2] = {}) =>
  (await makeField(service.store, side.organisation, choices)).id;
const activate = (side: ManagedSide, defId: string, aktiv = true) =>
  side.ask(`connections/${id}/fields/${defId}`, 'PATCH', { aktiv });
const release = (side: ManagedSide, body: object, method = 'POST') => side.ask('releases', method, body);
const crossing = async (side: ManagedSide): Promise<string[]> =>
  (await side.ask(`connections/${id}/shared-fields`)).json.data.map(
    ({ anlage, besitzer }: Record<string, string>) => `${anlage} ${besitzer}`,
  );

describe('units', () => {
  test('come from the portfolio of the side that invited, with its role, and count', async () => {
    const before = (await b.ask(`connections/${id}`)).json.data.geaendertAm;
    const added = await add(a, unit(2), unit(1), unit(2));
    expect(added.json).toEqual({ data: { id, anlagenAnzahl: 2 }, meta: { hinzugefuegt: 2, unveraendert: 0 } });
    for (const side of [a, b]) expect(await scope(side)).toEqual([`${unit(1)} OWNER`, `${unit(2)} OPERATOR`]);
    const after = (await b.ask(`connections/${id}`)).json.data;
    expect([after.anlagenAnzahl, after.geaendertAm > before]).toEqual([2, true]);
    expect((await add(a, unit(1))).json.meta).toEqual({ hinzugefuegt: 0, unveraendert: 1 });
    expect((await b.ask(`connections/${id}`)).json.data).toEqual(after);
  });

  test('without a role now, none is added', async () => {
    for (const units of [
      [unit(1), unit(3)],
      [unit(1), unit(9)],
    ]) {
      const answer = await add(a, ...units);
      expectProblem(answer, 422, 'UNPROCESSABLE');
      expect(answer.json.detail).toContain(`no role in its portfolio to ${units[1]}`);
    }
    expect(await scope(a)).toEqual([]);
  });

  test('a unit that leaves the portfolio stays in scope, and once taken out does not come back', async () => {
    await add(a, unit(1));
    await a.portfolio.remove([unit(1)]);
    expect(await scope(b)).toEqual([`${unit(1)} OWNER`]);
    expect((await remove(b, unit(1), unit(2))).json).toEqual({
      ...{ data: { id, anlagenAnzahl: 0 }, meta: { entfernt: 1, unveraendert: 1 } },
    });
    expectProblem(await add(a, unit(1)), 422, 'UNPROCESSABLE');
  });

  test('the invited side adds none, and learns nothing of the portfolio of the other', async () => {
    await b.portfolio.put([entry(1), entry(9)]);
    const details = [];
    for (const number of [1, 3, 9]) {
      const answer = await add(b, unit(number));
      expectProblem(answer, 409, 'CONFLICT');
      details.push(answer.json.detail);
    }
    expect(new Set(details).size).toBe(1);
  });

  test('a third neither adds nor takes out, whatever it is connected to', async () => {
    await add(a, unit(1));
    for (const answer of [await add(c, unit(1)), await remove(c, unit(1))]) expectProblem(answer, 404, 'NOT_FOUND');
    expect(await scope(a)).toHaveLength(1);
  });

  test('are not added where the other side has released a field for all of them, until it takes that back', async () => {
    await add(a, unit(1));
    const field = await fieldOf(b);
    const over = { defId: field, connectionId: id };
    await release(b, over);
    expect((await add(a, unit(2))).status).toBe(200);
    await remove(a, unit(2));
    await activate(b, field);
    expectProblem(await add(a, unit(2)), 409, 'CONFLICT');
    expect((await add(a, unit(1))).status).toBe(200);
    expect(await crossing(a)).toEqual([`${unit(1)} gegenseite`]);
    await release(b, over, 'DELETE');
    expect((await add(a, unit(2))).status).toBe(200);
    expect(await crossing(a)).toEqual([]);
  });

  test('are not added where an active field of the other side is released on any unit, and the answer does not tell which', async () => {
    await add(a, unit(2));
    const field = await fieldOf(b);
    await release(b, { defId: field, mastrNummern: [unit(1)] });
    await activate(b, field);
    await a.portfolio.put([entry(3)]);
    const details = [];
    for (const number of [1, 3]) {
      const answer = await add(a, unit(number));
      expectProblem(answer, 409, 'CONFLICT');
      details.push(answer.json.detail);
    }
    expect(new Set(details).size).toBe(1);
    expect([await scope(a), await crossing(a)]).toEqual([[`${unit(2)} OPERATOR`], []]);
    // Units first, then the activation.
    await activate(b, field, false);
    expect((await add(a, unit(1))).status).toBe(200);
    expect(await crossing(a)).toEqual([]);
    await activate(b, field);
    expect(await crossing(a)).toEqual([`${unit(1)} gegenseite`]);
  });

  test.each(['DECLINED', 'REVOKED'] as const)('nothing is arranged once it is %s', async (status) => {
    const field = await fieldOf(a);
    id = await connect(service.store, (await managedSide(service, 'X')).organisation, a.organisation, { status });
    for (const answer of [
      await add(a, unit(1)),
      await remove(a, unit(1)),
      await activate(a, field),
      await release(a, { defId: field, connectionId: id }),
      await release(a, { defId: field, connectionId: id }, 'DELETE'),
    ]) {
      expectProblem(answer, 409, 'CONFLICT');
    }
  });

  test('added and taken out by both at once are counted right', async () => {
    await add(a, unit(1));
    await Promise.all([add(a, unit(2)), remove(b, unit(1)), add(a, unit(1), unit(2)), remove(b, unit(2))]);
    expect((await a.ask(`connections/${id}`)).json.data.anlagenAnzahl).toBe((await scope(a)).length);
  });

  test('a dry run adds none', async () => {
    await a.ask(`connections/${id}/assets?dryRun=true`, 'POST', { mastrNummern: [unit(1)] });
    expect(await scope(a)).toEqual([]);
  });
});

describe('fields', () => {
  test('cross when active and released, on units in scope; both consents are of the owner', async () => {
    await add(a, unit(1), unit(2));
    const field = await fieldOf(a, { name: 'Anteil' });
    const activated = await activate(a, field);
    expect(activated.json).toEqual({
      data: { defId: field, name: 'Anteil', richtung: 'SHARE', freigegeben: false },
      meta: { geaendert: true },
    });
    expect(await crossing(b)).toEqual([]);
    const released = await release(a, { defId: field, mastrNummern: [unit(2), unit(2), unit(9)] });
    expect(released.json.meta).toEqual({ geaendert: 2, aktiv: null });
    expect(await crossing(b)).toEqual([`${unit(2)} gegenseite`]);
    expect((await release(a, { defId: field, connectionId: id })).json.meta).toEqual({ geaendert: 1, aktiv: true });
    expect(await crossing(b)).toEqual([`${unit(1)} gegenseite`, `${unit(2)} gegenseite`]);
    expect((await activate(a, field, false)).json.data).toMatchObject({ richtung: null, freigegeben: false });
    expect(await crossing(b)).toEqual([]);
  });

  test('of the other side are listed only where they cross, own ones always', async () => {
    await add(a, unit(1));
    const field = await fieldOf(a, { name: 'Anteil' });
    const listed = async (side: ManagedSide) =>
      (await side.ask(`connections/${id}/fields`)).json.data.map(
        ({ name, besitzer, freigegeben, freigegebeneAnlagen }: Record<string, unknown>) =>
          `${name} ${besitzer} ${freigegeben} ${freigegebeneAnlagen}`,
      );
    await activate(a, field);
    expect([await listed(a), await listed(b)]).toEqual([['Anteil eigen false 0'], []]);
    await release(a, { defId: field, mastrNummern: [unit(1), unit(2)] });
    expect([await listed(a), await listed(b)]).toEqual([['Anteil eigen false 1'], ['Anteil gegenseite false 1']]);
    await c.ask(`connections/${id}/fields`).then((answer) => expectProblem(answer, 404, 'NOT_FOUND'));
  });

  test('of others are unknown, whatever crosses', async () => {
    await add(a, unit(1));
    const field = await fieldOf(a);
    await activate(a, field);
    await release(a, { defId: field, connectionId: id });
    for (const side of [b, c]) {
      for (const answer of [
        await activate(side, field, false),
        await release(side, { defId: field, mastrNummern: [unit(1)] }),
        await release(side, { defId: field, mastrNummern: [unit(1)] }, 'DELETE'),
        await release(side, { defId: field, connectionId: id }, 'DELETE'),
      ]) {
        expectProblem(answer, 404, 'NOT_FOUND');
      }
    }
    expect(await crossing(b)).toEqual([`${unit(1)} gegenseite`]);
    // Nor does a third decide about its own fields there.
    const foreign = await fieldOf(c);
    expectProblem(await activate(c, foreign), 404, 'NOT_FOUND');
    expectProblem(await release(c, { defId: foreign, connectionId: id }), 404, 'NOT_FOUND');
  });

  test('that are private or retired cross nothing, and retiring takes them from every connection for good', async () => {
    await add(a, unit(1));
    const own = await fieldOf(a, { shared: false });
    for (const answer of [await activate(a, own), await release(a, { defId: own, mastrNummern: [unit(1)] })])
      expectProblem(answer, 422, 'UNPROCESSABLE');
    const field = await fieldOf(a);
    await activate(a, field);
    await release(a, { defId: field, connectionId: id });
    await release(a, { defId: field, mastrNummern: [unit(1)] });
    expect(await crossing(b)).toHaveLength(1);
    const before = (await b.ask(`connections/${id}`)).json.data;
    await a.ask(`custom-fields/${field}`, 'PATCH', { inBenutzung: false });
    expectProblem(await activate(a, field), 422, 'UNPROCESSABLE');
    const after = (await b.ask(`connections/${id}`)).json.data;
    expect([before.aktivierteFelder, after.aktivierteFelder]).toEqual([1, 0]);
    expect(after.geaendertAm > before.geaendertAm).toBe(true);
    await a.ask(`custom-fields/${field}`, 'PATCH', { inBenutzung: true });
    expect([await crossing(b), (await a.ask('releases')).json.data]).toEqual([[], []]);
  });

  test('that the other side fills are asked for; its answer reaches the owner', async () => {
    await add(a, unit(1));
    const defId = await fieldOf(a, { filledByPartner: true, shared: false });
    expect((await activate(a, defId)).json.data.richtung).toBe('REQUEST');
    await release(a, { defId, connectionId: id });
    const antworten = [{ anlage: unit(1), defId, text: 'Öl' }];
    expect((await b.ask(`connections/${id}/shared-fields`, 'POST', { antworten })).status).toBe(200);
    const { data } = (await a.ask(`connections/${id}/shared-fields`)).json;
    expect(data[0].werte).toMatchObject([{ text: 'Öl' }]);
  });
});

describe('releases', () => {
  test('are listed page by page, those for connections first', async () => {
    const [one, two] = [await fieldOf(a, { name: 'Eins' }), await fieldOf(a, { name: 'Zwei' })];
    await release(a, { defId: two, connectionId: id });
    await release(a, { defId: one, mastrNummern: [unit(2), unit(1)] });
    await release(a, { defId: two, mastrNummern: [unit(1)] });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, meta } = (await a.ask(`releases?limit=1${cursor}`)).json;
      seen.push(...data.map((row: Record<string, string>) => `${row.name} ${row.mastrNummer ?? row.connectionId}`));
      if (!meta.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(meta.cursor)}`;
    }
    expect(seen[0]).toBe(`Zwei ${id}`);
    expect(seen.slice(1).sort()).toEqual([`Eins ${unit(1)}`, `Eins ${unit(2)}`, `Zwei ${unit(1)}`]);
    expect((await b.ask('releases')).json.data).toEqual([]);
  });

  test('are for a connection or on units, never both or neither', async () => {
    const defId = await fieldOf(a);
    const both = { defId, connectionId: id, mastrNummern: [unit(1)] };
    for (const body of [{ defId }, both]) expectProblem(await release(a, body), 422, 'UNPROCESSABLE');
    expectProblem(await release(a, { defId, connectionId: randomUUIDv7() }), 404, 'NOT_FOUND');
    const many = Array.from({ length: 501 }, (_, index) => unit(index));
    expectProblem(await release(a, { defId, mastrNummern: many }), 400, 'INVALID_BODY');
  });

  test('and activity are withdrawn by their owner, also of a connection that has ended', async () => {
    const defId = await fieldOf(a);
    await release(a, { defId, connectionId: id });
    await b.ask(`connections/${id}`, 'PATCH', { status: 'REVOKED' });
    expect((await a.ask('releases')).json.data).toHaveLength(1);
    await a.ask(`custom-fields/${defId}`, 'PATCH', { inBenutzung: false });
    expect((await a.ask('releases')).json.data).toEqual([]);
  });
});
