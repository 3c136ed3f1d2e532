import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SNIPPETS } from '../../dashboards/web/frame/snippets.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** The programs that figures offer for the request behind them: they run as they are, with the key in the environment. */

const run = promisify(execFile);

const isInstalled = async (command: string, ...probe: readonly string[]): Promise<boolean> =>
  run(command, probe).then(
    () => true,
    () => false,
  );
const [hasCurl, hasPython, hasR] = await Promise.all([
  isInstalled('curl', '--version'),
  isInstalled('python3', '--version'),
  isInstalled('Rscript', '-e', 'stopifnot(requireNamespace("httr2"), requireNamespace("jsonlite"))'),
]);

/** Stands in for pandas, which is a large package: what it gets is printed. */
const PANDAS = 'def json_normalize(rows):\n    return "\\n".join(row["mastrNummer"] for row in rows)\n';

/** A value that a shell, Python and R each would read as code if it were not quoted. */
const HOSTILE = `'"$(exit 1)\\`;

describe('the request behind a figure as a program', () => {
  let service: OwnSubject;
  let folder: string;
  beforeAll(async () => {
    service = await serveSharedFixture();
    folder = mkdtempSync(join(tmpdir(), 'snippets-'));
    writeFileSync(join(folder, 'pandas.py'), PANDAS);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const written = (name: string, query: Record<string, string | number>, paged: boolean): string =>
    SNIPPETS.find((snippet) => snippet.name === name)?.write({ path: '/v1/units', query }, `${service.url}/`, paged) ??
    '';
  const runIn = async (command: string, ...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, KEY: service.key, PYTHONPATH: folder };
    return (await run(command, args, { cwd: folder, env })).stdout.trim();
  };
  const numbers = async (query: string): Promise<string[]> =>
    (await service.get(`/v1/units?${query}`)).json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer);

  test.skipIf(!hasCurl)('curl reads every page of a list, and one answer', async () => {
    await runIn('sh', '-c', written('curl', { einheitTyp: 'wind', limit: 5 }, true));
    const pages = readdirSync(folder).filter((name) => name.startsWith('page-'));
    expect(pages.toSorted()).toEqual(['page-1.json', 'page-2.json', 'page-3.json']);
    const read = pages.toSorted().flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).data);
    expect(read.map(({ mastrNummer }) => mastrNummer)).toEqual(await numbers('einheitTyp=wind&limit=100'));
    const one = await runIn('sh', '-c', `${written('curl', { suche: HOSTILE }, false)} -sS`);
    expect(JSON.parse(one).data).toEqual([]);
  });

  test.skipIf(!hasPython)('Python reads every page of a list, and one answer', async () => {
    const all = await runIn('python3', '-c', written('Python', { einheitTyp: 'wind', limit: 5 }, true));
    expect(all.split('\n')).toEqual(await numbers('einheitTyp=wind&limit=100'));
    const few = await runIn('python3', '-c', written('Python', { sort: 'mastrNummer:desc', limit: 2 }, false));
    expect(few.split('\n')).toEqual(await numbers('sort=mastrNummer:desc&limit=2'));
    expect(await runIn('python3', '-c', written('Python', { suche: HOSTILE }, false))).toBe('');
  });

  test.skipIf(!hasR)('R reads every page of a list', { timeout: 60_000 }, async () => {
    const program = written('R', { einheitTyp: 'wind', fields: 'name', limit: 5 }, true);
    const printed = await runIn('Rscript', '-e', program);
    for (const number of await numbers('einheitTyp=wind&limit=100')) expect(printed).toContain(number);
  });

  test('none of them has the key', () => {
    for (const { write } of SNIPPETS) {
      for (const paged of [true, false]) {
        expect(write({ path: '/v1/units' }, `${service.url}/`, paged)).toMatch(/KEY/);
        expect(write({ path: '/v1/units' }, `${service.url}/`, paged)).not.toContain(service.key);
      }
    }
  });
});
