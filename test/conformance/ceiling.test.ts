import { afterAll, beforeAll, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { makeCaller } from '../support/organisation.ts';
import { type ServiceResponse, type Subject, serve } from '../support/service.ts';

/** Pagination ends at 10,000 rows, and says so (interface.md, Limits). */

const folder = temporaryFolder();
let service: Subject;

beforeAll(async () => {
  await buildVersion(folder.path, '20260314-0001', async (connection) => {
    await connection.run(`INSERT INTO units BY NAME
      SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'solar' AS einheitTyp, 35 AS statusId,
        i % 7 AS bruttoleistungKw, CASE WHEN i < 10000 THEN 'Bayern' ELSE 'Hessen' END AS bundesland, 1 AS region
      FROM range(10050) AS zahlen(i)`);
  });
  publish(folder.path, '20260314-0001', 'build', new Date());
  service = await serve(folder.path);
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

async function readPages(query: string) {
  const numbers = new Set<string>();
  let response: ServiceResponse = await service.get(`/v1/units?${query}`);
  for (let pages = 1; ; pages++) {
    for (const unit of response.json.data) numbers.add(unit.mastrNummer);
    const { page } = response.json.meta;
    if (page.cursor === null) {
      const { hinweise } = response.json.meta;
      return { pages, numbers: numbers.size, last: page, link: response.headers.get('link'), hinweise };
    }
    response = await service.get(`/v1/units?${query}&cursor=${encodeURIComponent(page.cursor)}`);
  }
}

test('the page that reaches the ceiling ends there, is marked, and has no cursor', async () => {
  const { pages, numbers, last, link, hinweise } = await readPages('limit=240&sort=bruttoleistungKw:desc');
  expect({ pages, numbers }).toEqual({ pages: 42, numbers: 10_000 });
  expect(last).toEqual({ count: 160, hasMore: false, cursor: null, total: 10_050, truncated: true });
  expect(link).not.toContain('rel="next"');
  const hinweis = expect.stringMatching(
    /^The list ends after 10000 of 10050 units: .* each landkreis; .* ask the operator/,
  );
  expect(hinweise).toEqual([{ parameter: 'limit', wert: '10000', hinweis }]);
});

test('a delta that reaches the ceiling says so, and leads to the dumps where the key may read them', async () => {
  const own = await serve(folder.path, { DUMPS_DIR: folder.path });
  try {
    const key = await makeCaller(own.store, { limits: { dumps: true } });
    let path = '/v1/units?limit=250&updatedSince=2026-08-11T00:00:00Z';
    for (;;) {
      const { json } = await own.get(path, { 'X-API-Key': key });
      const { page, hinweise } = json.meta;
      if (page.cursor !== null) {
        path = `/v1/units?limit=250&updatedSince=2026-08-11T00:00:00Z&cursor=${encodeURIComponent(page.cursor)}`;
        continue;
      }
      expect(hinweise).toEqual([
        { parameter: 'limit', wert: '10000', hinweis: expect.stringContaining(`dump of all units: ${own.url}/dumps`) },
      ]);
      return;
    }
  } finally {
    await own.stop();
  }
});

test('a list of exactly 10,000 is complete', async () => {
  const { numbers, last, hinweise } = await readPages('limit=250&bundesland=Bayern');
  expect(hinweise).toBeUndefined();
  expect(numbers).toBe(10_000);
  expect(last).toEqual({ count: 250, hasMore: false, cursor: null, total: 10_000, truncated: false });
});
