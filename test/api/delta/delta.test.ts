import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrgStore } from '../../../sql/org/store.ts';
import { drawn } from '../../support/cases.ts';
import { openFailingStore } from '../../support/failing-store.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildChain, type Chain, publishAt, serving } from './chain.ts';
import { Mirror } from './mirror.ts';

/** A mirror that follows only the deltas equals a full read after every version (docs/decisions/0006-delta.md). */

let chain: Chain;
let store: OrgStore;
beforeAll(async () => {
  [chain, store] = await Promise.all([buildChain(), openFailingStore()]);
}, 240_000);
afterAll(async () => {
  await store.close();
  chain.remove();
});

const SETTINGS = { TODAY: '2026-12-12', SIGNING_KEY: 'a signing key that outlives the restarts of a test' };

const start = (warehouse: string, settings = {}): Promise<OwnSubject> =>
  serve(warehouse, { ...SETTINGS, ...settings }, store);

/** Queries whose units come and go: by status, place, size, signal, operator and words. */
const FILTERS = [
  '',
  'betriebsStatus=In%20Betrieb',
  'betriebsStatus=In%20Planung&einheitTyp=wind,solar,storage',
  'bundesland=Bayern',
  'plz=99',
  'leistungMinKw=30&hatKoordinaten=true',
  'signals=neu_registriert',
  'signals=netzbetreiberpruefung_offen,betreiberwechsel_12_monate',
  'suche=energie',
  'inbetriebnahmeVon=2026-01-01&spannungsebene=Niederspannung%20(%3D%20Hausanschluss%2FHausanschl%C3%BCsse)',
];

describe('a chain of versions', () => {
  let service: OwnSubject;
  let warehouse: string;
  const mirrors = FILTERS.map((filters) => new Mirror(filters));
  const seldom = FILTERS.map((filters) => new Mirror(filters));
  beforeAll(async () => {
    warehouse = chain.copy('straight');
    publishAt(warehouse, chain.versions[0]!, 0);
    service = await start(warehouse);
    for (const mirror of [...mirrors, ...seldom]) await mirror.follow(service);
  });
  afterAll(() => service.stop());

  it('within one version a delta is empty, and the token stays the same', async () => {
    for (const mirror of mirrors) {
      const { token } = mirror;
      await mirror.follow(service);
      expect(mirror.rows).toEqual([]);
      expect(mirror.token).toBe(token);
    }
  });

  it.each([
    [2, 10],
    [4, 20],
  ])('after version %i every mirror is complete again', async (number, minute) => {
    await serving(service, publishAt(warehouse, chain.versions[number - 1]!, minute));
    for (const mirror of mirrors) {
      await mirror.follow(service, { page: 40 });
      await mirror.mustBeWhole(service);
    }
    // The deltas had far fewer rows than the list.
    const [all] = mirrors;
    expect(all!.rows.length).toBeGreaterThan(0);
    expect(all!.rows.length).toBeLessThan(all!.units.size / 2);
  });

  it('departed units come once, with their last values and the mark geloescht', async () => {
    const late = new Mirror('');
    await late.follow(service, { anchor: 'updatedSince=2026-12-12T08:05:00Z' });
    const gone = late.rows.filter(({ geloescht }) => geloescht);
    expect(gone.length).toBeGreaterThan(0);
    expect(gone.every((unit) => 'betriebsStatus' in unit)).toBe(true);
    expect(new Set(late.rows.map(({ mastrNummer }) => mastrNummer)).size).toBe(late.rows.length);
  });

  it('mirrors that have missed versions are complete, too', async () => {
    for (const mirror of seldom) {
      await mirror.follow(service, { page: 100, sort: 'bruttoleistungKw:desc' });
      await mirror.mustBeWhole(service);
    }
  });

  it('tokens outlive a restart', async () => {
    await service.stop();
    service = await start(warehouse);
    for (const mirror of mirrors) {
      await mirror.follow(service);
      expect(mirror.rows).toEqual([]);
    }
  });
});

describe('publishing between two pages', () => {
  it.each(drawn(['mastrNummer:asc', 'bruttoleistungKw:desc', 'registrierungsdatum:asc'], 1))(
    'a full read and a delta in the order %s lose nothing',
    async (sort) => {
      const warehouse = chain.copy(`middle-${sort.replaceAll(/\W/g, '-')}`);
      publishAt(warehouse, chain.versions[0]!, 0);
      const service = await start(warehouse);
      const publishing = (number: number, minute: number) => async () =>
        serving(service, publishAt(warehouse, chain.versions[number - 1]!, minute));
      try {
        const mirror = new Mirror('');
        await mirror.follow(service, { page: 150, sort, between: publishing(2, 10) });
        const reader = new Mirror('');
        await reader.follow(service);
        await mirror.follow(service, { page: 20, sort, between: publishing(4, 20) });
        await reader.follow(service, { page: 20, sort });
        await mirror.follow(service, { sort });
        await mirror.mustBeWhole(service);
        await reader.mustBeWhole(service);
      } finally {
        await service.stop();
      }
    },
  );
});

describe('a withdrawn version', () => {
  let service: OwnSubject;
  let warehouse: string;
  const bad = FILTERS.map((filters) => new Mirror(filters));
  const careful = new Mirror('');
  const crossed = new Mirror('');
  beforeAll(async () => {
    warehouse = chain.copy('withdrawn');
    publishAt(warehouse, chain.versions[1]!, 0);
    service = await start(warehouse);
    await careful.follow(service);
    await serving(service, publishAt(warehouse, chain.versions[2]!, 10));
    for (const mirror of bad) await mirror.follow(service);
  });
  afterAll(() => service.stop());

  it('a list that ends after the roll-back has no token, as it has pages of the withdrawn version', async () => {
    await crossed.follow(service, {
      page: 200,
      between: async () => serving(service, publishAt(warehouse, chain.versions[1]!, 20, 'rollback')),
    });
    expect(crossed.token).toBeNull();
  });

  it('its tokens and its publication time are refused while the version before it is served', async () => {
    const token = encodeURIComponent(bad[0]!.token!);
    const [byToken, byTime] = await Promise.all([
      service.get(`/v1/units?syncToken=${token}`),
      service.get('/v1/units?updatedSince=2026-12-12T08:15:00Z'),
    ]);
    expect([byToken.status, byToken.json.code]).toEqual([410, 'SYNC_TOKEN_INVALID']);
    expect([byTime.status, byTime.json.code]).toEqual([410, 'DELTA_ANCHOR_TOO_OLD']);
    await careful.follow(service);
    await careful.mustBeWhole(service);
  });

  it('the next build includes it: one delta completes mirrors with and without it', async () => {
    await serving(service, publishAt(warehouse, chain.versions[3]!, 30));
    for (const mirror of [...bad, careful]) {
      await mirror.follow(service, { page: 60 });
      await mirror.mustBeWhole(service);
    }
    const since = new Mirror('');
    for (const [number, unit] of crossed.units) since.units.set(number, unit);
    await since.follow(service, { anchor: 'updatedSince=2026-12-12T08:10:30Z' });
    await since.mustBeWhole(service);
  });
});

describe('anchors', () => {
  let service: OwnSubject;
  let token: string;
  beforeAll(async () => {
    const warehouse = chain.copy('anchors');
    publishAt(warehouse, chain.versions[0]!, 0);
    publishAt(warehouse, chain.versions[1]!, 10);
    service = await start(warehouse);
    const mirror = new Mirror('bundesland=Bayern');
    await mirror.follow(service);
    token = encodeURIComponent(mirror.token!);
  });
  afterAll(() => service.stop());

  const statusAndTotal = async (query: string) => {
    const { status, json } = await service.get(`/v1/units?limit=250&${query}`);
    return [status, json.code ?? json.meta.page.total];
  };

  it('updatedSince accepts moments from 2026-08-11 on', async () => {
    const total = (await statusAndTotal(''))[1];
    expect(await statusAndTotal('updatedSince=2026-08-11T00:00:00.000Z')).toEqual([200, total + 3]);
    expect(await statusAndTotal('updatedSince=2026-08-11T02:00:00%2B02:00')).toEqual([200, total + 3]);
    expect((await statusAndTotal('updatedSince=2026-12-12T08:05:00Z'))[1]).toBeLessThan(total / 2);
    expect(await statusAndTotal('updatedSince=2026-12-12T08:11:00Z')).toEqual([200, 0]);
    expect(await statusAndTotal('updatedSince=2026-08-10T23:59:59.999Z')).toEqual([410, 'DELTA_ANCHOR_TOO_OLD']);
    for (const wrong of ['2026-12-12', '2026-12-12T08:00:00', 'yesterday', '2026-12-12T08:00:00+01:00']) {
      expect(await statusAndTotal(`updatedSince=${wrong}`)).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  it('syncToken is valid for its own filters, in any form, and wins over updatedSince', async () => {
    expect(await statusAndTotal(`bundesland=Bayern&syncToken=${token}`)).toEqual([200, 0]);
    expect(await statusAndTotal(`bundesland=Bayern&sort=bruttoleistungKw:asc&fields=name&syncToken=${token}`)).toEqual([
      200, 0,
    ]);
    expect(await statusAndTotal(`bundesland=Bayern&updatedSince=2020-01-01T00:00:00Z&syncToken=${token}`)).toEqual([
      200, 0,
    ]);
    for (const other of [`syncToken=${token}`, `bundesland=Hessen&syncToken=${token}`]) {
      expect(await statusAndTotal(other)).toEqual([410, 'SYNC_TOKEN_INVALID']);
    }
    for (const altered of [`${token.slice(0, -1)}~`, 'x', token.slice(4)]) {
      expect(await statusAndTotal(`bundesland=Bayern&syncToken=${altered}`)).toEqual([410, 'SYNC_TOKEN_INVALID']);
    }
  });

  it('POST /v1/units/search accepts both, too', async () => {
    const body = JSON.stringify({ bundesland: ['Bayern'], syncToken: decodeURIComponent(token) });
    const init = { body, headers: { 'Content-Type': 'application/json' } };
    const { status, json } = await service.send('POST', '/v1/units/search', init);
    expect([status, json.meta.page.total, json.meta.sync.token]).toEqual([200, 0, decodeURIComponent(token)]);
  });

  it.each([
    ['2027-01-11', 200],
    ['2027-01-12', 410],
  ])('on %s a token of 2026-12-12 gets %i', async (day, status) => {
    const warehouse = chain.copy(`on-${day}`);
    publishAt(warehouse, chain.versions[0]!, 0);
    publishAt(warehouse, chain.versions[1]!, 10);
    const later = await start(warehouse, { TODAY: day });
    try {
      const response = await later.get(`/v1/units?bundesland=Bayern&syncToken=${token}`);
      expect([response.status, response.json.code]).toEqual([
        status,
        status === 200 ? undefined : 'SYNC_TOKEN_INVALID',
      ]);
    } finally {
      await later.stop();
    }
  });
});
