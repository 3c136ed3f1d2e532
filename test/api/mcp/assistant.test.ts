import { spawnSync } from 'node:child_process';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishSample, type Tables, warehouseFolder, withTables } from '../../support/built.ts';
import { makeKey } from '../../support/organisation.ts';
import { type OwnSubject, serve } from '../../support/service.ts';

/** The door for assistants, by the SDK's own client: what analysts ask is answered in three calls at most, with the figures of the tables. */

const folder = warehouseFolder();
let service: OwnSubject;
let client: Client;
beforeAll(async () => {
  await publishSample(folder.path);
  service = await serve(folder.path);
  client = await connect(service.key);
});
afterAll(async () => {
  await client.close();
  await service.stop();
  folder.remove();
});

async function connect(key: string, options: ClientOptions = {}): Promise<Client> {
  const headers = { authorization: `Bearer ${key}` };
  const opened = new Client({ name: 'test', version: '1' }, options);
  await opened.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  return opened;
}

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is read here, and compared
type Answered = any;

async function call(name: string, given: object): Promise<Answered> {
  const { content, isError } = await client.callTool({ name, arguments: { ...given } });
  const [text] = content.map((one) => (one.type === 'text' ? one.text : ''));
  if (isError) throw new Error(text);
  return JSON.parse(text ?? '');
}

/** One of the twenty questions: how an assistant answers it, and the same by SQL. */
interface Asked {
  readonly question: string;
  answer(): Promise<unknown>;
  truth(sql: Tables): Promise<unknown>;
}

const IN_OPERATION = ['In Betrieb'];

/** The number of a decimal as the tables write it, rounded as sums of the interface are read. */
const number = (value: unknown, digits = 3): number => Number(Number(value).toFixed(digits));

async function one(sql: Tables, statement: string): Promise<number> {
  const [row = {}] = await sql<Record<string, string>>(statement);
  return number(Object.values(row)[0]);
}

const count = (sql: Tables, condition: string) => one(sql, `SELECT count(*) FROM units WHERE ${condition}`);
const kilowatts = (sql: Tables, condition: string) =>
  one(sql, `SELECT coalesce(sum(bruttoleistungKw), 0) FROM units WHERE ${condition}`);

const RUNNING = `betriebsStatus = 'In Betrieb'`;

const QUESTIONS: readonly Asked[] = [
  {
    question: 'Wie viele Windräder laufen in Niedersachsen?',
    answer: async () =>
      (
        await call('count_units', {
          groupBy: 'einheitTyp',
          einheitTyp: ['wind'],
          bundesland: ['Niedersachsen'],
          betriebsStatus: IN_OPERATION,
        })
      ).data.totals.count,
    truth: (sql) => count(sql, `einheitTyp = 'wind' AND bundesland = 'Niedersachsen' AND ${RUNNING}`),
  },
  {
    question: 'How much solar is in operation in Bavaria?',
    answer: async () =>
      number(
        (
          await call('count_units', {
            groupBy: 'einheitTyp',
            einheitTyp: ['solar'],
            bundesland: ['Bayern'],
            betriebsStatus: IN_OPERATION,
          })
        ).data.totals.bruttoleistungKw,
      ),
    truth: (sql) => kilowatts(sql, `einheitTyp = 'solar' AND bundesland = 'Bayern' AND ${RUNNING}`),
  },
  {
    question: 'Which is the largest solar unit of the country?',
    answer: async () =>
      (await call('list_units', { einheitTyp: ['solar'], sort: 'bruttoleistungKw:desc', limit: 1 })).data[0]
        .mastrNummer,
    truth: async (sql) =>
      (
        await sql<{ nummer: string }>(
          `SELECT mastrNummer AS nummer FROM units WHERE einheitTyp = 'solar' ORDER BY bruttoleistungKw DESC NULLS LAST LIMIT 1`,
        )
      )[0]?.nummer,
  },
  {
    question: 'How many plug-in (balcony) solar units are there in Ludwigsburg?',
    answer: async () => {
      const [place] = (await call('find_place', { set: 'landkreis', q: 'Ludwigsburg' })).data;
      const values = (await call('find_place', { set: 'solarLage', q: 'Stecker' })).data;
      const solarLage = values.map(({ value }: { value: string }) => value);
      return (await call('count_units', { groupBy: 'solarLage', landkreis: place.schluessel, solarLage })).data.totals
        .count;
    },
    truth: (sql) => count(sql, `gemeindeschluessel LIKE '08118%' AND solarLage ILIKE '%stecker%'`),
  },
  {
    question: 'How much wind came in 2023?',
    answer: async () =>
      number(
        (await call('time_series', { einheitTyp: ['wind'], von: '2023-01-01', bis: '2023-12-31' })).data.reduce(
          (sum: number, { zubauMw }: { zubauMw: number }) => sum + zubauMw,
          0,
        ),
      ),
    truth: async (sql) =>
      number((await kilowatts(sql, `einheitTyp = 'wind' AND year(inbetriebnahmedatum) = 2023`)) / 1000),
  },
  {
    question: 'In which year was most solar built in Hesse?',
    answer: async () =>
      (await call('time_series', { einheitTyp: ['solar'], bundesland: ['Hessen'] })).data.reduce(
        (best: Answered, row: Answered) => (row.zubauMw > best.zubauMw ? row : best),
      ).periode,
    truth: async (sql) =>
      (
        await sql<{ jahr: string }>(
          `SELECT year(inbetriebnahmedatum)::VARCHAR AS jahr FROM units WHERE einheitTyp = 'solar' AND bundesland = 'Hessen'
           AND inbetriebnahmedatum IS NOT NULL GROUP BY 1 ORDER BY sum(bruttoleistungKw) DESC LIMIT 1`,
        )
      )[0]?.jahr,
  },
  {
    question: 'Has Bavaria or Brandenburg more wind?',
    answer: async () => {
      const places = ['bundesland:Bayern', 'bundesland:Brandenburg'];
      const { answers } = await call('compare_places', { orte: places, einheitTyp: ['wind'] });
      return answers.map(({ data }: Answered) => number(data.totals.bruttoleistungKw));
    },
    truth: async (sql) =>
      Promise.all(
        ['Bayern', 'Brandenburg'].map((state) => kilowatts(sql, `einheitTyp = 'wind' AND bundesland = '${state}'`)),
      ),
  },
  {
    question: 'What kind of unit is this number, and where is it?',
    answer: async () => {
      const [unit] = (await call('list_units', { einheitTyp: ['hydro'], limit: 1 })).data;
      const { einheitTyp, gemeinde } = (await call('show_unit', { id: unit.mastrNummer })).data;
      return { einheitTyp, gemeinde };
    },
    truth: async (sql) =>
      (
        await sql<{ einheitTyp: string; gemeinde: string }>(
          `SELECT einheitTyp, gemeinde FROM units WHERE einheitTyp = 'hydro' ORDER BY mastrNummer LIMIT 1`,
        )
      )[0],
  },
  {
    question: 'Welcher Betreiber hat die meisten Anlagen, deren Name mit Stadtwerke beginnt?',
    answer: async () => (await call('search', { q: 'Stadtwerke', typ: 'marktakteur', limit: 1 })).data[0].anlagenAnzahl,
    truth: (sql) => one(sql, `SELECT max(anlagenAnzahl) FROM marktakteure WHERE gefaltet LIKE 'stadtwerke%'`),
  },
  {
    question: 'How many wind turbines are older than twenty years?',
    answer: async () =>
      (await call('count_units', { groupBy: 'signals', signals: ['wind_ueber_20_jahre'] })).data.totals.count,
    truth: (sql) =>
      count(
        sql,
        `einheitTyp = 'wind' AND ${RUNNING} AND inbetriebnahmedatum + INTERVAL 20 YEAR < (SELECT exportDay FROM dataset)`,
      ),
  },
  {
    question: 'How much storage is planned, by state? Which has most?',
    answer: async () => {
      const given = { groupBy: 'bundesland', einheitTyp: ['storage'], betriebsStatus: ['In Planung'] };
      return number((await call('count_units', given)).data.totals.speicherkapazitaetKwh);
    },
    truth: (sql) =>
      one(
        sql,
        `SELECT coalesce(sum(speicherkapazitaetAnteilKwh), 0) FROM units WHERE einheitTyp = 'storage' AND betriebsStatus = 'In Planung'`,
      ),
  },
  {
    question: 'For how many units does the support end within 2027?',
    answer: async () => {
      const given = {
        groupBy: 'einheitTyp',
        eegFoerderendeBis: '2027-12-31',
        weitere: { eegFoerderendeVon: '2027-01-01' },
      };
      return (await call('count_units', given)).data.totals.count;
    },
    truth: (sql) => count(sql, 'year(eegFoerderende) = 2027'),
  },
  {
    question: 'How high are the hubs of which turbines: is there a field for it?',
    answer: async () =>
      (await call('find_fields', { wort: 'Nabenhöhe' })).data.some((one: Answered) => one.name === 'windNabenhoeheM'),
    truth: async () => true,
  },
  {
    question: 'How many Enercon turbines are there?',
    answer: async () => {
      const [maker] = (await call('find_place', { set: 'windHersteller', q: 'Enercon' })).data;
      const given = { groupBy: 'einheitTyp', weitere: { windHersteller: maker.value } };
      return (await call('count_units', given)).data.totals.count;
    },
    truth: (sql) => count(sql, `windHersteller ILIKE 'enercon%'`),
  },
  {
    question: 'How much stood at the end of 2015 and of 2020?',
    answer: async () => {
      const given = { groupBy: 'einheitTyp', einheitTyp: ['solar'], bestandAm: ['2015-12-31', '2020-12-31'] };
      return (await call('count_units', given)).data.groups[0].bestand.anzahl;
    },
    truth: (sql) =>
      Promise.all(
        ['2015-12-31', '2020-12-31'].map((day) =>
          count(
            sql,
            `einheitTyp = 'solar' AND inbetriebnahmedatum <= '${day}' AND coalesce(stilllegungsdatum > '${day}', true)`,
          ),
        ),
      ),
  },
  {
    question: 'Which bid date of solar on open ground was the last with results, and what was awarded?',
    answer: async () => {
      const rounds = (await call('list_tenders', { technologie: ['SOLAR_FREIFLAECHE'], status: ['IMPORTED'] })).data;
      return { datum: rounds[0].datum, kw: number(rounds[0].volumenBezuschlagtKw) };
    },
    truth: async (sql) => {
      const [round] = await sql<{ datum: string; kw: string }>(
        `SELECT datum, volumenBezuschlagtKw AS kw FROM gebotstermine WHERE technologie = 'SOLAR_FREIFLAECHE' AND status = 'IMPORTED'
         ORDER BY datum DESC LIMIT 1`,
      );
      return { datum: round?.datum, kw: number(round?.kw) };
    },
  },
  {
    question: 'How many awards has it in Bavaria?',
    answer: async () => {
      const [round] = (await call('list_tenders', { technologie: ['SOLAR_FREIFLAECHE'], status: ['IMPORTED'] })).data;
      const { data, meta } = await call('tender_awards', { id: round.id, bundesland: ['Bayern'], limit: 50 });
      return { count: data.length, hasMore: meta.hasMore };
    },
    truth: async (sql) => {
      const n = await one(
        sql,
        `SELECT count(*) FROM zuschlaege WHERE bundesland = 'Bayern' AND gebotstermin = (SELECT id FROM gebotstermine
         WHERE technologie = 'SOLAR_FREIFLAECHE' AND status = 'IMPORTED' ORDER BY datum DESC LIMIT 1)`,
      );
      return { count: Math.min(n, 50), hasMore: n > 50 };
    },
  },
  {
    question: 'Can these figures be trusted: how many units have a module power that is too high?',
    answer: async () =>
      (await call('data_quality', {})).data.find((one: Answered) => one.regel === 'modulleistung_hoch').count,
    truth: async () => (await service.get('/v1/units?auffaelligkeit=modulleistung_hoch&limit=1')).json.meta.page.total,
  },
  {
    question: 'How old is the stock of Schleswig-Holstein?',
    answer: async () =>
      (
        await call('age_structure', { ebene: 'bundesland', region: 'Schleswig-Holstein', energietraeger: ['wind'] })
      ).data.reduce((sum: number, { anzahl }: { anzahl: number }) => sum + anzahl, 0),
    truth: async () =>
      (
        await service.get('/v1/region/altersstruktur?ebene=bundesland&region=Schleswig-Holstein&energietraeger=wind')
      ).json.data.reduce((sum: number, { anzahl }: { anzahl: number }) => sum + anzahl, 0),
  },
  {
    question: 'Of which day are the data?',
    answer: async () => (await call('dataset', {})).data.exportTag,
    truth: async (sql) => (await sql<{ day: string }>('SELECT exportDay AS day FROM dataset'))[0]?.day,
  },
];

describe('a question of an analyst is answered with the figure of the tables', () => {
  test.each(QUESTIONS)('$question', async ({ answer, truth }) => {
    const answered = await answer();
    expect(answered).toEqual(await withTables(folder.path, truth));
    expect(answered).toBeTruthy();
  });
});

describe('an answer', () => {
  test('names the day of the data, the units of measure, and a link that gives the same figures', async () => {
    const given = { groupBy: 'bundesland', einheitTyp: ['wind', 'solar'] };
    const { stand, measures, link, data } = await call('count_units', given);
    expect(stand).toBe('2026-11-01');
    expect(measures).toMatchObject({ bruttoleistungKw: 'kW', kwJe1000Einwohner: 'kW per 1,000 inhabitants' });
    const { json } = await service.get(link.slice(service.url.length));
    expect(data.totals).toEqual(json.data.totals);
  });

  test('counts by two dimensions, without sub-totals that nobody asked for', async () => {
    const { data } = await call('count_units', { groupBy: ['leistungsklasse', 'einheitTyp'], bundesland: ['Hessen'] });
    const first = data.groups[0];
    expect(first).toMatchObject({ key: expect.any(String), zweite: { key: expect.any(String) } });
    expect(first.anteile.anzahl).toBeCloseTo(first.count / data.totals.count, 6);
    expect(data).not.toHaveProperty('teilsummen');
  });

  test('says how many rows it leaves out', async () => {
    const { data, leftOut } = await call('count_units', { groupBy: 'gemeinde' });
    expect(data.groups).toHaveLength(60);
    expect(leftOut).toMatch(/^\d+ further rows/);
  });

  test('passes on the newest periods where there are more than it passes on', async () => {
    const { data } = await call('time_series', { periode: 'monat' });
    const { json } = await service.get('/v1/aggregations/zeitreihe?periode=monat');
    expect(data).toHaveLength(250);
    expect(data.at(-1)).toMatchObject({ periode: json.data.at(-1).periode });
  });

  test.each([20, 51, 100, 250])('leaves out no unit between pages of %i', async (limit) => {
    const numbers: string[] = [];
    for (let cursor: object = {}; ; ) {
      const { data, meta } = await call('list_units', { einheitTyp: ['combustion'], limit, ...cursor });
      numbers.push(...data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));
      if (!meta.page.hasMore) break;
      cursor = { cursor: meta.page.cursor };
    }
    const all = await withTables(folder.path, (sql) => count(sql, `einheitTyp = 'combustion'`));
    expect([new Set(numbers).size, numbers.length]).toEqual([all, all]);
  });

  test('takes each item of a list for one value, whatever commas it has', async () => {
    const { data } = await call('count_units', {
      groupBy: 'einheitTyp',
      weitere: { hauptbrennstoff: ['Erdgas, Erdölgas'] },
    });
    const truth = await withTables(folder.path, (sql) => count(sql, `hauptbrennstoff = 'Erdgas, Erdölgas'`));
    expect(truth).toBeGreaterThan(0);
    expect(data.totals.count).toBe(truth);
  });

  test('has a group of what has no value, with its key', async () => {
    const { data } = await call('count_units', { groupBy: 'hauptbrennstoff' });
    expect(data.groups[0].key).toBeNull();
  });

  test('to a spelling that no unit has suggests the one that was meant', async () => {
    expect((await call('list_units', { bundesland: ['Bayren'] })).meta.hinweise[0].vorschlag).toBe('Bayern');
  });
});

describe('what cannot be asked is refused in words, as a result that the assistant reads', () => {
  test.each([
    ['no_such_tool', {}, 'There is no tool no_such_tool. There are find_place, '],
    ['list_units', { quatsch: 1 }, 'list_units does not take quatsch. It takes einheitTyp, '],
    ['list_units', { weitere: { format: 'csv' } }, 'list_units does not take format'],
    ['list_units', { bundesland: { name: 'Bayern' } }, 'bundesland takes a text'],
    ['list_units', { leistungMinKw: 'viel' }, 'leistungMinKw must be a decimal number'],
    ['show_unit', {}, 'id is missing'],
    ['show_unit', { id: '../me' }, 'A parameter is not valid'],
    ['show_unit', { id: 'SEE900000000000' }, 'NOT_FOUND'],
    ['list_units', { einheitTyp: ['solar'], weitere: { einheitTyp: 'wind' } }, 'list_units takes einheitTyp once'],
    ['count_units', { weitere: 'bbox=1,2,3,4' }, 'weitere takes an object of filters by name'],
    ['compare_places', { orte: ['bundesland:Bayern'], bundesland: ['Hessen'] }, 'does not take bundesland'],
    ['compare_places', {}, 'orte takes 1 to 8 places'],
    ['compare_places', { orte: ['Bayern'] }, 'orte takes places as level:value'],
    ['compare_places', { orte: ['bundesland:Bayern'], leistungMinKw: 'viel' }, 'bundesland:Bayern'],
  ])('%s %j', async (name, given, words) => {
    await expect(call(name, given)).rejects.toThrow(words);
  });

  test('a message that is none, a batch, and another method are problems of the interface', async () => {
    const send = (body: unknown, method = 'POST') =>
      fetch(`${service.url}/mcp`, {
        method,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      });
    expect((await send({ hello: 1 })).status).toBe(400);
    expect((await send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).status).toBe(400);
    expect((await send(null, 'GET')).status).toBe(405);
  });
});

describe('rights and limits are those of the key', () => {
  test('without a key there is no door', async () => {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(401);
  });

  test('a key without the scope sees the tools, and is told what it lacks', async () => {
    const { text } = await makeKey(service.store, service.organisation, { scopes: ['portfolio:read'] });
    const limited = await connect(text);
    expect((await limited.listTools()).tools.length).toBeGreaterThan(10);
    const { isError, content } = await limited.callTool({ name: 'list_units', arguments: {} });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('MISSING_SCOPE');
    await limited.close();
  });

  test('each question counts as a call, and is in the audit log; the messages around it are not counted', async () => {
    const used = async () => (await service.get('/v1/usage')).json.data.requests.used;
    const before = await used();
    await client.listTools();
    await call('count_units', { groupBy: 'einheitTyp' });
    expect((await used()) - before).toBe(1);
  });
});

describe('over standard input and output', () => {
  const program = { command: process.execPath, args: ['api/mcp/main.ts'] };

  test('the same tools ask a service that is named, with a key of it', async () => {
    const here = new Client({ name: 'test', version: '1' });
    const env = { API: service.url, KEY: service.key, PATH: process.env.PATH ?? '' };
    await here.connect(new StdioClientTransport({ ...program, env }));
    expect(await here.listTools()).toEqual(await client.listTools());
    const { content } = await here.callTool({ name: 'count_units', arguments: { groupBy: 'einheitTyp' } });
    expect(JSON.stringify(content)).toContain('2026-11-01');
    await here.close();
  });

  test.each([
    [{ KEY: 'x', API: 'http://127.0.0.1:1' }, 'No service answers at http://127.0.0.1:1'],
    [{ STATE_DIR: '/nowhere' }, 'Set KEY to an API key: /nowhere/demo-key cannot be read'],
  ])('%j ends with what is missing', (env, words) => {
    const { status, stderr } = spawnSync(program.command, program.args, { env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(words) });
  });
});

test('texts explain the words', async () => {
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents).length).toBeGreaterThan(1000);
  }
  await expect(client.readResource({ uri: 'energy://nothing' })).rejects.toThrow('Resource not found');
});
