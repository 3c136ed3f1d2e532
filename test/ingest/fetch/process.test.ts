import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, test as base, expect, vi } from 'vitest';
import { ingest, ingestHere, startIngest, waitForExit } from '../../support/command.ts';
import { type ExportServer, type ResponseOverride, serveExports, status, tagOf } from '../../support/export-server.ts';
import { folderOfTests } from '../../support/exports.ts';
import { zipOf } from '../../support/zip.ts';

/** Processes that download: two at once, killed, stopped. */

const root = folderOfTests();
afterAll(() => root.remove());
let places = 0;

const NAME = 'Gesamtdatenexport_20261101_26.1.zip';
const CONTENT = zipOf([{ name: 'EinheitenWind.xml', content: Buffer.alloc(3_000_000, 'Wind '), method: 0 }]);
const RECEIVED = 1_000_000;

/** Sends the beginning and then waits until the one who asks has gone. */
const halfway: ResponseOverride = (response, content) => {
  response.writeHead(200, { ETag: tagOf(content), 'Content-Length': content.length });
  response.write(content.subarray(0, RECEIVED));
};

const test = base
  .extend('server', async ({ onTestFinished }): Promise<ExportServer> => {
    const server = await serveExports();
    onTestFinished(server.stop);
    server.put(`/${NAME}`, CONTENT);
    server.link(`/${NAME}`);
    return server;
  })
  .extend('state', () => join(root.path, `${places++}`))
  .extend('environment', ({ server }) => ({
    EXPORT_PAGE_URL: server.page,
    EXPORT_CONTACT: 'data@example.org',
    FETCH_PAUSE_SECONDS: '0',
    TODAY: '2026-11-01',
  }));

/** A process that has downloaded the first million bytes and waits for more. */
async function fetchingHalfway(server: ExportServer, state: string, environment: Record<string, string>) {
  server.override(`/${NAME}`, halfway);
  const child = startIngest(state, ['fetch'], environment);
  const end = waitForExit(child);
  const partial = join(state, 'exports', `${NAME}.partial`);
  await vi.waitFor(() => expect(statSync(partial).size).toBe(RECEIVED), { timeout: 60_000, interval: 50 });
  return { child, end };
}

const isComplete = (state: string) => expect(readFileSync(join(state, 'exports', NAME)).equals(CONTENT)).toBe(true);

test('a killed download is resumed by the next one', async ({ server, state, environment }) => {
  const { child, end } = await fetchingHalfway(server, state, environment);
  child.kill('SIGKILL');
  expect(await end).toMatchObject({ signal: 'SIGKILL' });
  expect(existsSync(join(state, 'exports', NAME))).toBe(false);
  const next = await ingest(state, ['fetch'], environment);
  expect(next).toMatchObject({ code: 0 });
  expect(next.out).toMatch(/^Downloaded .*Gesamtdatenexport_20261101_26\.1\.zip, export of 2026-11-01\. To build it: /);
  expect(server.requests.at(-1)).toEqual({
    path: `/${NAME}`,
    range: `bytes=${RECEIVED}-`,
    ifRange: tagOf(CONTENT),
    userAgent: 'energy-asset-data-service (data@example.org)',
  });
  isComplete(state);
});

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends it with exit code %i, and the next one resumes it',
  async ([signal, code], { server, state, environment }) => {
    const { child, end } = await fetchingHalfway(server, state, environment);
    child.kill(signal);
    expect(await end).toMatchObject({
      code,
      err: expect.stringContaining(
        `Stopped by ${signal}: what was downloaded so far is kept; the same command goes on from there.\n`,
      ),
    });
    expect((await ingestHere(state, ['fetch'], environment)).code).toBe(0);
    expect(server.requests.at(-1)).toMatchObject({ range: `bytes=${RECEIVED}-` });
    isComplete(state);
  },
);

test('the second of two is refused with exit code 4 and the name of the first', async ({
  server,
  state,
  environment,
}) => {
  const { child, end } = await fetchingHalfway(server, state, environment);
  for (const words of [['fetch'], ['fetch', '--url', `${server.url}/${NAME}`]]) {
    const second = await ingestHere(state, words, environment);
    expect(second).toMatchObject({ code: 4, out: '' });
    expect(second.err).toMatch(
      new RegExp(`^Another download is at work: process ${child.pid} on .* \\(download from http`),
    );
  }
  expect(server.count(`/${NAME}`)).toBe(1);
  child.kill('SIGTERM');
  expect((await end).code).toBe(143);
});

test('of several at the same time one downloads, and all get the file', async ({ server, state, environment }) => {
  const run = async (): Promise<number> => {
    const { code } = await ingest(state, ['fetch', '--json'], environment);
    if (code !== 4) return code!;
    await pause(100);
    return run();
  };
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
  expect(server.count(`/${NAME}`)).toBe(1);
  expect(server.mostAtOnce()).toBe(1);
});

test('a server that keeps failing ends it with exit code 1, and the message names the remedy', async ({
  server,
  state,
  environment,
}) => {
  server.override(`/${NAME}`, status(503), status(500));
  const result = await ingestHere(state, ['fetch'], { ...environment, FETCH_ATTEMPTS: '2' });
  expect(result).toMatchObject({ code: 1, out: '' });
  expect(result.err).toContain('waiting 0.0 s, since the server answers 503');
  expect(result.err).toMatch(
    /Gesamtdatenexport_20261101_26\.1\.zip: the server answers 500, 2 times in a row\. Run the command again later: it goes on there\.\n$/,
  );
});
