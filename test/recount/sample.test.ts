import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from '../../ingest/run/build-report.ts';
import { loadedTenders } from '../../ingest/tenders/loaded.ts';
import { RULE_IDS, WRITTEN_RULES } from '../../sql/catalogue/anomalies.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import { publishSample, type Tables, warehouseFolder, withTables } from '../support/built.ts';
import { drawn } from '../support/cases.ts';
import { EXPORT_DAY, SAMPLE } from '../support/sample.ts';
import { type Subject, serve } from '../support/service.ts';
import {
  fieldsWithoutValue,
  inAnomalies,
  inFindings,
  inKeys,
  inMembers,
  inOrganisations,
  inRollups,
  inUnits,
} from './agreement.ts';
import { anomaliesByUnit } from './anomalies.ts';
import { perPlaceOf } from './per-place.ts';
import { type Recount, type RecountedUnit, recount } from './recount.ts';
import { altersstruktur, type Question } from './regions.ts';
import { SUPPORT_FIELDS } from './support.ts';

/** The committed sample, built by the ingest and counted once more by plain loops: both have to say the same. */

/** The day that counts as today, and the first of the 90 days that end with it. */
const TODAY = '2026-11-01';
const WINDOW_FROM = '2026-08-04';

const warehouse = warehouseFolder();
let counted: Recount;
let units: readonly RecountedUnit[];
let perPlace: ReturnType<typeof perPlaceOf>;
let service: Subject;

beforeAll(async () => {
  await publishSample(warehouse.path);
  counted = await recount(SAMPLE, EXPORT_DAY, loadedTenders(warehouse.path, EXPORT_DAY));
  units = [...counted.units.values()];
  perPlace = perPlaceOf(units);
  service = await serve(warehouse.path, { TODAY });
});

afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const compared = (disagreements: typeof inUnits): Promise<string[]> =>
  withSample((tables) => disagreements(tables, counted));

const withSample = <T>(question: (tables: Tables) => Promise<T>): Promise<T> => withTables(warehouse.path, question);

describe('units', () => {
  it('are recounted in every field of the catalogue', () => {
    const names = new Set(units.flatMap(({ fields }) => Object.keys(fields)));
    expect([...names].sort()).toEqual(STORED_FIELDS.map(({ name }) => name).sort());
    // Support values are recounted of solar plants, and these are of wind.
    expect(fieldsWithoutValue(counted)).toEqual(['eegReferenzertragVerhaeltnis', 'eegPhasenwechsel']);
  });

  it('are the same, row by row and field by field', async () => expect(await compared(inUnits)).toEqual([]));
  it('have support values of every class, in numbers that the build counts alike', async () => {
    const classes = Map.groupBy(
      units.filter(({ fields }) => fields.einheitTyp === 'solar' && 'eegAbleitbarkeit' in fields),
      ({ fields }) => fields.eegAbleitbarkeit,
    );
    const expected = ['exakt', 'geschaetzt', 'nicht_ableitbar'].map((name) => [name, classes.get(name)?.length ?? 0]);
    const numbers = [...classes.values()].flat().map(({ fields }) => `'${fields.mastrNummer}'`);
    const rows = await withSample((tables) =>
      tables<{ name: string; n: number }>(
        `SELECT eegAbleitbarkeit AS name, count(*)::INTEGER AS n FROM units WHERE mastrNummer IN (${numbers.join(', ')})
         GROUP BY ALL ORDER BY name`,
      ),
    );
    expect(rows.map(({ name, n }) => [name, n])).toEqual(expected);
    expect(Math.min(...expected.map(([, count]) => Number(count)))).toBeGreaterThan(1000);
  });

  it('are conspicuous by the same rules, and the same values are meant', async () => {
    expect(await compared(inAnomalies(EXPORT_DAY))).toEqual([]);
    const told = anomaliesByUnit(counted, EXPORT_DAY);
    expect([...told.values()].filter(({ rules }) => rules.length > 0).length).toBeGreaterThan(10);
    expect([...told.values()].filter(({ meant }) => meant.length > 0).length).toBeGreaterThan(10);
  });

  it('are summed up by place, state and day', async () => expect(await compared(inRollups)).toEqual([]));
});

describe('account', () => {
  it('has the number of records of every member', async () => expect(await compared(inMembers)).toEqual([]));
  it('loads as many records as there are different keys', async () => expect(await compared(inKeys)).toEqual([]));
  it('finds what the recount found', async () => expect(await compared(inFindings)).toEqual([]));
  it('names organisations, and no persons', async () => expect(await compared(inOrganisations)).toEqual([]));

  it('adds up: every record is loaded, a duplicate or refused', async () => {
    const rows = await withSample((tables) =>
      tables(`SELECT datei FROM dateien WHERE verwendung <> 'ungenutzt' AND gelesen <> geladen + doppelt + abgelehnt`),
    );
    expect(rows).toEqual([]);
  });

  it('sums the findings by kind in its report', async () => {
    const rows = await withSample((tables) =>
      tables<{ befund: string; n: string }>('SELECT befund, sum(anzahl) AS n FROM befunde GROUP BY ALL'),
    );
    const { version } = currentPublication(warehouse.path)!;
    expect(readReport(warehouse.path, version)!.befunde).toEqual(
      Object.fromEntries(rows.map(({ befund, n }) => [befund, Number(n)])),
    );
  });
});

describe('regional analyses over HTTP', () => {
  /** Places that the sample has: the ones with the most units, so that every answer has rows. */
  const mostFrequent = (pick: (unit: RecountedUnit) => unknown): string => {
    const counts = new Map<string, number>();
    for (const unit of units) {
      const value = pick(unit);
      if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
  };

  const places = (): Question[] => {
    const district = mostFrequent(({ fields }) => fields.landkreis);
    const key = mostFrequent(({ fields }) => fields.gemeindeschluessel);
    const ofDistrict = units.find(({ fields }) => fields.landkreis === district)!;
    const plz = mostFrequent(({ fields }) => fields.plz);
    return [
      {},
      { energietraeger: 'wind' },
      { energietraeger: 'solar,storage' },
      { registerEnergietraeger: 'Solarthermie,Erdgas,Wind' },
      { registerEnergietraeger: 'Solare Strahlungsenergie', ebene: 'bundesland', region: 'Bayern' },
      { registerEnergietraeger: 'Wind,Speicher', energietraeger: 'storage', ebene: 'landkreis', region: district },
      { registerEnergietraeger: 'Solare Strahlungsenergie', ebene: 'plz', region: plz.slice(0, 2) },
      { ebene: 'bundesland', region: 'Bayern' },
      { ebene: 'bundesland', region: 'Ausschließliche Wirtschaftszone' },
      { ebene: 'bundesland', region: 'bayern' },
      { ebene: 'bundesland', region: 'Niedersachsen', energietraeger: 'wind,combustion' },
      { ebene: 'landkreis', region: district },
      { ebene: 'landkreis', region: `${district}, ${ofDistrict.fields.bundesland}` },
      { ebene: 'landkreis', region: `${district}, Nirgendwo` },
      { ebene: 'landkreis', region: String(ofDistrict.fields.gemeindeschluessel).slice(0, 5) },
      { ebene: 'gemeinde', region: key },
      { ebene: 'gemeinde', region: mostFrequent(({ fields }) => fields.gemeinde), energietraeger: 'solar' },
      { ebene: 'plz', region: plz },
      { ebene: 'plz', region: plz.slice(0, 2), energietraeger: 'solar,storage' },
      { ebene: 'plz', region: plz.slice(0, 1) },
    ];
  };

  const answerOf = async (analysis: string, question: Question) => {
    const response = await service.get(`/v1/region/${analysis}?${new URLSearchParams({ ...question })}`);
    expect(response.status, JSON.stringify([question, response.json])).toBe(200);
    return response.json;
  };

  it('zeitreihe', async () => {
    const spans: Question[] = [
      { periode: 'monat' },
      { periode: 'quartal' },
      { periode: 'jahr' },
      { periode: 'monat', von: '2025-02-14', bis: '2026-12-31' },
      { periode: 'quartal', von: '2026-10-31' },
      { periode: 'jahr', bis: '2000-12-31' },
      { periode: 'monat', von: TODAY, bis: TODAY },
    ];
    let rows = 0;
    for (const [index, place] of places().entries()) {
      for (const span of drawn(spans, 3, index)) {
        const question = { ...place, ...span };
        const { data, meta } = await answerOf('zeitreihe', question);
        expect(data, JSON.stringify(question)).toEqual(perPlace.zeitreihe(question));
        expect(meta.count).toBe(data.length);
        rows += data.length;
      }
    }
    expect(rows).toBeGreaterThan(1000);
  });

  it('altersstruktur', async () => {
    for (const question of places()) {
      const { data, meta } = await answerOf('altersstruktur', question);
      expect(data, JSON.stringify(question)).toEqual(altersstruktur(units, question, TODAY));
      expect(meta.stichtag).toBe(TODAY);
    }
  });

  it('momentaufnahme', async () => {
    for (const question of places()) {
      const { data, meta } = await answerOf('momentaufnahme', question);
      expect(data, JSON.stringify(question)).toEqual(perPlace.momentaufnahme(question, TODAY, WINDOW_FROM));
      expect(meta.fenster).toEqual({ tage: 90, von: WINDOW_FROM, bis: TODAY });
    }
  });

  const severe: readonly string[] = WRITTEN_RULES.filter(({ severity }) => severity !== 'hinweis').map(({ id }) => id);

  it('without conspicuous units, like aggregations', async () => {
    const told = anomaliesByUnit(counted, EXPORT_DAY);
    const isConspicuous = (unit: RecountedUnit) =>
      told.get(String(unit.fields.mastrNummer))!.rules.some((id) => severe.includes(id));
    const others = units.filter((unit) => !isConspicuous(unit));
    expect(others.length).toBeLessThan(units.length - 10);
    const withoutThem = perPlaceOf(units, others);
    for (const question of drawn(places(), 5, 7)) {
      const asked: Question = { ...question, auffaellige: 'ohne' };
      const ages = await answerOf('altersstruktur', asked);
      expect(ages.data).toEqual(altersstruktur(others, question, TODAY));
      const figures = await answerOf('momentaufnahme', asked);
      expect(figures.data).toEqual(withoutThem.momentaufnahme(question, TODAY, WINDOW_FROM));
      const series = { ...question, periode: 'jahr' } as const;
      const { data } = await answerOf('zeitreihe', { ...series, auffaellige: 'ohne' });
      expect(data).toEqual(withoutThem.zeitreihe(series));
    }
    const { json } = await service.get('/v1/aggregations?groupBy=einheitTyp&auffaellige=ohne');
    expect(json.data.totals.count).toBe(others.length);
    expect(json.meta.auffaellig.count).toBe(units.length - others.length);
  });

  it('rules of plausibility by group, and for the day of the export', async () => {
    const told = anomaliesByUnit(counted, EXPORT_DAY);
    const found = units.flatMap(({ fields }) =>
      told.get(String(fields.mastrNummer))!.rules.map((regel) => ({ regel, ...fields }) as Record<string, unknown>),
    );
    for (const groupBy of ['bundesland', 'einheitTyp', 'energietraeger', 'netzbetreiber'])
      expect(await rowsBy(groupBy)).toEqual(countedBy(groupBy, found));
    const { json } = await service.get('/v1/qualitaet/verlauf');
    const days = (json.data as { tag: string; regel: string; count: number }[]).map(({ tag, regel, count }) =>
      [tag, regel, count].join(' '),
    );
    const perRule = RULE_IDS.map((id) => `${EXPORT_DAY} ${id} ${found.filter(({ regel }) => regel === id).length}`);
    expect(days).toEqual(expect.arrayContaining(perRule));
  });

  async function rowsBy(groupBy: string): Promise<string[]> {
    const { json } = await service.get(`/v1/qualitaet/gruppen?groupBy=${groupBy}&regel=${RULE_IDS.join(',')}`);
    return (json.data as Record<string, unknown>[])
      .map(({ regel, key, count, einheiten }) => [regel, key, count, einheiten].join('|'))
      .sort();
  }

  function countedBy(groupBy: string, found: readonly Record<string, unknown>[]): string[] {
    const key = (fields: Record<string, unknown>) => fields[groupBy] ?? null;
    const all = Map.groupBy(units, ({ fields }) => key(fields));
    const groups = Map.groupBy(found, (fields) => [fields.regel, key(fields)].join('|'));
    return [...groups].map(([name, some]) => [name, some.length, all.get(key(some[0]!))!.length].join('|')).sort();
  }
});

describe('aggregations of places by inhabitants and area', () => {
  const isSolar = ({ fields }: RecountedUnit) => fields.einheitTyp === 'solar';

  it.each(['landkreis', 'gemeinde'] as const)(
    'by %s, as the build counts them and counted for the question',
    async (level) => {
      for (const [filter, others] of [
        ['', perPlace],
        ['&einheitTyp=solar', perPlaceOf(units, units.filter(isSolar))],
      ] as const) {
        const { json } = await service.get(`/v1/aggregations?groupBy=${level}${filter}`);
        const told = others.groups(level);
        for (const { key, ...group } of json.data.groups) {
          expect({ key, ...group }).toMatchObject(key === null ? { einwohner: null, kwJeKm2: null } : told.get(key)!);
        }
        expect(
          json.data.groups.filter(({ einwohner }: { einwohner: number | null }) => einwohner !== null).length,
        ).toBeGreaterThan(300);
        expect(json.meta.bezug.ohneOrt.count).toBe(others.withoutPlace(level));
      }
    },
  );

  it('have groups whose place was merged since, and count them where they lie today', async () => {
    const { json } = await service.get('/v1/aggregations?groupBy=landkreis');
    const groups: { schluessel: string; kwJe1000Einwohner: number }[] = json.data.groups;
    const [eisenach, wartburgkreis] = ['16056', '16063'].map((key) =>
      groups.find(({ schluessel }) => schluessel === key),
    );
    expect(eisenach!.kwJe1000Einwohner).toBe(wartburgkreis!.kwJe1000Einwohner);
  });
});

describe('GET /v1/units/{id}', () => {
  it('shows a hundred units as they were recounted', async () => {
    const numbers = [...counted.units.keys()].sort();
    // Some of every carrier, however rare it is, the rest evenly over all.
    const carriers = new Map<unknown, string[]>();
    for (const number of numbers) {
      const carrier = counted.units.get(number)!.fields.einheitTyp;
      carriers.set(carrier, [...(carriers.get(carrier) ?? []).slice(0, 5), number]);
    }
    const evenly = numbers.filter((_, at) => at % Math.ceil(numbers.length / 80) === 0);
    const chosen = new Set([...carriers.values(), evenly].flat());
    expect(chosen.size).toBeGreaterThan(100);
    for (const number of chosen) {
      const { json } = await service.get(`/v1/units/${number}`);
      const { signals: _, auffaelligkeiten: __, vorschlag: ___, links, betreiber, ...shown } = json.data;
      const recounted = counted.units.get(number)!;
      for (const name of SUPPORT_FIELDS) if (!(name in recounted.fields)) delete shown[name];
      expect(shown, number).toEqual(asShown(recounted));
      expect(betreiber).toBe(shown.betreiberName);
      expect(Object.keys(links)).toEqual(['self', 'app', ...(shown.latitude === null ? [] : ['map'])]);
    }
  });

  /** A single export has no history, so a unit is late only in relation to today. */
  function asShown({ fields }: RecountedUnit): Record<string, unknown> {
    const { inbetriebnahmedatum: real, geplantesInbetriebnahmedatum: planned } = fields;
    const late = real === null && typeof planned === 'string' && planned < TODAY;
    const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
    const { datumLetzteAktualisierung: changed } = fields;
    return {
      ...fields,
      ausschreibungen: fields.ausschreibungen === null ? null : JSON.parse(String(fields.ausschreibungen)),
      datumLetzteAktualisierung: changed === null ? null : `${String(changed).slice(0, 23)}Z`,
      kreisschluessel: fields.gemeindeschluessel === null ? null : String(fields.gemeindeschluessel).slice(0, 5),
      ibnVerspaetungTage: late ? days(planned, TODAY) : null,
      ibnVerschiebungTage: null,
    };
  }

  it('shows every readable field', async () => {
    const { json } = await service.get(`/v1/units/${[...counted.units.keys()][0]}`);
    const readable = UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null);
    const names = readable.map(({ name }) => name);
    expect(Object.keys(json.data).sort()).toEqual([...names, 'betreiber', 'links'].sort());
  });
});
