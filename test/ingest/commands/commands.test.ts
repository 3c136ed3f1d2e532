import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentPublication, listVersions, publications, versionFolder } from '../../../sql/warehouse/versions.ts';
import { publishExport } from '../../support/built.ts';
import { ingestHere, type ProcessResult, startIngest } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { buildIn, queryServed, served, strayFiles } from '../../support/warehouse.ts';

const folder = folderOfTests();
const sources: string[] = [];
let empty: string;

beforeAll(async () => {
  const register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
  register.shorten(30);
  for (const day of ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']) {
    sources.push(register.write(join(folder.path, 'sources'), day));
  }
  for (const document of register.starting('Einheiten')) document.records = [];
  empty = register.write(join(folder.path, 'empty'), '2026-11-05');
});

afterAll(() => folder.remove());

const json = <T>({ out }: ProcessResult): T => JSON.parse(out) as T;

describe('before anything was built', () => {
  const nothing = join(folder.path, 'nothing');

  it.each([
    [['status'], 0, /^Nothing is served yet\.\nNo build is at work\.\n0 versions in /],
    [['versions'], 0, /^No versions in /],
    [['report'], 5, /^Nothing is served yet, so there is no report\.\n$/],
    [
      ['report', '20261101-0001'],
      5,
      /^There is no version 20261101-0001\. Those there are: npm run ingest -- versions/,
    ],
    [['rebuild'], 5, /^Nothing is served yet\. Build an export: npm run ingest -- build <export>\n$/],
    [['publish', '20261101-0001'], 5, /^There are no versions in /],
    [['rollback'], 5, /^There are no versions in /],
    [['prune'], 5, /^There are no versions in /],
    [['erase', 'ABR000000000000'], 5, /^No row of ABR000000000000 is known, neither a present nor a former one/],
    [['verify', '20261101-0001'], 5, /^There is no version 20261101-0001\. Those there are/],
    [['table', 'nep', 'none.csv'], 5, /none\.csv cannot be read/],
    [['table', '--clear'], 2, /takes the name of the table/],
    [
      ['places'],
      0,
      /^The product has the list of 2026-02-28: 10,943 municipalities, 83,577,140 inhabitants on 2024-12-31\n$/,
    ],
    [['places', '--clear'], 0, /^No list was loaded; the product has the list of 2026-02-28/],
    [['places', 'none.txt'], 5, /none\.txt cannot be read/],
    [['places', 'list.csv', '--clear'], 2, /--clear takes no file/],
    [['build', 'none.zip'], 5, /There is no file or folder none\.zip/],
    [['build', 'none.zip', '--backfill'], 5, /There is no file or folder none\.zip/],
  ])('%j reports it', async (words, code, text) => {
    const result = await ingestHere(nothing, words);
    expect(result).toMatchObject({ code });
    expect(result.out + result.err).toMatch(text);
  });

  it('status and versions report it in JSON', async () => {
    expect(json(await ingestHere(nothing, ['status', '--json']))).toEqual({
      served: null,
      changes: null,
      madeFrom: null,
      building: null,
      versions: 0,
      nights: [],
    });
    expect(json(await ingestHere(nothing, ['versions', '--json']))).toEqual([]);
  });
});

describe('three versions', () => {
  const warehouse = join(folder.path, 'three');
  const [one, two, three] = ['20261101-0001', '20261102-0002', '20261103-0003'] as const;

  beforeAll(async () => {
    await publishExport(warehouse, sources[0]!);
    for (const source of sources.slice(1, 3)) await buildIn(warehouse, source);
  });

  it('status names the served version and the process at work', async () => {
    const status = await ingestHere(warehouse, ['status']);
    expect(status.out).toMatch(
      /^Served: 20261103-0003, export of 2026-11-03, published 20[0-9T:.-]+Z by build\nAgainst the version before it: no unit new, changed or gone\nIt was made out of 20261102-0002: \d+ units computed\nNo build is at work\.\n3 versions/,
    );
    expect(json(await ingestHere(warehouse, ['status', '--json']))).toMatchObject({
      served: { version: three, sequence: 3, exportDay: '2026-11-03', cause: 'build' },
      building: null,
      versions: 3,
    });
  });

  it('versions lists them and marks the served one', async () => {
    const listed = (await ingestHere(warehouse, ['versions'])).out.trimEnd().split('\n');
    expect(listed.map((line) => line.slice(0, 15))).toEqual([`  ${one}`, `  ${two}`, `* ${three}`]);
    const rows = json<{ id: string; served: boolean; units: number; publishedAt: string | null }[]>(
      await ingestHere(warehouse, ['versions', '--json']),
    );
    const { units } = (await served(warehouse))!;
    expect(rows.map(({ id, served: is, units: n }) => [id, is, n])).toEqual([
      [one, false, units],
      [two, false, units],
      [three, true, units],
    ]);
    expect(rows.every(({ publishedAt }) => publishedAt !== null)).toBe(true);
  });

  it('report prints the served version or the named one', async () => {
    expect((await ingestHere(warehouse, ['report'])).out).toMatch(
      /^Version 20261103-0003 from .*, export of 2026-11-03/,
    );
    expect(json(await ingestHere(warehouse, ['report', one, '--json']))).toMatchObject({
      version: one,
      previousVersion: null,
      failedChecks: [],
    });
  });

  it.each([['report'], ['publish'], ['rollback']])('%s of an unknown version exits with 5', async (command) => {
    const result = await ingestHere(warehouse, [command, '20200101-0009']);
    expect(result).toMatchObject({ code: 5, out: '' });
    expect(result.err).toBe('There is no version 20200101-0009. Those there are: npm run ingest -- versions\n');
  });

  it('rollback serves the version before, and then the one before that', async () => {
    expect(await ingestHere(warehouse, ['rollback'])).toMatchObject({
      code: 0,
      out: `Serving ${two} again (was ${three})\n`,
    });
    expect((await served(warehouse))!.version).toBe(two);
    expect(json(await ingestHere(warehouse, ['rollback', '--json']))).toMatchObject({
      version: one,
      cause: 'rollback',
    });
    expect(await ingestHere(warehouse, ['rollback'])).toMatchObject({
      code: 5,
      err: 'There is no earlier version to go back to.\n',
    });
    expect((await served(warehouse))!.version).toBe(one);
  });

  it('rollback serves the named version, also a later one, but not the served one', async () => {
    expect((await ingestHere(warehouse, ['rollback', one])).err).toBe(`${one} is the version served\n`);
    expect((await ingestHere(warehouse, ['rollback', three])).code).toBe(0);
    expect((await served(warehouse))!.version).toBe(three);
    expect(publications(warehouse).map(({ version, cause }) => `${version} ${cause}`)).toEqual([
      `${one} build`,
      `${two} build`,
      `${three} build`,
      `${two} rollback`,
      `${one} rollback`,
      `${three} rollback`,
    ]);
    expect((await ingestHere(warehouse, ['publish', three])).err).toBe(`${three} is the version served\n`);
  });

  it('erase refuses a number that exists nowhere, and its list says of how many rows each is', async () => {
    const [unit] = await queryServed<{ mastrNummer: string }>(warehouse, 'SELECT mastrNummer FROM units LIMIT 1');
    const { mastrNummer } = unit!;
    expect(await ingestHere(warehouse, ['erase', 'ABR000000000000'])).toMatchObject({ code: 5, out: '' });
    expect(await ingestHere(warehouse, ['erase', mastrNummer, '--by', 'a test'])).toMatchObject({ code: 0 });
    expect((await ingestHere(warehouse, ['erase'])).out).toMatch(
      new RegExp(`^${mastrNummer}  .*  a test  hidden in 0 former rows; the next build takes it out\n$`),
    );
  });

  it('build --from-nothing takes nothing over from the version before', async () => {
    const copy = join(folder.path, 'from-nothing');
    cpSync(warehouse, copy, { recursive: true });
    const result = await ingestHere(copy, ['build', sources[3]!, '--from-nothing']);
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('built from nothing: asked for') });
    const { madeFrom } = json<{ madeFrom: unknown }>(await ingestHere(copy, ['report', '--json']));
    expect(madeFrom).toMatchObject({ version: null, affected: null, reason: 'asked for', nights: 0 });
  });

  it('versions that failed their checks displace no version that was served', async () => {
    for (let night = 0; night < 2; night++) await buildIn(warehouse, empty);
    const ids = () => listVersions(warehouse).map(({ id }) => id);
    expect(ids()).toEqual([one, two, three, '20261105-0004', '20261105-0005']);
    expect((await ingestHere(warehouse, ['versions'])).out).toContain(
      '20261105-0005  0 units  not published: The export holds no units',
    );
    expect((await ingestHere(warehouse, ['rollback', '20261105-0005'])).err).toBe(
      '20261105-0005 was never served. To serve it: npm run ingest -- publish 20261105-0005\n',
    );
    await buildIn(warehouse, sources[3]!);
    // Those served last: two was withdrawn before one was gone back to. The failed versions were built upon a version that is
    // no longer served.
    expect(ids()).toEqual([one, three, '20261104-0006']);
  });

  it('prune keeps the newest and never removes the one served', async () => {
    expect((await ingestHere(warehouse, ['rollback', one])).code).toBe(0);
    expect(json(await ingestHere(warehouse, ['prune', '--keep', '2', '--json']))).toEqual({ removed: [three] });
    expect(await ingestHere(warehouse, ['prune', '--keep', '1'])).toMatchObject({
      code: 0,
      out: 'Removed 20261104-0006\n',
    });
    expect((await ingestHere(warehouse, ['prune'])).out).toBe('Nothing to remove\n');
    expect((await served(warehouse))!.version).toBe(one);
    expect(strayFiles(warehouse)).toEqual([]);
    expect(existsSync(versionFolder(warehouse, three))).toBe(false);
    // Numbers are never reused, even when their versions are gone.
    const { report } = await buildIn(warehouse, sources[3]!);
    expect(report.version).toBe('20261104-0007');
  });
});

describe('two builds at a time', () => {
  it('the second one exits with 4 and names the process of the first', async () => {
    const warehouse = join(folder.path, 'two');
    await publishExport(warehouse, sources[0]!);
    const first = startIngest(warehouse, ['build', sources[1]!]);
    const end = new Promise((resolve) => first.on('close', resolve));
    await new Promise((resolve) => first.stderr!.once('data', resolve));
    const before = currentPublication(warehouse);
    const build = await ingestHere(warehouse, ['build', sources[2]!]);
    const prune = await ingestHere(warehouse, ['prune']);
    const status = await ingestHere(warehouse, ['status']);
    for (const { code, err } of [build, prune]) {
      expect(code).toBe(4);
      expect(err).toMatch(
        new RegExp(`Another build is at work: process ${first.pid} on .*, since 20.*Z \\(build of ${sources[1]}\\)`),
      );
    }
    expect(status.out).toContain(`At work: process ${first.pid} since`);
    expect(currentPublication(warehouse)).toEqual(before);
    expect(await end).toBe(0);
    expect((await served(warehouse))!.version).toBe('20261102-0002');
    expect(strayFiles(warehouse)).toEqual([]);
  });
});

describe('the command line', () => {
  const anywhere = join(folder.path, 'anywhere');

  it.each([
    [],
    ...['build', 'ensure', 'status', 'versions', 'report', 'publish', 'rollback', 'prune'].map((name) => [name]),
    ...['fetch', 'nightly', 'schedule', 'backfill'].map((name) => [name]),
  ])('has help for %s', async (...command) => {
    const result = await ingestHere(anywhere, [...command, '--help']);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toContain(`Usage: npm run ingest -- ${command.join(' ')}`.trimEnd());
    if (!['ensure', 'schedule'].includes(command[0] ?? 'ensure')) expect(result.out).toContain('--json');
  });

  it.each([
    [['build'], "missing required argument 'export'"],
    [['build', 'a.zip', '--quickly'], "unknown option '--quickly'"],
    [['build', 'a.zip', '--day', '2026-02-30'], '2026-02-30 is no calendar day YYYY-MM-DD'],
    [['prune', '--keep', '0'], '0 is no whole number above 0'],
    [['prune', '--keep', 'x'], 'x is no whole number above 0'],
    [['biuld'], "unknown command 'biuld'"],
    [['fetch', '--url', 'ftp://example.org/x.zip'], 'ftp://example.org/x.zip is no http or https address'],
    [['nightly', '--slot', 'tonight'], 'tonight is no time such as 2026-11-01T03:30:00Z'],
    [['backfill'], 'backfill takes older exports, or --from <YYYY-MM-DD> for those that the page names'],
    [['backfill', '--from', '2023-04-31'], '2023-04-31 is no calendar day YYYY-MM-DD'],
    [['status', 'now'], 'too many arguments'],
  ])('refuses %j with exit code 2', async (words, text) => {
    const result = await ingestHere(anywhere, words);
    expect(result.code).toBe(2);
    expect(result.err).toContain(text);
  });

  it('refuses an invalid environment with exit code 2', async () => {
    const result = await ingestHere(anywhere, ['status'], { BAND_GROW: 'much' });
    expect(result.code).toBe(2);
    expect(result.err).toContain('BAND_GROW: "much" must be a share such as 0.05');
  });

  it('refuses an invalid schedule with exit code 2', async () => {
    const result = await ingestHere(anywhere, ['schedule'], { INGEST_SCHEDULE: '61 4 * * *' });
    expect(result.code).toBe(2);
    expect(result.err).toContain('INGEST_SCHEDULE: "61 4 * * *" is no cron expression such as 30 4 * * *');
  });
});
