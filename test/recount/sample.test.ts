import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuildOutcome, build } from '../../ingest/build/build.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { REGISTER_FIELDS } from '../../sql/register/fields.ts';
import { type Subject, serve } from '../conformance/service.ts';
import { buildOptions, type Tables, warehouseFolder, withTables } from '../support/built.ts';
import { differences } from '../support/differences.ts';
import { unitRows } from '../support/unit-rows.ts';
import { type Recount, type RecountedUnit, recount, recountedRows } from './recount.ts';
import { altersstruktur, momentaufnahme, type Question, zeitreihe } from './regions.ts';

/** The committed sample, built by the ingest and counted once more by plain loops: both have to say the same. */

const FOLDER = new URL('../../data/sample/', import.meta.url);
const [SAMPLE, ...more] = readdirSync(FOLDER).filter((name) => name.endsWith('.zip'));
if (SAMPLE === undefined || more.length > 0) throw new Error('data/sample must hold exactly one zip');
const PATH = fileURLToPath(new URL(SAMPLE, FOLDER));
const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})_/.exec(SAMPLE)!;
const EXPORT_DAY = `${year}-${month}-${day}`;

/** The day that counts as today, and the first of the 90 days that end with it. */
const TODAY = '2026-11-01';
const WINDOW_FROM = '2026-08-04';

const warehouse = warehouseFolder();
let counted: Recount;
let units: readonly RecountedUnit[];
let outcome: BuildOutcome;
let service: Subject;

beforeAll(async () => {
  outcome = await build(buildOptions(PATH, warehouse.path));
  counted = await recount(PATH, EXPORT_DAY);
  units = [...counted.units.values()];
  service = await serve(warehouse.path, { TODAY });
});

afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const ask = <T>(question: (tables: Tables) => Promise<T>): Promise<T> => withTables(warehouse.path, question);

describe('units', () => {
  it('are recounted in every field of the catalogue', () => {
    const [one] = units;
    expect(Object.keys(one!.fields).sort()).toEqual(STORED_FIELDS.map(({ name }) => name).sort());
  });

  it('occur with nearly every field, so that comparing them says something', () => {
    const never = STORED_FIELDS.filter(({ name }) => units.every(({ fields }) => fields[name] === null));
    expect(never.map(({ name }) => name)).toEqual([]);
  });

  it('are the same, row by row and field by field', async () => {
    expect(differences(recountedRows(counted), await ask(unitRows))).toEqual([]);
  });
});

describe('account', () => {
  it('says of every member how many records it has, and how many were refused', async () => {
    const rows = await ask((tables) => tables('SELECT datei, bytes, gelesen, abgelehnt FROM dateien'));
    const expected = counted.members.map(({ name, bytes, rows: good, refused }) => [
      name,
      { bytes, gelesen: good.length + refused, abgelehnt: refused },
    ]) as [string, unknown][];
    const actual = rows.map(({ datei, ...numbers }) => [
      String(datei),
      Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
    ]) as [string, unknown][];
    expect(differences(new Map(expected), new Map(actual))).toEqual([]);
  });

  it('adds up: what was read is loaded, a duplicate or refused', async () => {
    const rows = await ask((tables) =>
      tables(`SELECT datei FROM dateien WHERE verwendung <> 'ungenutzt' AND gelesen <> geladen + doppelt + abgelehnt`),
    );
    expect(rows).toEqual([]);
  });

  it('loads as many records of each kind of table as there are different keys', async () => {
    const KINDS: Record<string, string> = {
      units: 'Einheiten(Wind|Solar|StromSpeicher|Biomasse|Wasser|Geothermie.*|Verbrennung|Kernkraft)',
      eeg: 'AnlagenEeg.*',
      kwk: 'AnlagenKwk',
      storage: 'AnlagenStromSpeicher',
      permits: 'EinheitenGenehmigung',
      locations: 'Lokationen',
      deleted: 'GeloeschteUndDeaktivierteEinheiten',
      actors: 'Marktakteure',
      points: 'Netzanschlusspunkte',
      areas: 'Bilanzierungsgebiete',
    };
    const loaded: Record<string, number> = {};
    for (const [name, pattern] of Object.entries(KINDS)) {
      const [row] = await ask((tables) =>
        tables<{ n: string }>(`SELECT sum(geladen) AS n FROM dateien WHERE regexp_full_match(art, '${pattern}')`),
      );
      loaded[name] = Number(row!.n);
    }
    expect(loaded).toEqual(counted.keys);
  });

  it('finds what the recount found', async () => {
    const rows = await ask((tables) =>
      tables<{ key: string; n: string }>(
        `SELECT befund || '|' || art || '|' || coalesce(feld, '') AS key, sum(anzahl) AS n FROM befunde GROUP BY ALL`,
      ),
    );
    const actual = new Map(rows.map(({ key, n }) => [key, Number(n)]));
    expect(differences(new Map([...counted.findings, ...unknownElements(counted)]), actual)).toEqual([]);
  });

  it('sums the findings by kind in its report', async () => {
    const rows = await ask((tables) =>
      tables<{ befund: string; n: string }>('SELECT befund, sum(anzahl) AS n FROM befunde GROUP BY ALL'),
    );
    expect(outcome.report.befunde).toEqual(Object.fromEntries(rows.map(({ befund, n }) => [befund, Number(n)])));
  });

  it('names organisations, and nobody else', async () => {
    const rows = await ask((tables) =>
      tables<{ mastrNummer: string; name: string }>(
        'SELECT mastrNummer, name FROM marktakteure WHERE name IS NOT NULL',
      ),
    );
    const actual = new Map(rows.map(({ mastrNummer, name }) => [mastrNummer, name]));
    expect(differences(counted.organisations, actual)).toEqual([]);
  });
});

/** Elements that the field table does not have, in files whose records are used or counted. */
function unknownElements({ members }: Recount): Map<string, number> {
  const known = new Set(REGISTER_FIELDS.map(({ file, field }) => `${file}.${field}`));
  const CATALOGUES = /^(Katalog.*|Einheitentypen|Lokationstypen|Marktfunktionen|Marktrollen)$/;
  const found = new Map<string, number>();
  for (const { kind, rows } of members) {
    if (CATALOGUES.test(kind)) continue;
    for (const element of rows.flatMap((row) => Object.keys(row))) {
      const key = `element_unbekannt|${kind}|${element}`;
      if (!known.has(`${kind}.${element}`)) found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  return found;
}

describe('roll-ups', () => {
  it('hold each unit on its days, place by place', async () => {
    const rows = await ask((tables) =>
      tables(`SELECT serie, bundesland, landkreis, gemeinde, gemeindeschluessel, plz, einheitTyp, statusId,
        CAST(tag AS VARCHAR) AS tag, anzahl, CAST(kw AS DOUBLE) AS kw FROM region_tage JOIN regionen USING (region)`),
    );
    const place = ({ fields, gemeindeschluessel }: RecountedUnit) => [
      ...[fields.bundesland, fields.landkreis, fields.gemeinde, gemeindeschluessel, fields.plz],
    ];
    expect(differences(daysBy(place), sumsOf(rows))).toEqual([]);
  });

  it('hold each unit on its days, state by state', async () => {
    const rows = await ask((tables) =>
      tables(`SELECT serie, bundesland, einheitTyp, statusId, CAST(tag AS VARCHAR) AS tag, anzahl,
        CAST(kw AS DOUBLE) AS kw FROM bundesland_tage`),
    );
    expect(
      differences(
        daysBy(({ fields }) => [fields.bundesland]),
        sumsOf(rows),
      ),
    ).toEqual([]);
  });
});

/** Rows of a roll-up, `anzahl` and `kw` last; no two may be of the same series, place, carrier, status and day. */
function sumsOf(rows: readonly Record<string, unknown>[]): Map<string, unknown> {
  const sums = new Map(rows.map(({ anzahl, kw, ...key }) => [JSON.stringify(Object.values(key)), [anzahl, kw]]));
  expect(sums.size).toBe(rows.length);
  return sums;
}

/** What a roll-up has to hold, by the comments of its table. */
function daysBy(place: (unit: RecountedUnit) => unknown[]): Map<string, unknown> {
  const sums = new Map<string, [count: number, watts: number]>();
  for (const unit of units) {
    const { fields, statusId } = unit;
    const { inbetriebnahmedatum: real, geplantesInbetriebnahmedatum: planned, stilllegungsdatum: gone } = fields;
    const add = (serie: string, tag: unknown) => {
      const key = JSON.stringify([serie, ...place(unit), fields.einheitTyp, statusId, tag]);
      const [count, watts] = sums.get(key) ?? [0, 0];
      sums.set(key, [count + 1, watts + Math.round(Number(fields.bruttoleistungKw ?? 0) * 1000)]);
    };
    if (real !== null || statusId === 35) add('inbetriebnahme', real);
    if (gone !== null) add('stilllegung', gone);
    if (real === null && (planned !== null || statusId === 31)) add('planung', planned);
    if (real !== null && statusId === 31) add('planung_mit_inbetriebnahme', planned);
  }
  return new Map([...sums].map(([key, [count, watts]]) => [key, [count, watts / 1000]]));
}

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
    const key = mostFrequent(({ gemeindeschluessel }) => gemeindeschluessel);
    const ofDistrict = units.find(({ fields }) => fields.landkreis === district)!;
    const plz = mostFrequent(({ fields }) => fields.plz);
    return [
      {},
      { energietraeger: 'wind' },
      { energietraeger: 'solar,storage' },
      { ebene: 'bundesland', region: 'Bayern' },
      { ebene: 'bundesland', region: 'Ausschließliche Wirtschaftszone' },
      { ebene: 'bundesland', region: 'bayern' },
      { ebene: 'bundesland', region: 'Niedersachsen', energietraeger: 'wind,combustion' },
      { ebene: 'landkreis', region: district },
      { ebene: 'landkreis', region: `${district}, ${ofDistrict.fields.bundesland}` },
      { ebene: 'landkreis', region: `${district}, Nirgendwo` },
      { ebene: 'landkreis', region: ofDistrict.gemeindeschluessel!.slice(0, 5) },
      { ebene: 'gemeinde', region: key },
      { ebene: 'gemeinde', region: mostFrequent(({ fields }) => fields.gemeinde), energietraeger: 'solar' },
      { ebene: 'plz', region: plz },
      { ebene: 'plz', region: plz.slice(0, 2), energietraeger: 'solar,storage' },
      { ebene: 'plz', region: plz.slice(0, 1) },
    ];
  };

  const answerOf = async (analysis: string, question: Question) => {
    const seen = await service.get(`/v1/region/${analysis}?${new URLSearchParams({ ...question })}`);
    expect(seen.status, JSON.stringify([question, seen.json])).toBe(200);
    return seen.json;
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
    for (const place of places()) {
      for (const span of spans) {
        const question = { ...place, ...span };
        const { data, meta } = await answerOf('zeitreihe', question);
        expect(data, JSON.stringify(question)).toEqual(zeitreihe(units, question));
        expect(meta.count).toBe(data.length);
        rows += data.length;
      }
    }
    expect(rows).toBeGreaterThan(5000);
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
      expect(data, JSON.stringify(question)).toEqual(momentaufnahme(units, question, TODAY, WINDOW_FROM));
      expect(meta.fenster).toEqual({ tage: 90, von: WINDOW_FROM, bis: TODAY });
    }
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
      const { signals: _, links, betreiber, ...shown } = json.data;
      expect(shown, number).toEqual(asShown(counted.units.get(number)!));
      expect(betreiber).toBe(shown.betreiberName);
      expect('map' in links).toBe(shown.latitude !== null);
    }
  });

  /** With a single export there is no history: a unit is late against today only. */
  function asShown({ fields }: RecountedUnit): Record<string, unknown> {
    const { inbetriebnahmedatum: real, geplantesInbetriebnahmedatum: planned } = fields;
    const late = real === null && typeof planned === 'string' && planned < TODAY;
    const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
    const { datumLetzteAktualisierung: changed } = fields;
    return {
      ...fields,
      datumLetzteAktualisierung: changed === null ? null : `${String(changed).slice(0, 23)}Z`,
      ibnVerspaetungTage: late ? days(planned, TODAY) : null,
      ibnVerschiebungTage: null,
    };
  }

  it('shows every readable field', async () => {
    const { json } = await service.get(`/v1/units/${[...counted.units.keys()][0]}`);
    const readable = UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null).map(({ name }) => name);
    expect(Object.keys(json.data).sort()).toEqual([...readable, 'betreiber', 'links', 'signals'].sort());
  });
});
