import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_EXITS } from '../../api/admin/common/failures.ts';
import { EXIT } from '../../runtime/command-line/exit.ts';
import { ingestHere, waitForExit } from '../support/command.ts';
import { folderOfTests } from '../support/exports.ts';
import { runGenerator } from '../support/generator.ts';
import { startNode } from '../support/node-process.ts';
import { putStore } from '../support/prepared-store.ts';
import { ROOT } from './folders.ts';

/** The tables of exit codes hold what the commands do. */

/** The codes of a page's table, in its order. */
function documented(page: string): number[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const [, table = ''] = /^\| Exit code \| Meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes]) => codes!.split(', ').map(Number));
}

test('docs/operations.md has every code', () => {
  expect(documented('docs/operations.md')).toEqual([...new Set(Object.values(EXIT))].sort((a, b) => a - b));
});

test('docs/administration.md has those of the administration', () => {
  expect(documented('docs/administration.md')).toEqual(ADMIN_EXITS.map((name) => EXIT[name]));
});

const folder = folderOfTests();
afterAll(() => folder.remove());
const state = join(folder.path, 'state');
const none = join(folder.path, 'none');
const page = join(folder.path, 'page.zip');
mkdirSync(state);
writeFileSync(page, '<!DOCTYPE html>');
const damaged = join(folder.path, 'damaged');
mkdirSync(damaged);
writeFileSync(join(damaged, 'current.json'), '{');

beforeAll(() => putStore(join(state, 'org')));

/** Runs a command in a process of its own. */
async function run(program: string, words: string, more: Record<string, string> = {}) {
  const environment = { STATE_DIR: state, LOG_LEVEL: 'warn', ...more };
  return waitForExit(startNode(join(ROOT, program), words.split(' '), environment));
}

const INGEST = 'ingest/main.ts';
const ADMIN = 'api/admin/main.ts';
const DATA = 'data/main.ts';

/** Runs a command in this process, as those of other tests prove that its code becomes that of its process. */
async function runHere(program: string, words: string, more: Record<string, string> = {}) {
  switch (program) {
    case INGEST:
      return ingestHere(state, words.split(' '), more);
    case DATA:
      return runGenerator(words.split(' '));
    default:
      return run(program, words, more);
  }
}

describe('a command ends with', () => {
  test.each([
    [INGEST, 'status', EXIT.done],
    [INGEST, 'nonsense', EXIT.usage],
    [ADMIN, 'nonsense', EXIT.usage],
    [DATA, 'nonsense', EXIT.usage],
  ])('%s %s: %i, which is that of its process', async (program, words, code) => {
    expect(await run(program, words)).toMatchObject({ code });
  });

  test.each([
    ['build', EXIT.usage],
    ['publish 20261101-0001', EXIT.refused],
    [`build ${page}`, EXIT.archive],
  ])('ingest %s: %i', async (words, code) => {
    expect(await runHere(INGEST, words)).toMatchObject({ code });
  });

  test('the code of invalid settings', async () => {
    expect(await run(INGEST, 'status', { PORT: 'x' })).toMatchObject({ code: EXIT.usage });
    expect(await run(ADMIN, 'jobs', { PORT: 'x' })).toMatchObject({ code: EXIT.usage });
  });

  test('the code of a damaged file', async () => {
    expect(await runHere(INGEST, 'status', { WAREHOUSE_URL: `duckdb:${damaged}` })).toMatchObject({
      code: EXIT.damaged,
    });
  });
});

test.each([
  [INGEST, `build ${none}`],
  [INGEST, `build ${none} --backfill`],
  [INGEST, `table nep ${none}`],
  [ADMIN, `import ${none}`],
  [ADMIN, `restore ${none}`],
  [DATA, `generate --previous ${none} --out ${folder.path}/next.zip`],
])('%s %s is refused, as every missing file is', async (program, words) => {
  const { code, err } = await runHere(program, words);
  expect({ code, named: err.includes(none) }).toEqual({ code: EXIT.refused, named: true });
  expect(err).not.toMatch(/\n\s+at /);
});

describe('output that nobody reads', () => {
  /** Closes the pipe before the command has written anything. */
  async function unread(program: string, words: string) {
    const child = startNode(join(ROOT, program), words.split(' '), { STATE_DIR: state });
    child.stdout!.destroy();
    let err = '';
    child.stderr!.on('data', (piece) => {
      err += piece;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { code, err };
  }

  test.each([
    [INGEST, 'status'],
    [ADMIN, 'organisations list --json'],
    [DATA, '--help'],
    ['runtime/settings.ts', ''],
  ])('%s %s ends as if it had been read', async (program, words) => {
    expect(await unread(program, words)).toEqual({ code: EXIT.done, err: '' });
  });
});
