import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** GET /v1/aggregations with bestandAm: what stood in each group at the end of days. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const aggregate = (query: string, headers?: Record<string, string>) =>
  service.get(`/v1/aggregations?${query.replaceAll(/[^&=]+/g, encodeURIComponent)}`, headers);

const DAYS = ['1999-12-31', '2012-06-30', '2023-12-31', '2026-03-14'];

interface Group {
  readonly key: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly speicherkapazitaetKwh: number;
  readonly bestand: {
    readonly anzahl: readonly number[];
    readonly bruttoleistungKw: readonly number[];
    readonly speicherkapazitaetKwh: readonly number[];
  };
}

const groupsOf = async (query: string): Promise<readonly Group[]> => (await aggregate(query)).json.data.groups;

describe('the stock of groups', () => {
  test.each([
    'groupBy=bundesland',
    'groupBy=landkreis',
    'groupBy=gemeinde&einheitTyp=wind,solar',
    'groupBy=einheitTyp',
    'groupBy=inbetriebnahmejahr&auffaellige=ohne',
    'groupBy=signals&leistungMinKw=30',
    'groupBy=eegAbleitbarkeit',
    'groupBy=standortEnergietraeger&suche=a',
  ])('has the units that came until a day, without those that had gone: %s', async (query) => {
    const groups = await groupsOf(`${query}&bestandAm=${DAYS.join(',')}`);
    expect(groups.map(({ bestand: _, ...group }) => group)).toEqual(await groupsOf(query));
    expect(groups.some(({ bestand }) => bestand.anzahl.some((units) => units > 0))).toBe(true);
    for (const [index, day] of DAYS.entries()) {
      const came = await groupsOf(`${query}&inbetriebnahmeBis=${day}`);
      const went = await groupsOf(`${query}&inbetriebnahmeBis=${day}&stilllegungBis=${day}`);
      for (const { key, bestand } of groups) {
        const figure = (name: 'count' | 'bruttoleistungKw' | 'speicherkapazitaetKwh'): number =>
          (came.find((group) => group.key === key)?.[name] ?? 0) -
          (went.find((group) => group.key === key)?.[name] ?? 0);
        expect([key, day, bestand.anzahl[index]]).toEqual([key, day, figure('count')]);
        expect(bestand.bruttoleistungKw[index]).toBeCloseTo(figure('bruttoleistungKw'), 3);
        expect(bestand.speicherkapazitaetKwh[index]).toBeCloseTo(figure('speicherkapazitaetKwh'), 3);
      }
    }
  });

  test('counts a unit until the day before it is decommissioned', async () => {
    const { json } = await service.get(
      '/v1/units?stilllegungVon=1900-01-01&inbetriebnahmeVon=1900-01-01&include=termine',
    );
    const [unit] = json.data as readonly {
      mastrNummer: string;
      inbetriebnahmedatum: string;
      stilllegungsdatum: string;
    }[];
    expect(unit).toBeDefined();
    const dayBefore = (day: string): string =>
      new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    const { inbetriebnahmedatum: first, stilllegungsdatum: end, mastrNummer } = unit ?? json.data[0];
    const days = [dayBefore(first), first, dayBefore(end), end];
    const [group] = await groupsOf(`groupBy=einheitTyp&mastrNummern=${mastrNummer}&bestandAm=${days.join(',')}`);
    expect(group?.bestand.anzahl).toEqual([0, 1, 1, 0]);
  });

  test('comes in the order of the days, which the answer names, each once', async () => {
    const { json } = await aggregate('groupBy=einheitTyp&bestandAm=2020-12-31,2010-12-31,2020-12-31');
    expect(json.meta.bestandAm).toEqual(['2010-12-31', '2020-12-31']);
    for (const { bestand } of json.data.groups as Group[]) expect(bestand.anzahl).toHaveLength(2);
  });

  test('is missing where nobody asks for it', async () => {
    const { json } = await aggregate('groupBy=einheitTyp');
    expect(json.meta).not.toHaveProperty('bestandAm');
    expect(json.data.groups[0]).not.toHaveProperty('bestand');
  });

  test('has columns of its own in CSV', async () => {
    const { text } = await aggregate('groupBy=einheitTyp&bestandAm=2020-12-31,2010-12-31', { Accept: 'text/csv' });
    expect(text.split('\r\n')[0]).toMatch(/bestand\.anzahl,bestand\.bruttoleistungKw,bestand\.speicherkapazitaetKwh$/);
    expect((await aggregate('groupBy=einheitTyp', { Accept: 'text/csv' })).text).not.toContain('bestand');
  });

  test.each([
    ['bestandAm=2020', 'INVALID_PARAMETER'],
    ['bestandAm=2020-02-30', 'INVALID_PARAMETER'],
    [`bestandAm=${Array.from({ length: 61 }, (_, year) => `${1960 + year}-12-31`).join(',')}`, 'TOO_MANY_VALUES'],
  ] as const)('is refused for %s', async (query, code) => {
    expectProblem(await aggregate(`groupBy=einheitTyp&${query}`), 400, code);
  });
});
