import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { callOperation, expectProblem } from '../support/requests.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** Answers as workbooks: every operation whose answer is a table. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TABLES = OPERATIONS.filter(({ table }) => table !== undefined);

/** Asks an operation by its example for a workbook. */
async function workbookOf({ method, path, example, body }: Operation, headers: Record<string, string> = {}) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example?.path?.[name] ?? '');
  const format = headers.Accept === undefined ? { format: 'xlsx' } : {};
  const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(example?.query)), ...format });
  const address = `${filled}${body === undefined && query.size > 0 ? `?${query}` : ''}`;
  const response = await fetch(service.url + address, {
    method,
    headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify({ ...Object(example?.body), ...format }) }),
  });
  const sheets = await readWorkbook(Buffer.from(await response.arrayBuffer()), { trim: false });
  const [data = [], source = []] = sheets.map((sheet) => sheet.data as unknown[][]);
  return {
    address,
    response,
    sheets: sheets.map(({ sheet }) => sheet),
    data,
    source: new Map(source as [string, unknown][]),
  };
}

describe.each(TABLES.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test('Accept and format ask for it; its cells are the values of JSON', async () => {
    const asked = await workbookOf(operation);
    expect([asked.response.status, asked.response.headers.get('content-type')]).toEqual([200, XLSX]);
    expect(asked.response.headers.get('content-disposition')).toBe(
      `attachment; filename="${operation.id.replaceAll('.', '-')}.xlsx"`,
    );
    expect(asked.sheets).toEqual(['Daten', 'Quelle']);
    const accepted = await workbookOf(operation, { Accept: XLSX });
    expect(accepted.response.headers.get('content-type')).toBe(XLSX);
    expect(accepted.data).toEqual(asked.data);

    const { json } = await callOperation(service, operation as Operation);
    const found = operation.table!.split('.').reduce((at, name) => at[name], json);
    const rows: Record<string, unknown>[] = Array.isArray(found) ? found : [found];
    const [names = [], ...cells] = asked.data;
    expect(cells).toHaveLength(rows.length);
    for (const [at, row] of rows.entries()) {
      for (const [column, name] of (names as string[]).entries()) {
        const value = name.split('.').reduce<unknown>((inside, step) => Object(inside)[step] ?? null, row);
        const cell = cells[at]?.[column];
        if (cell instanceof Date) expect(cell.toISOString().slice(0, 10)).toBe(value);
        else if (typeof value !== 'object') expect(cell).toBe(value === '' ? null : value);
      }
    }
  });

  test('names source, licence, day and request', async () => {
    const { address, response, source, data } = await workbookOf(operation);
    expect(source.get('Quelle')).toMatch(/^Bundesnetzagentur, .*Daten verändert: /);
    expect(source.get('Lizenz')).toEqual(expect.any(String));
    expect(source.get('Stand der Daten')).toEqual(expect.any(Date));
    expect(source.get('Anfrage')).toContain(`${operation.method} ${service.url}${address}`);
    expect(source.get('Zeilen')).toBe(data.length - 1);
    expect(response.headers.get('quelle')).toMatch(/^Bundesnetzagentur, /);
    expect(JSON.parse(response.headers.get('meta') ?? '')).toEqual(expect.any(Object));
  });

  if (operation.source !== 'service') {
    test('has its own entity tag; HEAD has the headers alone', async () => {
      const query = `${operation.example?.query}&format=xlsx`;
      const headers = { Accept: XLSX };
      const first = await callOperation(service, operation, { query, headers });
      const tag = first.headers.get('etag') ?? '';
      const csv = await callOperation(service, operation, { query: `${operation.example?.query}&format=csv` });
      expect(tag).not.toBe(csv.headers.get('etag'));
      const again = await callOperation(service, operation, { query, headers: { 'If-None-Match': tag } });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await callOperation(service, operation, { query, method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'content-disposition', 'quelle', 'meta', 'link']) {
        expect(head.headers.get(name)).toBe(first.headers.get(name));
      }
    });
  }
});

test('days, numbers and texts of units have their types; a further page is told and linked', async () => {
  const list = OPERATIONS.find(({ id }) => id === 'units.list') as Operation;
  const example = { query: 'fields=inbetriebnahmedatum,bruttoleistungKw,plz&limit=3' };
  const { data, source, response } = await workbookOf({ ...list, example } as Operation);
  expect(data[0]).toEqual(['mastrNummer', 'bruttoleistungKw', 'inbetriebnahmedatum', 'plz']);
  expect(
    data
      .slice(1)
      .every(
        ([id, power, day, plz]) =>
          [id, plz].every((text) => text === null || typeof text === 'string') &&
          (day === null || day instanceof Date) &&
          (power === null || typeof power === 'number'),
      ),
  ).toBe(true);
  expect(data.slice(1).some(([, , day]) => day instanceof Date)).toBe(true);
  expect(source.get('Weitere Seiten')).toMatch(/^ja/);
  expect(response.headers.get('link')).toMatch(/format=xlsx.*rel="next"/);
});

test('what is only for CSV is refused, and so is a workbook where there is no table', async () => {
  const refused = await service.get('/v1/units?format=xlsx&dialekt=excel');
  expectProblem(refused, 400, 'INVALID_PARAMETER');
  expect(refused.json.errors).toMatchObject([{ parameter: 'dialekt' }]);
  expectProblem(await service.get('/v1/datasets', { Accept: XLSX }), 406, 'NOT_ACCEPTABLE');
});

test('answers that are kept tell the request of each caller', async () => {
  const list = OPERATIONS.find(({ id }) => id === 'region.zeitreihe') as Operation;
  for (const query of ['periode=jahr&von=2020-01-01', 'von=2020-01-01&periode=jahr']) {
    const { source } = await workbookOf({ ...list, example: { query } } as Operation);
    expect(source.get('Anfrage')).toBe(`GET ${service.url}/v1/region/zeitreihe?${query}&format=xlsx`);
  }
});
