import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishSample } from '../support/built.ts';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serve } from '../support/service.ts';
import { ROOT } from './folders.ts';

/**
 * The notebooks, cell by cell, against a service over the sample; what needs packages runs where they are. The service
 * stands behind one that refuses the first call of each path for a second, as a limit does.
 */

const TODAY = '2026-11-01';

const folder = temporaryFolder();
let service: OwnSubject;
let limit: Server;
let address: string;
/** What reached the front, by path: the status that each call got. */
const calls = new Map<string, number[]>();

beforeAll(async () => {
  const warehouse = join(folder.path, 'warehouse');
  await publishSample(warehouse);
  service = await serve(warehouse, { TODAY });
  limit = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://front').pathname;
    const earlier = calls.get(path) ?? [];
    const answer =
      earlier.length === 0
        ? null
        : await fetch(service.url + request.url, { headers: { authorization: request.headers.authorization ?? '' } });
    calls.set(path, [...earlier, answer?.status ?? 429]);
    if (answer === null) return void response.writeHead(429, { 'Retry-After': '1' }).end('{}');
    // The next page, too, lies behind this front.
    const link = answer.headers.get('link')?.replaceAll(service.url, address);
    response.writeHead(answer.status, link === undefined ? {} : { Link: link }).end(await answer.text());
  });
  await new Promise<void>((resolve) => limit.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(limit.address() as AddressInfo).port}`;
});
beforeEach(() => calls.clear());
afterAll(async () => {
  limit.close();
  await service?.stop();
  folder.remove();
});

const has = (program: string, ...words: string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** @returns what the program prints */
async function run(program: string, words: readonly string[], key = service.key): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...words], {
    cwd: folder.path,
    env: {
      ...OF_EVERY_PROCESS,
      API: address,
      KEY: key,
      MPLBACKEND: 'Agg',
      MPLCONFIGDIR: folder.path,
      PYTHONIOENCODING: 'utf-8',
    },
    timeout: 120_000,
  });
  return stdout;
}

/** Width and height of a picture, from the head of a PNG. */
function sizeOf(file: string): [number, number] {
  const bytes = readFileSync(join(folder.path, file));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe('growth.ipynb', () => {
  const notebook = JSON.parse(readFileSync(join(ROOT, 'docs/notebooks/growth.ipynb'), 'utf8')) as {
    readonly nbformat: number;
    readonly cells: readonly {
      readonly cell_type: string;
      readonly source: readonly string[];
      readonly outputs?: readonly unknown[];
      readonly execution_count?: number | null;
    }[];
  };
  const cells = notebook.cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
  const withPackages = cells.findIndex((cell) => cell.includes('import pandas'));
  const script = (pieces: readonly string[]): string[] => {
    const file = join(folder.path, 'cells.py');
    writeFileSync(file, pieces.join('\n\n'));
    return [file];
  };

  test('is a notebook without outputs, whose every cell of code is explained by one before it', () => {
    expect(notebook.nbformat).toBe(4);
    expect(notebook.cells.map(({ cell_type }) => cell_type)).toEqual([
      'markdown',
      ...cells.flatMap(() => ['markdown', 'code']),
    ]);
    for (const { cell_type, outputs, execution_count } of notebook.cells) {
      if (cell_type === 'code') expect({ outputs, execution_count }).toEqual({ outputs: [], execution_count: null });
    }
    expect(withPackages).toBeGreaterThan(1);
  });

  test.skipIf(!has('python3', '--version'))(
    'asks with the standard library alone, waits, and follows the pages',
    async () => {
      const shown = 'print(json.dumps([growth, [unit["mastrNummer"] for unit in units]]))';
      const printed = (await run('python3', script([...cells.slice(0, withPackages), shown]))).trimEnd().split('\n');
      const growth =
        '/v1/region/zeitreihe?periode=jahr&ebene=bundesland&region=Niedersachsen&energietraeger=solar,wind&von=2015-01-01&bis=2028-12-31';
      const units =
        '/v1/units?einheitTyp=solar,wind&bundesland=Niedersachsen&inbetriebnahmeVon=2015-01-01&leistungMinKw=100&sort=bruttoleistungKw:desc&limit=250';
      const { data } = (await service.get(units)).json;
      expect(JSON.parse(printed.pop()!)).toEqual([
        (await service.get(growth)).json.data,
        data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer),
      ]);
      expect(printed).toEqual([
        'Waiting 1 s',
        'Waiting 1 s',
        'Waiting 1 s',
        `19 rows, ${data.length} units, Stand 2026-11-01`,
      ]);
      expect(calls.get('/v1/units')).toEqual([429, ...Array.from({ length: Math.ceil(data.length / 25) }, () => 200)]);
    },
  );

  test.skipIf(!has('python3', '--version'))('says why it is refused', async () => {
    const refused = run('python3', script(cells.slice(0, withPackages)), 'no key');
    await expect(refused).rejects.toThrow(/RuntimeError: 401: .*INVALID_API_KEY/);
  });

  test('draws the chart', async ({ skip }) => {
    if (!has('python3', '-c', 'import pandas, matplotlib'))
      return skip('there is no Python with pandas and matplotlib here');
    const printed = await run('python3', script(cells));
    expect(printed).toMatch(/^2023 +2\.2 +12\.4 +14\.6$/m);
    expect(printed).toMatch(/^2024 +wind +WP Hannover WEA 9 +Hannover +6200\.0+ SEE900721100463$/m);
    expect(sizeOf('growth.png')).toEqual([1350, 825]);
  });
});

describe('ageing-wind.Rmd', () => {
  const text = readFileSync(join(ROOT, 'docs/notebooks/ageing-wind.Rmd'), 'utf8');
  const chunks = [...text.matchAll(/^```\{r \w+[^}]*\}\n(.*?)^```$/gms)].map(([, chunk = '']) => chunk);

  test('has chunks, each below a heading', () => {
    expect(chunks).toHaveLength(4);
    expect(text.match(/^## /gm)).toHaveLength(4);
  });

  test('counts, finds the units page by page, and draws the chart', async ({ skip }) => {
    const probe = 'stopifnot(requireNamespace("curl"), requireNamespace("jsonlite"))';
    if (!has('Rscript', '-e', probe)) return skip('there is no R with curl and jsonlite here');
    const file = join(folder.path, 'chunks.R');
    writeFileSync(file, chunks.join('\n'));
    const printed = await run('Rscript', [file]);
    expect(printed).toContain(
      '26 of 65 turbines are 20 years old or more, 27.3 of 180.9 MW\n26 units in 20 districts\n',
    );
    expect(calls.get('/v1/units')).toEqual([429, 200, 200, 200]);
    expect(sizeOf('ageing-wind.png')).toEqual([1350, 825]);
  });
});
