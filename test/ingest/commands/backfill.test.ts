import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestHere } from '../../support/command.ts';
import { dropAfter, type ExportServer, serveExports } from '../../support/export-server.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { buildIn, strayFiles } from '../../support/warehouse.ts';

/** The command backfill takes history from the exports of reference days. */

const folder = folderOfTests();
const state = join(folder.path, 'state');
const DAYS = ['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'] as const;
const pathOf = (day: string): string => `/Stichtag/Gesamtdatenexport_${day.replaceAll('-', '')}_26.1.zip`;
let server: ExportServer;

beforeAll(async () => {
  server = await serveExports();
  const newest = await generateExport(folder.path, '2026-11-01');
  const register = await RegisterExport.read(newest);
  register.shorten(20);
  for (const day of DAYS) server.put(pathOf(day), readFileSync(register.write(join(folder.path, 'older'), day)));
  server.put(`/${basename(newest)}`, readFileSync(newest));
  // The links of the page are in no order.
  server.link(pathOf(DAYS[2]), `/${basename(newest)}`, pathOf(DAYS[0]), pathOf(DAYS[3]), pathOf(DAYS[1]));
  await buildIn(state, register.write(join(folder.path, 'served'), '2026-11-01'));
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const backfill = (...words: string[]) =>
  ingestHere(state, ['backfill', ...words], {
    EXPORT_PAGE_URL: server.page,
    FETCH_PAUSE_SECONDS: '0',
    FETCH_ATTEMPTS: '2',
  });
const history = () => (existsSync(join(state, 'history')) ? readdirSync(join(state, 'history')).sort() : []);
const requestedPaths = () => server.requests.map(({ path }) => path).filter((path) => path.startsWith('/Stichtag/'));

describe('backfill', () => {
  it('adds exports from a day on, oldest first, one at a time, and keeps no file', async () => {
    server.override(pathOf(DAYS[2]), dropAfter(0), dropAfter(0));
    const result = await backfill('--from', '2026-02-01');
    expect(result.code).toBe(1);
    expect(result.out).toMatch(
      /^1 of 3: the history of \d+ units as of 2026-04-01 was taken in, the file was removed\n$/,
    );
    expect(result.err).toMatch(/2 times in a row\. Run the command again later/);
    expect(history()).toEqual(['2026-04-01.parquet']);
  });

  it('continues with the remaining exports when it is repeated', async () => {
    const before = requestedPaths().length;
    const result = await backfill('--from', '2026-02-01', '--json');
    expect(result).toMatchObject({ code: 0 });
    expect(requestedPaths().slice(before)).toEqual([pathOf(DAYS[2]), pathOf(DAYS[3])]);
    expect(JSON.parse(result.out.trimEnd().split('\n').at(-1)!)).toEqual({
      event: 'end',
      days: ['2026-07-01', '2026-10-01'],
    });
    expect(history()).toEqual(['2026-04-01.parquet', '2026-07-01.parquet', '2026-10-01.parquet']);
    expect(readdirSync(join(state, 'exports/stichtag'))).toEqual([]);
    expect(strayFiles(state).filter((path) => !path.startsWith('exports'))).toEqual([]);
    expect(server.mostAtOnce()).toBe(1);
  });

  it('has nothing to do when the history is complete', async () => {
    const before = requestedPaths().length;
    expect(await backfill('--from', '2026-02-01')).toMatchObject({ code: 0, out: 'Nothing to take in.\n' });
    expect(requestedPaths()).toHaveLength(before);
  });

  it('is refused while nothing is served', async () => {
    const result = await ingestHere(join(folder.path, 'blank'), ['backfill', '--from', '2026-01-01']);
    expect(result).toMatchObject({ code: 5, out: '' });
    expect(result.err).toMatch(/^Nothing is served yet that the history could be added to: npm run ingest -- nightly/);
  });

  it('fails when the page names no export of a reference day', async () => {
    server.link('/Gesamtdatenexport_20261101_26.1.zip');
    const result = await backfill('--from', '2026-01-01');
    expect(result).toMatchObject({ code: 1 });
    expect(result.err).toContain('names no export of a reference day');
  });
});
