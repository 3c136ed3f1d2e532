import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readNights } from '../../../runtime/nightly-record.ts';
import { listVersions } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { ingestHere, startIngest, waitForExit } from '../../support/command.ts';
import { type ExportServer, htmlPage, PAGE, serveExports, silence, status } from '../../support/export-server.ts';
import { folderOfTests, generateDays, RegisterExport } from '../../support/exports.ts';
import { served, strayFiles } from '../../support/warehouse.ts';
import { zipOf } from '../../support/zip.ts';

/** Nightly runs over generated exports: publication, failures, further tries, and the record of them. */

const folder = folderOfTests();
const exports: string[] = [];
let server: ExportServer;
let empty: Buffer;

beforeAll(async () => {
  server = await serveExports();
  exports.push(...(await generateDays(folder.path, 2)));
  for (const path of exports) server.put(`/${basename(path)}`, readFileSync(path));
  const register = await RegisterExport.read(exports[1]!);
  for (const document of register.starting('Einheiten')) document.records = [];
  empty = register.zip();
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const link = (index: number): string => `/${basename(exports[index]!)}`;

const environment = (day: string, more: Record<string, string> = {}): Record<string, string> => ({
  EXPORT_PAGE_URL: server.page,
  FETCH_PAUSE_SECONDS: '0',
  FETCH_ATTEMPTS: '2',
  TODAY: day,
  ...more,
});

describe('two nights', () => {
  const state = join(folder.path, 'two');
  const nightly = (day: string, ...words: string[]) => ingestHere(state, ['nightly', ...words], environment(day));
  const last = () => readNights(state).at(-1)!;

  it('the first one fetches, builds, checks, publishes, prunes and reports', async () => {
    server.link(link(0));
    const result = await nightly('2026-11-01');
    expect(result).toMatchObject({ code: 0 });
    expect(result.out.match(/^[a-z]+(?=: )/gm)).toEqual(['fetch', 'build', 'check', 'publish', 'prune', 'report']);
    expect(result.out).toMatch(/\nPublished 20261101-0001 from Gesamtdatenexport_20261101_26\.1\.zip\n$/);
    expect((await served(state))!.version).toBe('20261101-0001');
    expect(last()).toMatchObject({ outcome: 'published', failedStep: null, exitCode: 0, slot: null });
  });

  it('succeeds and reports that there is nothing new', async () => {
    const before = server.count(link(0));
    const sameDay = await nightly('2026-11-01');
    const nextDay = await nightly('2026-11-02');
    for (const { code, out } of [sameDay, nextDay]) {
      expect(code).toBe(0);
      expect(out).toContain('Nothing new: the newest export is Gesamtdatenexport_20261101_26.1.zip, of 2026-11-01');
    }
    expect(server.count(link(0))).toBe(before);
    expect(listVersions(state)).toHaveLength(1);
    expect(last()).toMatchObject({ outcome: 'nothing new', exitCode: 0 });
  });

  it.each([
    ['a page without links', () => server.link(), 1, /names no daily export/],
    [
      'a page that stays away',
      () => server.override(PAGE, status(500), status(502)),
      1,
      /answers 502, 2 times in a row/,
    ],
    ['an HTML page as the zip', () => htmlAsZip(), 6, /is no export: it begins with/],
  ])('fails in its step fetch at %s, and keeps the served version', async (_, prepare, code, message) => {
    prepare();
    const result = await nightly('2026-11-02');
    expect(result).toMatchObject({ code });
    expect(result.err).toMatch(message);
    expect(last()).toMatchObject({ outcome: 'failed', failedStep: 'fetch', exitCode: code });
    expect(last().message).toMatch(message);
    expect((await served(state))!.version).toBe('20261101-0001');
    expect((await ingestHere(state, ['status'])).out).toContain(`FAILED in its step fetch (exit code ${code}): `);
  });

  function htmlAsZip() {
    server.link(link(0), link(1));
    server.override(link(1), htmlPage);
  }

  it('fails in its step build when a member is damaged, and the next try downloads the file anew', async () => {
    server.link(link(1));
    const sound = readFileSync(exports[1]!);
    const damaged = Buffer.from(sound);
    damaged.fill(0, 200_000, 200_400);
    server.put(link(1), damaged);
    const result = await nightly('2026-11-02');
    expect(result).toMatchObject({ code: 6 });
    expect(result.err).toMatch(/is damaged: .*It is kept as Gesamtdatenexport_20261102_26\.1\.zip\.damaged and will/);
    expect(last()).toMatchObject({ outcome: 'failed', failedStep: 'build', exitCode: 6 });
    server.put(link(1), sound);
  });

  it('fails in its step check with exit code 3, and names the command that serves it anyway', async () => {
    server.put('/Gesamtdatenexport_20261102_26.0.zip', empty);
    const url = `${server.url}/Gesamtdatenexport_20261102_26.0.zip`;
    const result = await nightly('2026-11-02', '--url', url);
    expect(result).toMatchObject({ code: 3 });
    expect(result.out).toContain('To serve it all the same: npm run ingest -- publish 20261102-0002 --force');
    expect(last()).toMatchObject({ outcome: 'failed', failedStep: 'check', exitCode: 3 });
    expect((await served(state))!.version).toBe('20261101-0001');
  });

  it('the second one publishes the next export, and removes old files', async () => {
    const result = await ingestHere(state, ['nightly', '--json'], environment('2026-11-03', { KEEP_EXPORTS: '1' }));
    expect(result).toMatchObject({ code: 0 });
    const events = result.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(events.filter(({ event }) => event === 'step').map(({ step }) => step)).toHaveLength(6);
    expect(events.find(({ step }) => step === 'prune')!.text).toContain('Gesamtdatenexport_20261101_26.1.zip');
    expect(events.at(-1)).toMatchObject({
      event: 'night',
      text: expect.stringMatching(/^Published 20261102-0003 from \S+: 0 new, [1-9]\d* changed, 0 gone$/),
    });
    expect((await served(state))!.version).toBe('20261102-0003');
  });
});

describe('a night that is killed', () => {
  it('counts as failed, and the next one runs', async () => {
    const state = join(folder.path, 'killed');
    await publishRegister(state);
    server.link(link(0));
    server.override(PAGE, silence);
    const asked = server.count(PAGE);
    const child = startIngest(state, ['nightly'], environment('2026-11-01'));
    const end = waitForExit(child);
    await vi.waitFor(() => expect(readNights(state)).toMatchObject([{ outcome: 'running' }]), { timeout: 60_000 });
    // The silence is for this night: the next one would wait in it.
    await vi.waitFor(() => expect(server.count(PAGE)).toBeGreaterThan(asked), { timeout: 60_000 });
    const second = await ingestHere(state, ['nightly'], environment('2026-11-01'));
    expect(second).toMatchObject({ code: 4 });
    expect(second.err).toMatch(
      new RegExp(`^Another nightly run is at work: process ${child.pid} on .* \\(nightly run\\)`),
    );
    child.kill('SIGKILL');
    await end;
    expect(readNights(state)).toMatchObject([
      { outcome: 'failed', failedStep: 'fetch', message: 'The process was killed in its step fetch.', exitCode: null },
    ]);
    expect(await ingestHere(state, ['nightly'], environment('2026-11-01'))).toMatchObject({ code: 0 });
    expect(readNights(state).map(({ outcome }) => outcome)).toEqual(['failed', 'nothing new']);
  });
});

describe('the schedule', () => {
  const scheduled = (state: string, more: Record<string, string> = {}) => {
    const often = { INGEST_SCHEDULE: '*/2 * * * * *', NIGHTLY_PAUSE_MINUTES: '0', ...more };
    const child = startIngest(state, ['schedule'], environment('2026-11-01', often));
    return { child, end: waitForExit(child) };
  };
  const until = (proof: () => void) => vi.waitFor(proof, { timeout: 90_000, interval: 100 });

  it('retries a failed night, and a signal ends it in order', async () => {
    const state = join(folder.path, 'scheduled');
    server.link(link(0));
    server.override(PAGE, status(500), status(500));
    const { child, end } = scheduled(state);
    await until(() => expect(readNights(state).map(({ outcome }) => outcome)).toContain('published'));
    child.kill('SIGTERM');
    const { code, err } = await end;
    expect(code).toBe(143);
    expect(err).toContain('Stopped by SIGTERM: no night begins by itself any more');
    expect(err).toContain('"msg":"the night failed"');
    const [first, second] = readNights(state);
    expect(first).toMatchObject({ outcome: 'failed', failedStep: 'fetch', exitCode: 1 });
    expect(second).toMatchObject({ outcome: 'published', slot: first!.slot });
    expect(strayFiles(state).filter((path) => path.startsWith('building'))).toEqual([]);
  });

  it('resumes a night that a signal ended together with its schedule', async () => {
    const state = join(folder.path, 'left');
    await publishRegister(state);
    server.link(link(0));
    server.override(PAGE, silence);
    const first = scheduled(state);
    await until(() => expect(readNights(state)).toMatchObject([{ outcome: 'running' }]));
    first.child.kill('SIGTERM');
    expect((await first.end).code).toBe(143);
    const [left] = readNights(state);
    expect(left).toMatchObject({ outcome: 'failed', failedStep: 'fetch', exitCode: 143 });
    // The next time of the schedule is far away.
    const second = scheduled(state, { INGEST_SCHEDULE: '0 0 29 2 *' });
    await until(() => expect(readNights(state)).toHaveLength(2));
    await until(() => expect(readNights(state)[1]).toMatchObject({ outcome: 'nothing new', slot: left!.slot }));
    second.child.kill('SIGTERM');
    expect((await second.end).code).toBe(143);
  });

  it('runs each night once on two instances', async () => {
    const state = join(folder.path, 'instances');
    server.link(link(0));
    const instances = [scheduled(state), scheduled(state)];
    await until(() => expect(readNights(state).filter(({ endedAt }) => endedAt !== null).length).toBeGreaterThan(3));
    for (const { child } of instances) child.kill('SIGTERM');
    for (const { end } of instances) expect((await end).code).toBe(143);
    const succeeded = readNights(state).filter(({ outcome }) => outcome !== 'failed');
    expect(new Set(succeeded.map(({ slot }) => slot)).size).toBe(succeeded.length);
    expect(listVersions(state)).toHaveLength(1);
  });
});

it('refuses a zip without XML', async () => {
  const state = join(folder.path, 'foreign');
  server.put('/Gesamtdatenexport_20261105_26.1.zip', zipOf([{ name: 'a.txt', content: 'a' }]));
  server.link('/Gesamtdatenexport_20261105_26.1.zip');
  expect(await ingestHere(state, ['nightly'], environment('2026-11-05'))).toMatchObject({ code: 6 });
});
