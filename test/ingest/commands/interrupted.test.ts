import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRegister } from '../../support/built.ts';
import { cases, drawn } from '../../support/cases.ts';
import { ingest, ingestHere, startIngest, waitForExit, waitForOutput } from '../../support/command.ts';
import { folderOfTests, generateExport } from '../../support/exports.ts';
import { incompleteVersions, served, strayFiles } from '../../support/warehouse.ts';

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
let source: string;
let before: Awaited<ReturnType<typeof served>>;

beforeAll(async () => {
  source = await generateExport(folder.path, '2026-11-01');
  await publishRegister(warehouse);
  before = await served(warehouse);
  expect(before!.units).toBeGreaterThan(400);
});

afterAll(() => folder.remove());

describe('kill -9 at any moment of a build', () => {
  it('keeps the served version, and the next build starts clean', async () => {
    const begun = Date.now();
    const whole = await ingest(warehouse, ['build', source]);
    const duration = Date.now() - begun;
    expect(whole.code).toBe(0);
    let lastServed = await served(warehouse);
    const complete = new Set<string>();
    // crash-points.test.ts tries a kill before each operation; here the moments are random.
    const kills = cases(1);
    for (let kill = 0; kill < kills; kill++) {
      // The first third of a process's time is the start of Node itself.
      const after = duration * (0.15 + (0.85 * (kill + Math.random())) / kills);
      const child = startIngest(warehouse, ['build', source]);
      const end = waitForExit(child);
      await pause(after);
      child.kill('SIGKILL');
      const { code } = await end;
      const now = await served(warehouse);
      // A kill may also come too late, or between the flip and the end.
      if (code === 0 || now!.version !== lastServed!.version) {
        expect(now!.version > lastServed!.version).toBe(true);
        lastServed = now;
      }
      expect(now!.units, `killed after ${after} ms`).toBe(before!.units);
      expect(await incompleteVersions(warehouse, complete), `killed after ${after} ms`).toEqual([]);
    }
    const last = await ingestHere(warehouse, ['build', source]);
    expect(last).toMatchObject({ code: 0 });
    expect(strayFiles(warehouse)).toEqual([]);
    expect((await served(warehouse))!.version > lastServed!.version).toBe(true);
  });
});

describe('a signal', () => {
  const signals = [
    ['SIGINT', 130, 'archive and catalogues', []],
    ['SIGTERM', 143, 'reading', []],
    ['SIGINT', 130, 'units', []],
    ['SIGTERM', 143, 'archive and catalogues', ['--backfill', '--day', '2026-10-01']],
  ] as const;
  it.each(drawn(signals, 2))(
    '%s ends the command with exit code %i after its stage "%s" %j, with a message and without debris',
    async (signal, code, stage, words) => {
      const last = await served(warehouse);
      const child = startIngest(warehouse, ['build', source, ...words]);
      const end = waitForExit(child);
      await waitForOutput(child, stage);
      child.kill(signal);
      const result = await end;
      expect(result).toMatchObject({ code, signal: null });
      expect(result.err).toContain(
        `Stopped by ${signal}: nothing was published, what was served is still served, and what is left goes with the next build.\n`,
      );
      expect(strayFiles(warehouse)).toEqual([]);
      expect(await served(warehouse)).toEqual(last);
    },
  );
});
