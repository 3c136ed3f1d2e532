import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderOfTests } from '../../support/exports.ts';
import { startNode } from '../../support/node-process.ts';

/**
 * The engine blocks a thread for ever where a connection is closed while a statement runs on it. A process has four threads for
 * native work; when all are blocked it answers nothing any more, and does not end.
 */

const folder = folderOfTests();
const path = join(folder.path, 'empty.duckdb');

beforeAll(async () => (await DuckDBInstance.create(path)).closeSync());
afterAll(() => folder.remove());

it.each(['memory is given back', 'a build has failed beside', 'a request has failed beside'])(
  'a process goes on whose engines are closed while %s',
  async (what) => {
    const script = new URL('../../support/closing.ts', import.meta.url);
    const child = startNode(script, [what, path], {}, { stdio: ['ignore', 'pipe', 'inherit'] });
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    clearTimeout(giveUp);
    expect([said, code]).toEqual([expect.stringMatching(/^answered/), 0]);
  },
);
