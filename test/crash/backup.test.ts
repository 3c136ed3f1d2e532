import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openFresh, openStore, POSTGRES, PREPARED } from '../org/engines.ts';
import { everything, fill } from '../org/filled-store.ts';
import { ended } from '../support/command.ts';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { folderOfTests } from '../support/exports.ts';

/** kill -9 of a backup leaves no file that looks like one; of a restore, the store as it was. */

const tests = folderOfTests();
afterAll(() => tests.remove());

const MORTAL = new URL('mortal-backup.ts', import.meta.url).pathname;
const mortal = (...words: string[]) =>
  ended(spawn(process.execPath, [MORTAL, ...words], { env: { ...OF_EVERY_PROCESS } }));

/** Among its statements: the first, some in the middle, the last, behind which it is done. */
const places = (statements: number): number[] => [0, 0.3, 0.7, 1].map((share) => Math.floor(share * (statements - 1)));

describe.each([PREPARED, POSTGRES])('$name', (engine) => {
  test.skipIf(!engine.here)('killed anywhere', { timeout: 300_000 }, async () => {
    const url = await engine.place();
    const store = await openStore(url);
    await store.migrate('apply');
    await fill(store, 200);
    const saved = await everything(store);
    await store.close();
    const file = join(tests.path, `${engine.name}.gz`);

    const backup = await mortal('backup', url, `${file}.whole`);
    expect(backup.err).toBe('');
    for (const place of places(Number(backup.out))) {
      expect(await mortal('backup', url, file, String(place))).toMatchObject({ signal: 'SIGKILL' });
      expect(existsSync(file), `statement ${place}`).toBe(false);
    }
    expect(await mortal('backup', url, file)).toMatchObject({ code: 0 });
    expect(existsSync(`${file}.partial`)).toBe(false);

    const later = await openStore(url);
    await fill(later, 5);
    const before = await everything(later);
    await later.close();
    const other = await engine.place();
    await (await openFresh({ ...engine, place: async () => other })).close();
    const restore = await mortal('restore', other, file);
    expect(restore.err).toBe('');
    for (const place of places(Number(restore.out))) {
      expect(await mortal('restore', url, file, String(place))).toMatchObject({ signal: 'SIGKILL' });
      const left = await openStore(url);
      expect(await everything(left), `statement ${place}`).toEqual(before);
      await left.close();
    }
    expect(await mortal('restore', url, file)).toMatchObject({ code: 0 });
    const after = await openStore(url);
    expect(await everything(after)).toEqual(saved);
    await after.close();
  });
});
