import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { callOperation, expectProblem } from '../support/requests.ts';
import { type ServiceResponse, type Subject, serveFixture } from '../support/service.ts';

/** Answers as CSV: every operation whose answer is a table, and what is particular to some. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const CSV = 'text/csv; charset=utf-8; header=present';
const TABLES = OPERATIONS.filter(({ table }) => table !== undefined);

const records = ({ text }: ServiceResponse, options = {}): string[][] => parse(text, { bom: true, ...options });
const metaOf = ({ headers }: ServiceResponse) => JSON.parse(headers.get('meta') ?? '');

/** Asks an operation by its example, with more parameters: in the query, or in the body if it takes one. */
function ask({ example, ...operation }: Operation, more: Record<string, unknown>, headers = {}) {
  if (operation.body !== undefined) {
    return callOperation(service, operation as Operation, { body: { ...Object(example?.body), ...more }, headers });
  }
  const query = new URLSearchParams(example?.query);
  for (const [name, value] of Object.entries(more)) query.set(name, String(value));
  return callOperation(service, { ...operation, example } as Operation, { query: String(query), headers });
}

test('lists of units, changes, regions, grids, aggregations, rules of plausibility, tenders, awards and values of reference are tables', () => {
  expect(TABLES.map(({ id }) => id)).toEqual([
    'units.list',
    'units.search',
    'aenderungen.list',
    'aenderungen.summe',
    'aggregations.show',
    'aggregations.zeitreihe',
    'qualitaet.show',
    'qualitaet.gruppen',
    'qualitaet.verlauf',
    'region.zeitreihe',
    'region.altersstruktur',
    'region.momentaufnahme',
    'netz.show',
    'netz.punkte',
    'netz.betreiber',
    'ausschreibungen.list',
    'ausschreibungen.zuschlaege',
    'reference.values',
  ]);
});

describe.each(TABLES.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test('Accept and format ask for it, and give the same', async () => {
    const [asked, accepted] = [
      await ask(operation, { format: 'csv' }),
      await ask(operation, {}, { Accept: 'text/csv; charset=utf-8, application/json;q=0.5' }),
    ];
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, CSV]);
    expect(asked.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
    expect([accepted.text, accepted.headers.get('content-type')]).toEqual([asked.text, CSV]);
    expect((await ask(operation, { format: 'json' }, { Accept: 'text/csv' })).json).toHaveProperty('data');
  });

  test('has a record of each row, and everything else in Meta', async () => {
    const [csv, json] = [await ask(operation, { format: 'csv' }), await ask(operation, {})];
    const rows = operation.table!.split('.').reduce((at, name) => at[name], json.json);
    const [names, ...seen] = records(csv);
    expect(seen).toHaveLength(Array.isArray(rows) ? rows.length : 1);
    // Nothing has changed in the one version that there is; test/api/history reads what does.
    if (operation.id.startsWith('aenderungen.')) return;
    expect(seen.length).toBeGreaterThan(0);
    const first = Array.isArray(rows) ? rows[0] : rows;
    for (const name of Object.keys(first).filter((name) => name !== 'links')) {
      expect(names!.some((column) => column === name || column.startsWith(`${name}.`))).toBe(true);
    }
    expect(metaOf(csv)).toMatchObject(json.json.meta);
    // Sums have no noise of the calculation: whole watts have six decimals in MW.
    expect(csv.text).not.toMatch(/\d\.\d{7}/);
  });

  test('names its source in a header, and in the last record where asked', async () => {
    const plain = await ask(operation, { format: 'csv' });
    expect(plain.headers.get('quelle')).toMatch(
      /^Bundesnetzagentur, (Marktstammdatenregister .*dl-de\/by-2-0\)|Ergebnisse der Ausschreibungen .*)\. Daten veraendert: [ -~]+$/,
    );
    expect(plain.text).not.toContain('Bundesnetzagentur,');
    const seen = records(await ask(operation, { format: 'csv', quelle: true }));
    expect(seen.slice(0, -1)).toEqual(records(plain));
    expect(seen.at(-1)![0]).toMatch(/^Quelle: Bundesnetzagentur.*Daten verändert: /);
    expect(seen.at(-1)!.slice(1).join('')).toBe('');
  });

  test('dialekt=excel: mark, semicolons, decimal commas, the same values', async () => {
    const [plain, excel] = [
      await ask(operation, { format: 'csv' }),
      await ask(operation, { format: 'csv', dialekt: 'excel' }),
    ];
    const bytes = await fetchedBytes(operation);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const numbers = (cells: string[][]) =>
      cells.map((row) => row.map((text) => text.replace(/^(-?\d+),(\d+)$/, '$1.$2')));
    expect(numbers(records(excel, { delimiter: ';' }))).toEqual(numbers(records(plain)));
  });

  async function fetchedBytes({ method, path, example, body }: Operation): Promise<Uint8Array> {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example?.path?.[name] ?? '');
    const query = body === undefined ? `?${example?.query}&format=csv&dialekt=excel` : '';
    const response = await fetch(service.url + filled + query, {
      method,
      headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json' },
      ...(body === undefined
        ? {}
        : { body: JSON.stringify({ ...Object(example?.body), format: 'csv', dialekt: 'excel' }) }),
    });
    return response.bytes();
  }

  test.each([{ dialekt: 'excel' }, { quelle: true }])('400: %o without CSV', async (more) => {
    const [name] = Object.keys(more);
    const refused = await ask(operation, more);
    expectProblem(refused, 400, 'INVALID_PARAMETER');
    const place = operation.body === undefined ? { parameter: name } : { pointer: `#/${name}` };
    expect(refused.json.errors).toMatchObject([
      { ...place, detail: `${name} is only for CSV; ask for it with format=csv, or with Accept: text/csv` },
    ]);
    expect((await ask(operation, more, { Accept: 'text/csv' })).status).toBe(200);
  });

  test('problems stay JSON', async () => {
    const refused = await ask(operation, { nonsense: 1 }, { Accept: 'text/csv' });
    expectProblem(refused, 400, 'UNKNOWN_PARAMETER');
  });

  if (operation.source !== 'service') {
    test('each form and dialect has its own entity tag', async () => {
      const forms = [{}, { format: 'csv' }, { format: 'csv', dialekt: 'excel' }, { format: 'csv', quelle: true }];
      const tags = new Set<string>();
      for (const form of forms) {
        const { headers } = await ask(operation, form);
        const tag = headers.get('etag')!;
        tags.add(tag);
        const again = await ask(operation, form, { 'If-None-Match': tag });
        expect([again.status, again.text]).toEqual([304, '']);
      }
      expect(tags.size).toBe(forms.length);
    });

    test('HEAD has the headers alone', async () => {
      const query = `${operation.example?.query}&format=csv`;
      const [get, head] = [
        await callOperation(service, operation, { query }),
        await callOperation(service, operation, { query, method: 'HEAD' }),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'quelle', 'meta', 'link']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    });
  }
});

describe('units', () => {
  const list = (query: string) => service.get(`/v1/units?format=csv&${query}`);
  const columns = async (query: string) => records(await list(query))[0]!;

  test('the columns are what was asked for, in the order of the catalogue, also when nothing is found', async () => {
    expect(await columns('fields=plz,name')).toEqual(['mastrNummer', 'name', 'plz']);
    expect(await columns('fields=name,links')).toEqual(['mastrNummer', 'name', 'links.self', 'links.app', 'links.map']);
    expect(await columns('bundesland=Nirgendwo&fields=plz')).toEqual(['mastrNummer', 'plz']);
    expect((await columns('fields=name&expand=netzbetreiber')).slice(2)).toEqual(
      ['mastrNummer', 'name', 'marktfunktion', 'bundesland', 'ort', 'anlagenAnzahl'].map(
        (name) => `expanded.netzbetreiber.${name}`,
      ),
    );
    const { token } = (await service.get('/v1/units?limit=250')).json.meta.sync;
    expect(await columns(`fields=name&syncToken=${token}`)).toEqual(['mastrNummer', 'name', 'geloescht']);
  });

  test('the values are those of the JSON answer, block by block', async () => {
    const query = 'include=standort,technik,netz,register&limit=250';
    const { json } = await service.get(`/v1/units?${query}`);
    const seen: Record<string, string>[] = parse((await list(query)).text, { columns: true });
    expect(seen).toHaveLength(json.data.length);
    for (const [index, row] of seen.entries()) {
      for (const [name, text] of Object.entries(row)) {
        const value = json.data[index][name];
        expect(text).toBe(Array.isArray(value) ? value.join(',') : String(value ?? ''));
      }
    }
  });

  test('pages are linked, with form and dialect, and make up the list', async () => {
    const pages: string[][] = [];
    let path: string | undefined = '/v1/units?format=csv&dialekt=excel&fields=name&limit=15';
    while (path !== undefined) {
      const page: ServiceResponse = await service.get(path);
      pages.push(...records(page, { delimiter: ';' }).slice(1));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      if (next !== undefined) expect(next).toMatch(/format=csv&dialekt=excel/);
      path = next?.slice(service.url.length);
    }
    const all = (await service.get('/v1/units?fields=name&limit=250')).json;
    expect(pages.map(([number]) => number)).toEqual(
      all.data.map(({ mastrNummer }: Record<string, string>) => mastrNummer),
    );
  });

  test('the search by POST links to the list, with form and dialect', async () => {
    const body = JSON.stringify({ format: 'csv', dialekt: 'excel', quelle: true, limit: 2 });
    const page = await service.send('POST', '/v1/units/search', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')![1]!;
    const second = await service.get(next.slice(service.url.length));
    expect(second.headers.get('content-type')).toBe(CSV);
    expect(records(second, { delimiter: ';' })).toHaveLength(4);
  });

  test('the audit log counts rows, not lines', async () => {
    const { headers } = await list('limit=7&quelle=true');
    const id = headers.get('x-request-id');
    await expect
      .poll(async () => {
        const { json } = await service.get('/v1/audit-log?limit=50');
        return json.data.find((row: { requestId: string }) => row.requestId === id)?.zeilen;
      })
      .toBe(7);
  });

  test('forms that there are not are refused by name', async () => {
    const { json } = await service.get('/v1/units?format=xls');
    expect(json.errors).toMatchObject([
      { parameter: 'format', detail: 'format must be one of json, geojson, csv, xlsx' },
    ]);
    expectProblem(await service.get('/v1/units', { Accept: 'application/pdf' }), 406, 'NOT_ACCEPTABLE');
    const { json: region } = await service.get('/v1/region/zeitreihe?format=geojson');
    expect(region.errors).toMatchObject([{ detail: 'format must be one of json, csv, xlsx' }]);
    expectProblem(await service.get('/v1/datasets', { Accept: 'text/csv' }), 406, 'NOT_ACCEPTABLE');
  });
});
