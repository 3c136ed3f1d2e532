import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as base, describe, expect } from 'vitest';
import { downloadedExports, pruneExports } from '../../../ingest/fetch/exports.ts';
import { type FetchOptions, fetchExport } from '../../../ingest/fetch/fetch.ts';
import type { FetchPolicy } from '../../../ingest/fetch/request.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import {
  dropAfter,
  type ExportServer,
  htmlPage,
  ignoringIfRange,
  ignoringRanges,
  lyingBy,
  PAGE,
  pageOf,
  serveExports,
  silence,
  slowly,
  status,
  tagOf,
} from '../../support/export-server.ts';
import { folderOfTests } from '../../support/exports.ts';
import { zipOf } from '../../support/zip.ts';

/** The download against a server with which everything can go wrong. */

const root = folderOfTests();
afterAll(() => root.remove());
let places = 0;

const exportOf = (seed: number): Buffer =>
  zipOf([
    { name: 'EinheitenWind.xml', content: `<EinheitenWind>${`${seed} `.repeat(4000)}</EinheitenWind>`, method: 0 },
  ]);
const CONTENT = exportOf(1);
const OTHER = exportOf(2);
const DAY_ONE = '/Gesamtdatenexport_20261101_26.1.zip';
const DAY_TWO = '/Gesamtdatenexport_20261102_26.1.zip';

const policy: FetchPolicy = {
  userAgent: 'energy-asset-data-service (data@example.org)',
  attempts: 3,
  pauseMs: 1,
  idleTimeoutMs: 30_000,
  progress: silentProgress,
};

const test = base
  .extend('server', async ({ onTestFinished }): Promise<ExportServer> => {
    const server = await serveExports();
    onTestFinished(server.stop);
    server.put(DAY_ONE, CONTENT);
    server.link(DAY_ONE);
    return server;
  })
  .extend('folder', () => join(root.path, `${places++}`))
  .extend('fetching', ({ server, folder }) => (options: Partial<FetchOptions> = {}) => {
    const usual = { url: server.page, folder, today: '2026-11-01', policy, servedDay: null };
    return fetchExport({ ...usual, ...options });
  });

const inFolder = (folder: string): string[] => readdirSync(folder).sort();
const COMPLETE = [DAY_ONE.slice(1), `${DAY_ONE.slice(1)}.json`];

describe('a good download', () => {
  test('fetches the newest export that the page names, byte by byte', async ({ server, folder, fetching }) => {
    server.put(DAY_TWO, OTHER);
    server.link(DAY_TWO, DAY_ONE, '/Stichtag/Gesamtdatenexport_20261201_26.1.zip');
    const path = join(folder, DAY_TWO);
    expect(await fetching()).toEqual({
      name: DAY_TWO.slice(1),
      path,
      day: '2026-11-02',
      fresh: true,
      bytes: OTHER.length,
    });
    expect(readFileSync(path)).toEqual(OTHER);
    expect(downloadedExports(folder)).toMatchObject([{ path, downloadedOn: '2026-11-01', members: 1 }]);
    expect(server.requests.map(({ path: one }) => one)).toEqual([PAGE, DAY_TWO]);
    expect(new Set(server.requests.map(({ userAgent }) => userAgent))).toEqual(new Set([policy.userAgent]));
  });

  test('accepts the address of a zip as well', async ({ server, folder, fetching }) => {
    expect(await fetching({ url: server.url + DAY_ONE })).toMatchObject({ fresh: true, day: '2026-11-01' });
    expect(inFolder(folder)).toEqual(COMPLETE);
  });

  test('follows redirects, of the page and of the zip', async ({ server, folder, fetching }) => {
    server.put('/elsewhere/page', `<a href="..${DAY_ONE}">`);
    server.override(PAGE, status(302, { Location: '/elsewhere/page' }));
    server.override(DAY_ONE, status(307, { Location: '/cache/1' }));
    server.put('/cache/1', CONTENT);
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
  });

  test('is made once a day: the second call sends no request', async ({ server, fetching }) => {
    await fetching();
    const before = server.requests.length;
    server.put(DAY_TWO, OTHER);
    server.link(DAY_ONE, DAY_TWO);
    expect(await fetching()).toMatchObject({ name: DAY_ONE.slice(1), fresh: false });
    expect(server.requests).toHaveLength(before);
    expect(await fetching({ today: '2026-11-02' })).toMatchObject({ name: DAY_TWO.slice(1), fresh: true });
  });

  test('is asked for at an address that the caller named, whatever was downloaded today', async ({
    server,
    fetching,
  }) => {
    await fetching();
    server.put(DAY_TWO, OTHER);
    server.put('/mirror', pageOf([DAY_TWO]));
    expect(await fetching({ url: `${server.url}/mirror`, named: true })).toMatchObject({
      name: DAY_TWO.slice(1),
      fresh: true,
    });
    const before = server.requests.length;
    expect(await fetching({ url: server.url + DAY_ONE, named: true })).toMatchObject({ fresh: false });
    expect(server.requests).toHaveLength(before + 1);
  });

  test('that a named address has with other bytes than the file of its name is an error', async ({
    server,
    fetching,
  }) => {
    await fetching();
    server.put(`/mirror${DAY_ONE}`, exportOf(33));
    await expect(fetching({ url: `${server.url}/mirror${DAY_ONE}`, named: true })).rejects.toThrow(
      /different exports of one name/,
    );
  });

  test('by its address does not prevent the newest one of the day', async ({ server, fetching }) => {
    server.put(DAY_TWO, OTHER);
    server.link(DAY_ONE, DAY_TWO);
    await fetching({ url: server.url + DAY_ONE });
    expect(await fetching()).toMatchObject({ name: DAY_TWO.slice(1), fresh: true });
  });

  test('is not repeated when the page still names the export of yesterday', async ({ server, fetching }) => {
    await fetching();
    expect(await fetching({ today: '2026-11-02' })).toMatchObject({ name: DAY_ONE.slice(1), fresh: false });
    expect(server.count(DAY_ONE)).toBe(1);
  });

  test('is not made when the served version is as new', async ({ server, fetching }) => {
    expect(await fetching({ servedDay: '2026-11-01' })).toMatchObject({ day: '2026-11-01', path: null });
    expect(server.count(DAY_ONE)).toBe(0);
  });

  test('never replaces a good file from any source', async ({ server, folder, fetching }) => {
    mkdirSync(folder);
    writeFileSync(join(folder, DAY_ONE), OTHER);
    expect(await fetching()).toMatchObject({ fresh: false });
    expect(server.count(DAY_ONE)).toBe(0);
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(OTHER);
  });

  test('moves a file aside that is not a zip', async ({ folder, fetching }) => {
    mkdirSync(folder);
    writeFileSync(join(folder, DAY_ONE), '<!DOCTYPE html>');
    expect(await fetching()).toMatchObject({ fresh: true });
    expect(inFolder(folder)).toEqual([DAY_ONE.slice(1), `${DAY_ONE.slice(1)}.damaged`, `${DAY_ONE.slice(1)}.json`]);
  });
});

describe('a connection that breaks off', () => {
  test('resumes where it ended, as long as each attempt adds bytes', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, ...Array.from({ length: 6 }, () => dropAfter(1000)));
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
    // Bytes that arrive at the moment of the break may be lost; bytes on disk are not requested again.
    const ranges = server.requests.filter(({ path }) => path === DAY_ONE).map(({ range }) => range);
    expect(ranges).toHaveLength(7);
    expect(ranges.filter((range) => range !== undefined && range !== 'bytes=1000-').length).toBeGreaterThan(2);
    const starts = ranges.map((range) => Number(/\d+/.exec(range ?? '0')?.[0]));
    expect(starts.toSorted((one, other) => one - other)).toEqual(starts);
    expect(new Set(server.requests.slice(2).map(({ ifRange }) => ifRange))).toEqual(new Set([tagOf(CONTENT)]));
    expect(server.mostAtOnce()).toBe(1);
  });

  test('just before the last check is not downloaded again', async ({ server, folder, fetching }) => {
    await fetching();
    const path = join(folder, DAY_ONE);
    renameSync(path, `${path}.partial`);
    writeFileSync(
      `${path}.partial.json`,
      JSON.stringify({ url: server.url + DAY_ONE, validator: tagOf(CONTENT), length: CONTENT.length }),
    );
    expect(await fetching()).toMatchObject({ fresh: true });
    expect(server.count(DAY_ONE)).toBe(1);
    expect(readFileSync(path)).toEqual(CONTENT);
  });

  test.for([
    ['is no state', () => 'oops'],
    ['is of another address', () => ({ url: 'http://127.0.0.1/x.zip', validator: '"x"', length: 5000 })],
    ['has no validator', (url: string) => ({ url, validator: null, length: 5000 })],
    ['knows less than there is', (url: string) => ({ url, validator: '"x"', length: 3 })],
  ] as const)('whose state %s starts over', async ([, state], { server, folder, fetching }) => {
    const partial = join(folder, `${DAY_ONE}.partial`);
    mkdirSync(folder);
    writeFileSync(partial, 'PK and something else');
    writeFileSync(`${partial}.json`, JSON.stringify(state(server.url + DAY_ONE)));
    await fetching();
    expect(server.requests.at(-1)!.range).toBeUndefined();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
  });

  test('is given up when no more bytes come, and the next call resumes', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, dropAfter(1000), dropAfter(0), dropAfter(0));
    await expect(fetching()).rejects.toThrow(
      /the connection failed: .*, 3 times in a row\. Run the command again later/,
    );
    expect(inFolder(folder)).toEqual([`${DAY_ONE.slice(1)}.partial`, `${DAY_ONE.slice(1)}.partial.json`]);
    await fetching();
    expect(server.requests.at(-1)).toMatchObject({ range: 'bytes=1000-' });
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
    expect(inFolder(folder)).toEqual(COMPLETE);
  });

  test('starts over when the file has changed meanwhile', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, (response, content, request) => {
      dropAfter(1000)(response, content, request);
      server.put(DAY_ONE, OTHER);
    });
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(OTHER);
  });

  test('starts over when the server has changed the file and ignores If-Range', async ({
    server,
    folder,
    fetching,
  }) => {
    server.override(
      DAY_ONE,
      (response, content, request) => {
        dropAfter(1000)(response, content, request);
        server.put(DAY_ONE, OTHER);
      },
      ignoringIfRange,
    );
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(OTHER);
    expect(server.requests.slice(1).map(({ range }) => range)).toEqual([undefined, 'bytes=1000-', undefined]);
  });

  test('starts over with a server that ignores ranges', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, dropAfter(1000), ignoringRanges);
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
  });

  test('starts over when the server sends another range than requested', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, dropAfter(1000), (response, content) => {
      const place = `bytes 0-${content.length - 1}/${content.length}`;
      response.writeHead(206, { 'Content-Range': place }).end(content);
    });
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
  });

  test('to the page is retried as well', async ({ server, fetching }) => {
    server.override(PAGE, (response) => response.destroy(), status(502));
    expect(await fetching()).toMatchObject({ fresh: true });
  });
});

describe('a server that sends a wrong length', () => {
  test('that is too large: given up, never complete', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, lyingBy(500), lyingBy(500), lyingBy(500), lyingBy(500));
    await expect(fetching()).rejects.toThrow(/3 times in a row/);
    expect(existsSync(join(folder, DAY_ONE))).toBe(false);
  });

  test('that is too small: the bytes are not a complete zip and are discarded', async ({
    server,
    folder,
    fetching,
  }) => {
    server.override(DAY_ONE, lyingBy(-500));
    await expect(fetching()).rejects.toThrow(/is no complete export and was removed: .* is no complete zip/);
    expect(inFolder(folder)).toEqual([]);
    expect(await fetching()).toMatchObject({ fresh: true });
  });
});

describe('a slow server', () => {
  test('is waited for, also when it sends no length', async ({ server, folder, fetching }) => {
    server.override(DAY_ONE, slowly);
    await fetching();
    expect(readFileSync(join(folder, DAY_ONE))).toEqual(CONTENT);
  });

  test('is given up when it sends nothing', async ({ server, fetching }) => {
    server.override(DAY_ONE, silence, silence, silence);
    await expect(fetching({ policy: { ...policy, idleTimeoutMs: 400 } })).rejects.toThrow(
      /the server is silent for 0\.4 s, 3 times in a row/,
    );
  });

  test('that sends Retry-After is not called before then', async ({ server, fetching }) => {
    server.override(DAY_ONE, status(503, { 'Retry-After': '1' }));
    const stages: string[] = [];
    const progress = { ...silentProgress, stage: (name: string) => stages.push(name) };
    await fetching({ policy: { ...policy, progress } });
    expect(stages).toContain('waiting 1.0 s, since the server answers 503');
    expect(server.count(DAY_ONE)).toBe(2);
  });

  test('that sends a long Retry-After is given up at once', async ({ server, fetching }) => {
    server.override(DAY_ONE, status(503, { 'Retry-After': new Date(Date.now() + 7_200_000).toUTCString() }));
    await expect(fetching()).rejects.toThrow(/the server answers 503 and asks to come back in 1(19|20) min/);
    expect(server.count(DAY_ONE)).toBe(1);
  });
});

describe('not an export', () => {
  test('an HTML page under the name of the zip is refused at once and leaves nothing', async ({
    server,
    folder,
    fetching,
  }) => {
    server.override(DAY_ONE, htmlPage);
    await expect(fetching()).rejects.toThrow(/is no export: it begins with "<!DOCTYPE html>/);
    expect(server.count(DAY_ONE)).toBe(1);
    expect(inFolder(folder)).toEqual([]);
  });

  test('a zip without a file of the register', async ({ server, folder, fetching }) => {
    server.put(DAY_ONE, zipOf([{ name: 'readme.txt', content: 'Guten Tag' }]));
    await expect(fetching()).rejects.toThrow(/holds no XML file of an export/);
    expect(inFolder(folder)).toEqual([]);
  });

  test('a page without links', async ({ server, fetching }) => {
    server.link();
    await expect(fetching()).rejects.toThrow(/names no daily export/);
  });

  test.for([
    [404, /answers 404\. The register takes daily files away/],
    [403, /answers 403\. The register may have blocked/],
  ] as const)('status %i is not retried', async ([code, message], { server, fetching }) => {
    server.override(DAY_ONE, status(code));
    await expect(fetching()).rejects.toThrow(message);
    expect(server.count(DAY_ONE)).toBe(1);
  });

  test('an endless page', async ({ server, fetching }) => {
    server.put(PAGE, Buffer.alloc(6_000_000, ' '));
    await expect(fetching()).rejects.toThrow(/is no page: it has more than 5 MB/);
  });
});

describe('pruning', () => {
  test('keeps the newest downloads, and files from other sources', async ({ server, folder, fetching }) => {
    mkdirSync(folder);
    const own = 'Gesamtdatenexport_20250101_24.2.zip';
    writeFileSync(join(folder, own), CONTENT);
    writeFileSync(join(folder, `${own}.json`), 'a note of somebody');
    for (const day of ['01', '02', '03']) {
      server.put(`/Gesamtdatenexport_202611${day}_26.1.zip`, CONTENT);
      server.link(`/Gesamtdatenexport_202611${day}_26.1.zip`);
      await fetching({ today: `2026-11-${day}` });
    }
    writeFileSync(join(folder, 'Gesamtdatenexport_20261102_26.2.zip.partial'), 'PK');
    writeFileSync(join(folder, 'Gesamtdatenexport_20261104_26.2.zip.partial'), 'PK');
    expect(pruneExports(folder, 1)).toEqual([
      'Gesamtdatenexport_20261101_26.1.zip',
      'Gesamtdatenexport_20261102_26.1.zip',
      'Gesamtdatenexport_20261102_26.2.zip.partial',
    ]);
    expect(inFolder(folder)).toEqual([
      own,
      `${own}.json`,
      'Gesamtdatenexport_20261103_26.1.zip',
      'Gesamtdatenexport_20261103_26.1.zip.json',
      'Gesamtdatenexport_20261104_26.2.zip.partial',
    ]);
  });
});
