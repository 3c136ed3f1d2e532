import { execFile, execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { ROOT } from './folders.ts';

/** Which pages the Python client reads of lists of each form, and that it says when rows are missing. Pandas is not needed for that. */

const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/page': [{ page: { hasMore: true, cursor: '1', truncated: false } }, { page: { hasMore: false, cursor: null } }],
  '/page-cut': [{ page: { hasMore: false, cursor: null, truncated: true } }],
  '/meta': [
    { hasMore: true, cursor: '1' },
    { hasMore: false, cursor: null },
  ],
  '/meta-cut': [{ count: 1, truncated: true }],
  '/endless': [{ hasMore: true, cursor: '1' }, { hasMore: false, cursor: '2' }, {}],
  '/full': [{ hasMore: true, cursor: null }],
  '/plain': [{}],
};

const PROGRAM = `
import json, sys
from energy_assets import EnergyAssets, Incomplete
assets = EnergyAssets(sys.argv[1], "key")
read = 0
try:
    for answer in assets.pages(sys.argv[2]):
        read += len(answer["data"])
    print(json.dumps([read, "all"]))
except Incomplete as fault:
    print(json.dumps([read, str(fault)]))`;

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPython)('the Python client (skipped where there is no python3)', () => {
  const folder = temporaryFolder();
  let service: Server;
  beforeAll(async () => {
    cpSync(join(ROOT, 'docs/clients/python/energy_assets.py'), join(folder.path, 'energy_assets.py'));
    writeFileSync(join(folder.path, 'pandas.py'), 'DataFrame = Series = None');
    service = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://service');
      const meta = LISTS[pathname]?.[Number(searchParams.get('cursor'))];
      response.end(JSON.stringify({ data: [{}], meta }));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    service.close();
    folder.remove();
  });

  test.each([
    ['/page', 2, 'all'],
    ['/page-cut', 1, expect.stringContaining('/page-cut has more rows')],
    ['/meta', 2, 'all'],
    ['/meta-cut', 1, expect.stringContaining('/meta-cut has more rows')],
    ['/endless', 2, 'all'],
    ['/full', 1, expect.stringContaining('/full has more rows')],
    ['/plain', 1, 'all'],
  ])('reads %s', async (path, rows, said) => {
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)('python3', ['-c', PROGRAM, url, path], {
      cwd: folder.path,
      env: OF_EVERY_PROCESS,
    });
    expect(JSON.parse(stdout)).toEqual([rows, said]);
  });

  test('takes each item of a list for one value, whatever commas it has', async () => {
    const program = `import json, energy_assets
print(json.dumps([energy_assets._pairs("a", ["x, y", 'z"', 1]), energy_assets._pairs("region", ("x, y", "z"))]))`;
    const { stdout } = await promisify(execFile)('python3', ['-c', program], {
      cwd: folder.path,
      env: OF_EVERY_PROCESS,
    });
    expect(JSON.parse(stdout)).toEqual([
      [['a', '"x, y","z""",1']],
      [
        ['region', 'x, y'],
        ['region', 'z'],
      ],
    ]);
  });
});
