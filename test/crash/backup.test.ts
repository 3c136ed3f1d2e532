import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { waitForExit } from '../support/command.ts';
import { folderOfTests } from '../support/exports.ts';
import { everything, fill } from '../support/filled-store.ts';
import { startNode } from '../support/node-process.ts';
import { openStore, POSTGRES, PREPARED } from '../support/store-engines.ts';

/** A backup that is killed leaves no file that looks complete; a restore that is killed leaves the store as it was. */

const tests = folderOfTests();
afterAll(() => tests.remove());

const SELF_KILLING = new URL('self-killing-backup.ts', import.meta.url);
const killable = (...words: string[]) => waitForExit(startNode(SELF_KILLING, words, {}));

describe.each([PREPARED, POSTGRES].map((each, index) => ({ ...each, index })))('$name', ({ index, ...engine }) => {
  test.skipIf(!engine.here)('killed at its worst moments', { timeout: 600_000 }, async () => {
    const url = await engine.place();
    const file = join(tests.path, `${engine.name}.gz`);
    const store = await openStore(url);
    await store.migrate('apply');
    await fill(store, 5000);
    const saved = await everything(store);
    await store.close();

    // It is killed while rows are written, or when all are written and are counted again.
    for (const moment of drawn(['FROM audit_log ORDER BY', 'SELECT count(*) AS n FROM users'], 1, index)) {
      expect(await killable('backup', url, file, moment)).toMatchObject({ signal: 'SIGKILL' });
      expect(existsSync(file), moment).toBe(false);
    }
    const later = await openStore(url);
    await later.backup(file);
    expect(existsSync(`${file}.partial`)).toBe(false);
    await fill(later, 5);
    const before = await everything(later);
    await later.close();

    // It is killed when the tables are dropped and filled in part, or just before the commit.
    for (const moment of drawn(['INSERT INTO audit_log', 'COMMIT'], 1, index)) {
      expect(await killable('restore', url, file, moment)).toMatchObject({ signal: 'SIGKILL' });
      const reopened = await openStore(url);
      expect(await everything(reopened), moment).toEqual(before);
      await reopened.close();
    }
    const after = await openStore(url);
    await after.restore(file, true);
    expect(await everything(after)).toEqual(saved);
    await after.close();
  });
});
