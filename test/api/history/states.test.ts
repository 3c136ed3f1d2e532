import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { isCompared } from '../../../sql/catalogue/field.ts';
import { READABLE_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { DIMENSION_NAMES } from '../../../sql/query/dimensions.ts';
import { cases, drawn } from '../../support/cases.ts';
import { serverTarget } from '../../support/clickhouse.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { type Document, folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { dayAfter, drawing, nextDay } from '../../support/register-days.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildIn, queryVersion } from '../../support/warehouse.ts';

/**
 * What the newest version says of an earlier day is what the version of that day said: over random histories of the register, in which
 * records of every kind change, come, go and return, and on both engines.
 */

const folder = folderOfTests();
const PREFIX = 'energy_states';
const NIGHTS = 5;
let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
});

afterAll(() => folder.remove());

const BLOCKS = 'standort,betreiber,termine,eeg,netz,register,genehmigung,technik,ausschreibungen,qualitaet';

const QUESTIONS = [
  `/v1/units?limit=250&include=${BLOCKS}`,
  `/v1/units?limit=250&include=${BLOCKS}&sort=bruttoleistungKw:desc`,
  '/v1/units?limit=250&sort=inbetriebnahmedatum:desc&betriebsStatus=In%20Betrieb',
  '/v1/units?limit=20&sort=betreiberName:asc&einheitTyp=wind,solar',
  '/v1/units?limit=250&expand=marktakteur,netzbetreiber',
  '/v1/units?limit=50&auffaellig=true',
  '/v1/units?limit=50&hatKoordinaten=true&bundesland=Bayern',
  ...drawn(DIMENSION_NAMES, 8).map((name) => `/v1/aggregations?groupBy=${name}`),
  '/v1/aggregations?groupBy=landkreis&einheitTyp=solar&leistungMinKw=10',
  '/v1/aggregations?groupBy=bundesland&bestandAm=2020-01-01,2026-01-01&auffaellige=ohne',
  '/v1/aggregations/zeitreihe?periode=jahr',
  '/v1/aggregations/zeitreihe?periode=monat&einheitTyp=wind&von=2020-01-01',
  '/v1/region/momentaufnahme',
  '/v1/region/momentaufnahme?ebene=bundesland&region=Bayern&auffaellige=ohne',
  '/v1/region/zeitreihe?periode=jahr',
  '/v1/region/zeitreihe?periode=quartal&ebene=bundesland&region=Niedersachsen',
];

/** Cursors and links are of the question, as is which state answers, deltas of the present, and hints of the values that are there today. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON
function comparable(json: any): unknown {
  if (json.meta?.page !== undefined) json.meta.page.cursor = null;
  delete json.meta?.sync;
  delete json.meta?.hinweise;
  delete json.meta?.stand;
  return JSON.parse(JSON.stringify(json).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));
}

/** The places in which two answers differ, each with both values. */
function differing(then: unknown, now: unknown, path = ''): string[] {
  if (JSON.stringify(then) === JSON.stringify(now)) return [];
  const [one, other] = [Object(then), Object(now)];
  if (one !== then || other !== now) return [`${path}: ${JSON.stringify(then)} / ${JSON.stringify(now)}`];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    differing(one[name] ?? null, other[name] ?? null, `${path}/${name}`),
  );
}

async function answers(service: OwnSubject, questions: readonly string[], stand: string | null) {
  const all: Record<string, unknown> = {};
  for (const question of questions) {
    const path = stand === null ? question : `${question}${question.includes('?') ? '&' : '?'}stand=${stand}`;
    const { status, json } = await service.get(path);
    all[question] = { status, json: status === 200 ? comparable(json) : null };
  }
  return all;
}

/** A version as it was published. */
interface Told {
  readonly day: string;
  readonly questions: readonly string[];
  /** Units that changed with it. */
  readonly changed: readonly string[];
  readonly answers: Readonly<Record<string, unknown>>;
}

const watts = (kw: number): number => Math.round(kw * 1000);

const FILTERS = [
  '',
  '&betriebsStatus=In%20Betrieb',
  '&bundesland=Bayern,Hessen',
  '&leistungMinKw=30&einheitTyp=solar,wind',
];

/** The causes of each move add up to the difference of two sums, which are those of `stand`. */
async function expectSumsToAddUp(service: OwnSubject, told: readonly Told[]): Promise<void> {
  for (const [index, { day: von }] of told.entries()) {
    const bis = told[Math.min(index + 2, told.length - 1)]!.day;
    for (const filter of FILTERS) {
      const { status, json } = await service.get(`/v1/aenderungen/summe?von=${von}&bis=${bis}${filter}`);
      expect({ status, json }).toMatchObject({ status: 200 });
      const { vorher, nachher, ursachen } = json.data;
      for (const [sum, day] of [
        [vorher, von],
        [nachher, bis],
      ]) {
        const { totals } = (await service.get(`/v1/aggregations?groupBy=bundesland&stand=${day}${filter}`)).json.data;
        expect({ anzahl: sum.anzahl, kw: sum.bruttoleistungKw }).toEqual({
          anzahl: totals.count,
          kw: totals.bruttoleistungKw,
        });
      }
      const moved = {
        anzahl: nachher.anzahl - vorher.anzahl,
        watts: watts(nachher.bruttoleistungKw) - watts(vorher.bruttoleistungKw),
      };
      const parts = { anzahl: 0, watts: 0 };
      for (const { ursache, anzahl, bruttoleistungKw } of ursachen) {
        expect(ursache).not.toBe('zeitablauf');
        parts.anzahl += anzahl;
        parts.watts += watts(bruttoleistungKw);
      }
      expect({ von, bis, filter, ...parts }).toEqual({ von, bis, filter, ...moved });
    }
  }
}

/** Whoever had the units of the first day and follows the feed has those of the last one. */
async function expectFeedToLead(service: OwnSubject, told: readonly Told[]): Promise<void> {
  const [first, last] = [told[0]!.day, told.at(-1)!.day];
  const numbersOn = async (day: string): Promise<Set<string>> => {
    const numbers = new Set<string>();
    for (let cursor = ''; ; ) {
      const { json } = await service.get(`/v1/units?limit=250&fields=mastrNummer&stand=${day}${cursor}`);
      for (const { mastrNummer } of json.data) numbers.add(mastrNummer);
      if (!json.meta.page.hasMore) return numbers;
      cursor = `&cursor=${json.meta.page.cursor}`;
    }
  };
  const units = await numbersOn(first);
  for (let cursor = ''; ; ) {
    const { json } = await service.get(`/v1/aenderungen?limit=7${cursor}`);
    for (const { mastrNummer, art, aenderungen, felder } of json.data) {
      expect(units.has(mastrNummer)).toBe(art !== 'neu');
      if (art === 'neu') units.add(mastrNummer);
      if (art === 'entfallen') units.delete(mastrNummer);
      if (art !== 'geaendert') expect(felder).toEqual([]);
      expect(aenderungen.map(({ feld }: { feld: string }) => feld)).toEqual(felder);
    }
    cursor = `&cursor=${json.meta.cursor}`;
    if (!json.meta.hasMore) break;
    // Rows in which nothing changed that is told do not shorten a page.
    expect(json.meta.count).toBe(7);
  }
  expect([...units].sort()).toEqual([...(await numbersOn(last))].sort());
}

/** Asked for a field, the feed has the changes that name it, and the units that came or left. */
async function expectFieldsToBeFound(service: OwnSubject): Promise<void> {
  const read = async (question: string) => {
    const rows: { mastrNummer: string; version: string; art: string; felder: string[] }[] = [];
    for (let cursor = ''; ; ) {
      const { status, json } = await service.get(`/v1/aenderungen?limit=250${question}${cursor}`);
      expect({ question, status }).toEqual({ question, status: 200 });
      rows.push(...json.data);
      if (!json.meta.hasMore) return rows;
      cursor = `&cursor=${json.meta.cursor}`;
    }
  };
  const all = await read('');
  const wrong: object[] = [];
  for (const { name } of READABLE_FIELDS.filter(isCompared)) {
    const listed = all.filter(({ art, felder }) => art !== 'geaendert' || felder.includes(name));
    const found = await read(`&feld=${name}`);
    if (!isDeepStrictEqual(found, listed)) wrong.push({ name, found: found.length, listed: listed.length });
  }
  expect(wrong).toEqual([]);
  expect(all.some(({ felder }) => felder.includes('betreiberName') && !felder.includes('betreiberMastrNummer'))).toBe(
    true,
  );
}

/** The intervals of a unit say what its detail says with `stand`. */
async function expectHistory(service: OwnSubject, unit: string, told: readonly Told[]): Promise<void> {
  const { status, json } = await service.get(`/v1/units/${unit}/historie`);
  expect(status).toBe(200);
  for (const { art, von, nach, aenderungen } of json.data.intervalle) {
    expect(von === null).toBe(art === 'bestand');
    for (const [moment, value] of [
      [nach, 'vorher'],
      [von, 'nachher'],
    ]) {
      if (moment === null) continue;
      const { status, json: then } = await service.get(`/v1/units/${unit}?stand=${moment.tag}`);
      const isThere = value === 'vorher' ? art !== 'neu' : art !== 'entfallen';
      expect({ unit, art, value, status }).toEqual({ unit, art, value, status: isThere ? 200 : 404 });
      for (const change of aenderungen)
        expect({ unit, feld: change.feld, is: then.data[change.feld] }).toEqual({
          unit,
          feld: change.feld,
          is: change[value],
        });
    }
  }
  expect(told.map(({ day }) => day)).toContain(json.meta.bekanntAb);
}

/** A table says of which day it is. */
async function expectAttribution(service: OwnSubject, day: string): Promise<void> {
  for (const question of [
    `/v1/units?limit=1&stand=${day}`,
    `/v1/aggregations?groupBy=einheitTyp&stand=${day}`,
    `/v1/aggregations/zeitreihe?stand=${day}`,
    `/v1/region/momentaufnahme?stand=${day}`,
    `/v1/region/zeitreihe?stand=${day}`,
    `/v1/aenderungen?limit=1&bis=${day}`,
    `/v1/aenderungen/summe?bis=${day}`,
  ]) {
    const { headers } = await service.get(`${question}&format=csv`);
    expect({ question, quelle: headers.get('quelle') }).toEqual({
      question,
      quelle: expect.stringContaining(`Stand ${day.split('-').reverse().join('.')};`),
    });
  }
}

/** Renames an organisation that operates a unit: random days seldom do. */
function rename(register: RegisterExport, night: number): void {
  const operators = new Set(
    register
      .starting('EinheitenWind')
      .flatMap(({ records }) => records.map(({ AnlagenbetreiberMastrNummer }) => AnlagenbetreiberMastrNummer)),
  );
  const named = register
    .of('Marktakteure')
    .records.filter(({ Personenart, MastrNummer }) => Personenart === '517' && operators.has(MastrNummer));
  named[night % 2]!.Firmenname = `Umbenannt in Nacht ${night}`;
}

it('answers with stand as the version of that day did', { timeout: 900_000 * cases(1) }, async () => {
  for (let run = 0; run < cases(1); run++) {
    const seed = process.env.CASES === undefined ? 1 : Math.floor(Math.random() * 1e9);
    const draw = drawing(seed);
    const warehouse = join(folder.path, `states-${seed}`);
    const now = register.copy();
    const gone = new Map<Document, Row[]>();
    const told: Told[] = [];
    let day = '2026-06-01';
    let version = '';
    for (let night = 0; night < NIGHTS; night++) {
      const source = now.write(join(folder.path, String(seed)), day);
      const { report } = await buildIn(warehouse, source, { force: true, keep: 1, fromNothing: draw(3) === 0 });
      version = report.version;
      const changed = await queryVersion<{ mastrNummer: string }>(
        warehouse,
        version,
        `SELECT mastrNummer FROM units WHERE inhaltSeit = (SELECT max(sequence) FROM staende) ORDER BY 1 LIMIT 12`,
      );
      const questions = [
        ...QUESTIONS,
        ...changed.map(({ mastrNummer }) => `/v1/units/${mastrNummer}?include=standort`),
        `/v1/units?mastrNummern=${changed.map(({ mastrNummer }) => mastrNummer).join(',')}`,
      ];
      const service = await serve(warehouse, { TODAY: day });
      const numbers = changed.map(({ mastrNummer }) => mastrNummer);
      told.push({ day, questions, changed: numbers, answers: await answers(service, questions, null) });
      await service.stop();
      nextDay(now, gone, draw);
      rename(now, night);
      day = dayAfter(day, 1 + draw(20));
    }
    const wrong: object[] = [];
    const server = await clickhouseOfRun();
    const published = await serverTarget(warehouse, `${PREFIX}_${run}`);
    await published.load(version, { folder: join(folder.path, 'work'), memoryMb: 300, progress: silentProgress });
    await published.publish(version, 'build');
    await published.close();
    for (const environment of [{}, { WAREHOUSE_URL: server.warehouse('energy_reader', `${PREFIX}_${run}`) }]) {
      const service = await serve(warehouse, { TODAY: day, ...environment });
      try {
        for (const { day: stand, questions, answers: then } of told) {
          const later = await answers(service, questions, stand);
          for (const question of questions) {
            const found = differing(then[question], later[question]).slice(0, 3);
            if (found.length > 0) wrong.push({ environment, stand, question, found });
          }
        }
        await expectSumsToAddUp(service, told);
        await expectFeedToLead(service, told);
        await expectFieldsToBeFound(service);
        await expectAttribution(service, told[1]!.day);
        const units = [...new Set(told.flatMap(({ changed }) => changed))].slice(0, 8);
        for (const unit of units) await expectHistory(service, unit, told);
      } finally {
        await service.stop();
      }
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  }
});
