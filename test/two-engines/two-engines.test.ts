import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { filterConditions } from '../../api/units/filters.ts';
import { tileCellRow, tileCellsStatement } from '../../sql/query/tiles.ts';
import { listVersions, publications } from '../../sql/warehouse/versions.ts';
import { draftsIn, isSealed, manifestIn, queryFiles, readCsv } from '../ingest/export/dumps.ts';
import { cases, drawn } from '../support/cases.ts';
import { serverTarget } from '../support/clickhouse.ts';
import { type Bridge, type Outcome, openBridge } from '../support/clickhouse-bridge.ts';
import { clickhouseOfRun } from '../support/clickhouse-of-run.ts';
import { ingestHere } from '../support/command.ts';
import { expectEqual } from '../support/equal.ts';
import { folderOfTests } from '../support/exports.ts';
import { alertMatches, expectedMatches } from './alerts.ts';
import {
  type Anchor,
  aggregationQuestions,
  alertQuestions,
  gridQuestions,
  olderQuestions,
  qualityQuestions,
  referenceQuestions,
  regionQuestions,
  searchQuestions,
  tenderQuestions,
  tilePath,
  tileQuestions,
  type Units,
  unitQuestions,
} from './questions.ts';
import { buildRegister, LISTED_TENDER, SHRUNK } from './register.ts';
import { bothEngines, type Pair, PREFIX, type ServiceResponse, TODAY } from './services.ts';

/**
 * DuckDB and ClickHouse, each with versions that were built in it, give the same answers: equal bodies and links, over HTTP, to every kind of request. A failure
 * prints a seed; TWO_ENGINES_SEED repeats it. CASES sets the number of requests of each kind.
 */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const RUNS = cases(7);
const SEED = process.env.TWO_ENGINES_SEED === undefined ? {} : { seed: Number(process.env.TWO_ENGINES_SEED) };

let pair: Pair;
let units: Units;
let anchors: Anchor[];
beforeAll(async () => {
  const target = await serverTarget(join(folder.path, 'direct'), PREFIX);
  await buildRegister(folder.path, [{ warehouse }, { warehouse: join(folder.path, 'direct'), target }]);
  await target.close();
  pair = await bothEngines(warehouse, join(folder.path, 'state'));
  units = await everyUnit();
  // More than a list of values may have, so that engines take the numbers as a whole.
  await pair.ownUnits(units.filter((_, index) => index % 3 > 0).map(({ mastrNummer }) => String(mastrNummer)));
  anchors = publications(warehouse).flatMap(({ publishedAt, version }) => [{ publishedAt }, { version }]);
});
afterAll(async () => {
  await pair?.stop();
  folder.remove();
});

const BLOCKS = 'standort,betreiber,termine,eeg,netz,register,genehmigung,technik,ausschreibungen';

async function everyUnit(): Promise<Units> {
  const all: Record<string, unknown>[] = [];
  let next: string | undefined = `/v1/units?limit=200&include=${BLOCKS}`;
  while (next !== undefined) {
    const response: ServiceResponse = await pair.duckdb(next);
    all.push(...response.json.data);
    next = linkIn(response);
  }
  return all;
}

/** Returns the path of the next page from its link. */
const linkIn = ({ link }: ServiceResponse): string | undefined =>
  /<http:\/\/service\.example([^>]*)>; rel="next"/.exec(link ?? '')?.[1];

/** The comparable part of an answer, without request id and time. */
const counted = ({ status, link, json: { instance: _, ...body } }: ServiceResponse) => {
  // Each has built its versions in its own time.
  const built = body.data?.gebautAm === undefined ? {} : { data: { ...body.data, gebautAm: null } };
  return { status, link, body: { ...body, ...built } };
};

/** Sends a request to both. @returns their common answer. @throws Error with the difference */
async function same(path: string): Promise<ServiceResponse> {
  const [one, other] = [await pair.duckdb(path), await pair.clickhouse(path)];
  expectEqual(counted(other), counted(one), path);
  expect([200, 400, 404], `${path}: ${JSON.stringify(one.json)}`).toContain(one.status);
  return one;
}

/** Reads a list from both, page after page. */
async function expectSamePages(path: string): Promise<void> {
  let next: string | undefined = path;
  for (let page = 0; page < 4 && next !== undefined; page++) next = linkIn(await same(next));
}

const always = (questions: fc.Arbitrary<string>, expectSame: (path: string) => Promise<unknown>, runs = RUNS) =>
  fc.assert(
    fc.asyncProperty(questions, async (path) => void (await expectSame(path))),
    { numRuns: runs, ...SEED },
  );

test('every unit, whole', async () => {
  await expectSamePages(`/v1/units?limit=200&include=${BLOCKS}&expand=marktakteur,netzbetreiber`);
  for (const { mastrNummer } of drawn(units, 30)) await same(`/v1/units/${mastrNummer}`);
  await same('/v1/units/SEE999999999999');
});

test('units: any filters, orders, pages, forms and deltas', () =>
  always(unitQuestions(units, anchors), expectSamePages));

test('the units of an event, few and many, narrowed and sorted', async () => {
  const served = units.map(({ mastrNummer }) => String(mastrNummer));
  const unknown = Array.from({ length: 1000 }, (_, index) => `SEE8${String(index).padStart(11, '0')}`);
  const [day] = anchors.flatMap((anchor) => ('publishedAt' in anchor ? [anchor.publishedAt] : []));
  for (const numbers of [[], served.slice(0, 5), [...unknown, ...served.filter((_, index) => index % 2 === 0)]]) {
    const query = `/v1/units?limit=50&eventId=${await pair.storeEvent(numbers)}`;
    const { json } = await same(query);
    expect(json.meta.page.total).toBe(numbers.filter((number) => served.includes(number)).length);
    for (const more of [
      '',
      '&sort=bruttoleistungKw:desc',
      '&suche=wind',
      '&einheitTyp=solar,wind',
      `&updatedSince=${day}`,
    ]) {
      await expectSamePages(query + more);
    }
  }
});

test('aggregations: every dimension', () => always(aggregationQuestions(units), same, 2 * RUNS));

test('grids: levels, points and operators', async () => {
  const { json } = await same('/v1/netz/netzbetreiber?limit=2000');
  for (const { netzbetreiber } of drawn(json.data as { netzbetreiber: string }[], 2)) {
    const query = `netzbetreiber=${encodeURIComponent(`"${netzbetreiber}"`)}`;
    const grid = await same(`/v1/netz?${query}&seit=2026-11-20`);
    expect(grid.json.meta.einheiten).toBeGreaterThan(0);
    await same(`/v1/netz?${query}&stand=2026-11-01`);
    await expectSamePages(`/v1/netz/netzanschlusspunkte?${query}&limit=5`);
  }
  await always(gridQuestions(units), expectSamePages, 2 * RUNS);
});

test('figures by inhabitants and area, also of districts that there are no more', async () => {
  for (const groupBy of ['bundesland', 'landkreis', 'gemeinde']) {
    for (const filter of ['', '&einheitTyp=solar', '&auffaellige=ohne']) {
      const { json } = await same(`/v1/aggregations?groupBy=${groupBy}${filter}`);
      expect(json.meta.bezug.gebietsstand).toBe('2026-02-28');
    }
  }
  for (const region of [
    'ebene=landkreis&region=16056',
    'ebene=landkreis&region=16063',
    'ebene=bundesland&region=Hessen',
    '',
  ]) {
    for (const auffaellige of ['mit', 'ohne']) {
      await same(`/v1/region/momentaufnahme?${region}&auffaellige=${auffaellige}`);
      await same(`/v1/region/zeitreihe?periode=jahr&${region}&auffaellige=${auffaellige}`);
      await same(
        `/v1/region/zeitreihe?periode=jahr&registerEnergietraeger=Speicher&${region}&auffaellige=${auffaellige}`,
      );
    }
  }
});

test('tiles of a map, and the cells that a register of millions is counted by', async () => {
  const { duckdb, clickhouse } = pair.versions;
  const version = listVersions(warehouse).at(-1)!.id;
  const tag = { operation: 'tiles.show', request: null, trace: null };
  const opened = [await duckdb.openBeside(version, tag), await clickhouse.openBeside(version, tag)];
  try {
    const property = fc.asyncProperty(tileQuestions(units), async ({ tile, criteria }) => {
      expect((await same(tilePath(tile, criteria))).status).toBe(200);
      const request = { tile, conditions: filterConditions(criteria), today: TODAY };
      const [one, other] = await Promise.all(
        opened.map(async ({ query, dialects }) => {
          const rows = await query(tileCellRow, tileCellsStatement(request, dialects));
          return rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
        }),
      );
      expect(other).toEqual(one);
    });
    await fc.assert(property, { numRuns: 2 * RUNS, ...SEED });
  } finally {
    for (const one of opened) one.close();
  }
});

test('no filter finds a unit by coordinates that it may not have today', async () => {
  const { number, longitude, latitude } = SHRUNK;
  const [west, south, east, north] = [longitude - 0.001, latitude - 0.001, longitude + 0.001, latitude + 0.001];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const polygon = encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
  const places = [
    `umkreis=${longitude},${latitude},0.02`,
    `bbox=${west},${south},${east},${north}`,
    `polygon=${polygon}`,
  ];
  const found = async (path: string) => {
    const { status, json } = await same(path);
    expect(status, path).toBe(200);
    return json.data.some(({ mastrNummer }: { mastrNummer: string }) => mastrNummer === number);
  };
  // Few others have this capacity: no list ends before the unit.
  const large = 'einheitTyp=wind&leistungMinKw=120&leistungMaxKw=120';
  expect(await found(`/v1/aenderungen?limit=250&${large}`)).toBe(true);
  for (const condition of [...places, 'hatKoordinaten=true']) {
    expect(await found(`/v1/units?stand=2026-11-20&mastrNummern=${number}&${condition}`)).toBe(false);
    expect(await found(`/v1/aenderungen?limit=250&${large}&${condition}`)).toBe(false);
    if (condition !== 'hatKoordinaten=true') {
      const { vorher, ursachen } = (await same(`/v1/aenderungen/summe?${large}&${condition}`)).json.data;
      expect([vorher.anzahl, ursachen]).toEqual([0, []]);
    }
  }
  const past = `/v1/units?stand=2026-11-20&mastrNummern=${number}`;
  expect(await found(`${past}&hatKoordinaten=false`)).toBe(true);
  const { meta } = (await same(`${past}&bbox=5.5,47,15.5,55.5`)).json;
  expect(meta.raum).toEqual({ mitKoordinaten: 0, anGemeindepunkt: 1 });
});

test('rules of plausibility', () => always(qualityQuestions(units), same));

test('regions: series, ages, snapshots', () => always(regionQuestions(units), same, 2 * RUNS));

test('the places that a key covers, which have several names, come in one order', async () => {
  const { json } = await same('/v1/region/altersstruktur?ebene=gemeinde&region=05315000');
  expect(json.meta.regionen.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['Köln', 'Köln, Stadt']);
});

test('tenders, and their awards page by page', () => always(tenderQuestions, expectSamePages));

test('search', () => always(searchQuestions(units), same));

test('reference values', () => always(referenceQuestions, same));

test('the older variant', () => always(olderQuestions, same));

test('the publications, also for a reader that has not looked for new ones', async () => {
  const { duckdb, clickhouse } = pair.versions;
  expect(await clickhouse.publications()).toEqual(await duckdb.publications());
});

test('alerts: the changes between versions, and the units that each of many alerts matches', async () => {
  const ids = listVersions(warehouse).map(({ id }) => id);
  const asked = fc.array(alertQuestions(units), { minLength: 40, maxLength: 40 });
  const property = fc.asyncProperty(asked, async (questions) => {
    const steps = [
      [ids[0]!, ids[1]!],
      [ids[1]!, ids[2]!],
      [ids[2]!, ids[0]!],
    ];
    for (const [from = '', to = ''] of drawn(steps, 1)) {
      const { duckdb, clickhouse } = pair.versions;
      const [one, other] = [
        await alertMatches(duckdb, from, to, questions),
        await alertMatches(clickhouse, from, to, questions),
      ];
      expect(other).toEqual(one);
      expect(one.matches).toEqual(await expectedMatches(warehouse, from, to, questions));
    }
  });
  await fc.assert(property, { numRuns: Math.ceil(RUNS / 20), ...SEED });
});

test('tenders and their awards', async () => {
  expect((await same('/v1/ausschreibungen')).json.data.length).toBeGreaterThan(100);
  await same('/v1/ausschreibungen?technologie=WIND,KWK&status=IMPORTED&von=2019-01-01&bis=2021-12-31');
  const awards = await same(`/v1/ausschreibungen/${LISTED_TENDER}/zuschlaege`);
  expect(awards.json.data.map(({ zuschlagsnummer }: { zuschlagsnummer: string }) => zuschlagsnummer)).toContain(
    'WIN20-3/002',
  );
  await same(`/v1/ausschreibungen/${LISTED_TENDER}/zuschlaege?bundesland=Bayern,Hessen`);
  const units = await same(`/v1/units?gebotstermin=${LISTED_TENDER}&include=ausschreibungen`);
  expect(units.json.meta.page.total).toBe(3);
});

test('what is served', async () => {
  for (const path of ['/v1', '/v1/datasets', '/v1/reference']) expect((await same(path)).status).toBe(200);
  const { data } = (await same('/v1/datasets/version')).json;
  expect(data).toMatchObject({ version: '20261210-0003', historieSeit: '2026-11-01', grund: 'bau' });
  expect(data.befunde.length).toBeGreaterThan(5);
  expect(data.export.geladen).toBeGreaterThan(data.zeilen);
  expect(data.frueher.map(({ version }: { version: string }) => version)).toEqual(['20261120-0002', '20261101-0001']);
});

/** From the folder and, over HTTP, from ClickHouse by a machine without that folder. The last of them take rows away. */
describe('dumps', () => {
  const FORMATS = ['parquet', 'csv', 'ndjson'];
  const DAY_OF_DUMPS = '2026-12-24';
  let bridge: Bridge;
  let versions: string[];
  let out: string;
  let dumps = 0;

  beforeAll(async () => {
    versions = listVersions(warehouse).map(({ id }) => id);
    bridge = await openBridge();
  });

  afterAll(async () => {
    await bridge?.close();
  });

  beforeEach(() => {
    bridge.outcomeOf = () => 'answered';
    out = join(folder.path, 'dumps', String(++dumps));
  });

  const fromFolder = (words: readonly string[]) => ingestHere(warehouse, ['export', ...words], { TODAY: DAY_OF_DUMPS });
  const fromServer = (words: readonly string[]) =>
    ingestHere(join(folder.path, 'elsewhere'), ['export', ...words], {
      TODAY: DAY_OF_DUMPS,
      WAREHOUSE_URL: bridge.url(PREFIX),
    });

  const isUnits = ({ query }: { readonly query: string }) => query.includes('FROM units ORDER BY nummer');

  describe('dumps of either engine', () => {
    test.each(FORMATS)('are equal for any version, byte for byte, with the same manifest (%s)', async (format) => {
      for (const id of drawn(versions, 1, FORMATS.indexOf(format))) {
        const [here, there] = [join(out, id, 'here'), join(out, id, 'there')];
        expect(await fromFolder(['--format', format, '--out', here, '--version', id])).toMatchObject({ code: 0 });
        expect(await fromServer(['--format', format, '--out', there, '--version', id])).toMatchObject({ code: 0 });
        expect(isSealed(there)).toBe(true);
        expect(manifestIn(there)).toEqual(manifestIn(here));
        expect(draftsIn(there)).toEqual([]);
      }
    });

    test.each(['parquet', 'csv', 'ndjson'])('have the same changes (%s)', async (format) => {
      const [here, there] = [join(out, 'here'), join(out, 'there')];
      const words = ['--changes', '--format', format, '--out'];
      expect(await fromFolder([...words, here])).toMatchObject({ code: 0 });
      expect(await fromServer([...words, there])).toMatchObject({ code: 0 });
      expect(manifestIn(here).rows).toBeGreaterThan(0);
      expect(manifestIn(there)).toEqual(manifestIn(here));
      expect(draftsIn(there)).toEqual([]);
    });

    test('have the units of the served version in the order of their numbers', async () => {
      expect((await fromServer(['--format', 'ndjson', '--out', out])).code).toBe(0);
      expect(manifestIn(out)).toMatchObject({ version: versions.at(-1), today: DAY_OF_DUMPS });
      const lines = readFileSync(join(out, 'units.ndjson'), 'utf8').trim().split('\n');
      const units = lines.map((line) => JSON.parse(line));
      const numbers = units.map(({ mastrNummer }) => mastrNummer);
      expect(numbers).toEqual([...new Set(numbers)].sort());
      expect(numbers.length).toBe(manifestIn(out).rows);
      // The odd values of the register are in the dump.
      expect(lines.join('\n')).toContain('"bruttoleistungKw":12345678.905');
      const days = units.flatMap((unit) => [unit.inbetriebnahmedatum, unit.stilllegungsdatum]);
      for (const day of ['1894-06-30', '1899-12-31', '1970-01-01', '2000-02-29']) expect(days).toContain(day);
      const names = units.map(({ name }) => name);
      for (const name of ['Ähre & Söhne', "O'Hara \\ Töchter"]) expect(names).toContain(name);
      expect(names.some((name) => /^"Quer"\s+Zeile 2, €;$/.test(name))).toBe(true);
      expect(units.some(({ ibnVerspaetungTage: days }) => days > 0)).toBe(true);
      expect(units.some(({ signals }) => signals.length > 0)).toBe(true);
      expect(units.some(({ solarFlaechenmerkmale: list }) => list?.length > 0)).toBe(true);
      expect(units.some(({ latitude }) => latitude !== null)).toBe(true);
      expect(units.filter((unit) => !(unit.bruttoleistungKw >= 30) && unit.latitude !== null)).toEqual([]);
    });

    test('have the same content in each format', async () => {
      for (const format of FORMATS) await fromServer(['--format', format, '--out', join(out, format)]);
      const [header, ...records] = readCsv(readFileSync(join(out, 'csv', 'units.csv'), 'utf8'));
      const column = (name: string) => records.map((record) => record[header!.indexOf(name)]);
      const rows = await queryFiles<{
        mastrNummer: string;
        name: string | null;
        tag: string | null;
        kw: string | null;
      }>(
        `SELECT mastrNummer, name, CAST(inbetriebnahmedatum AS VARCHAR) AS tag, CAST(bruttoleistungKw AS VARCHAR) AS kw
       FROM read_parquet('${join(out, 'parquet', 'units.parquet')}')`,
      );
      expect(rows.map(({ mastrNummer }) => mastrNummer)).toEqual(column('mastrNummer'));
      expect(rows.map(({ name }) => name)).toEqual(column('name'));
      expect(rows.map(({ tag }) => tag)).toEqual(column('inbetriebnahmedatum'));
      expect(rows.map(({ kw }) => kw)).toEqual(column('bruttoleistungKw'));
    });
  });

  describe('a dump from ClickHouse', () => {
    test('reads the units in one statement, and needs no folder', async () => {
      const before = bridge.requests.length;
      expect((await fromServer(['--format', 'csv', '--out', out])).code).toBe(0);
      expect(bridge.requests.slice(before).filter(isUnits)).toHaveLength(1);
      expect(existsSync(join(folder.path, 'elsewhere', 'versions'))).toBe(false);
    });

    const fates = [
      ['a connection that breaks in the middle', 'broken'],
      ['an answer that ends in the middle as if it were whole', 'shortened'],
      ['an exception behind half of the answer', 'failed'],
      ['a proxy without a server behind it', 'refused'],
    ] as const;
    test.each(drawn(fates, 2))('%s is reported, and the statement is repeated from the start', async (_, fate) => {
      let failures = 2;
      bridge.outcomeOf = (asked) => (isUnits(asked) && failures-- > 0 ? fate : 'answered');
      const { code, err } = await fromServer(['--format', 'parquet', '--out', out]);
      expect(code).toBe(0);
      expect(err.match(/; asking again$/gm)).toHaveLength(2);
      expect(isSealed(out)).toBe(true);
      await fromFolder(['--format', 'parquet', '--out', `${out}-folder`]);
      expect(manifestIn(out)).toEqual(manifestIn(`${out}-folder`));
    });

    test('reports a version that is dropped before it is read in one line, and leaves nothing', async () => {
      const server = await clickhouseOfRun();
      bridge.outcomeOf = async (asked): Promise<Outcome> => {
        if (isUnits(asked)) await server.run(`DROP DATABASE ${PREFIX}_v${versions[0]!.replace('-', '_')}`);
        return 'answered';
      };
      const { code, err } = await fromServer(['--format', 'csv', '--out', out, '--version', versions[0]!]);
      expect(code).toBe(1);
      expect(err.trim().split('\n').at(-1)).toMatch(/^ClickHouse at .* refused: .*does not exist/);
      expect(existsSync(join(out, 'manifest.json'))).toBe(false);
      expect(draftsIn(out)).toEqual([]);
    });

    test('fails when fewer units come than the version has', async () => {
      const last = versions.at(-1)!;
      const database = `${PREFIX}_v${last.replace('-', '_')}`;
      const server = await clickhouseOfRun();
      bridge.outcomeOf = async (asked): Promise<Outcome> => {
        if (isUnits(asked)) await server.run(`DELETE FROM ${database}.units WHERE einheitTyp = 'wind'`);
        return 'answered';
      };
      const { code, err } = await fromServer(['--format', 'csv', '--out', out, '--version', last]);
      expect(code).toBe(1);
      expect(err).toMatch(/has [0-9]+ units, but [0-9]+ were read; nothing was exported/);
      expect(existsSync(join(out, 'manifest.json'))).toBe(false);
      expect(draftsIn(out)).toEqual([]);
    });

    test('reports a missing version like every command', async () => {
      const result = await fromServer(['--format', 'csv', '--out', out, '--version', '20250101-0001']);
      expect(result).toMatchObject({
        code: 5,
        err: 'There is no version 20250101-0001. Those there are: npm run ingest -- versions\n',
      });
      expect(existsSync(out)).toBe(false);
    });
  });
});
