import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireWarehouseLock, currentBuild } from '../../../ingest/run/warehouse-lock.ts';
import { Locked } from '../../../runtime/lock-file.ts';
import { folderOfTests } from '../../support/exports.ts';

const folder = folderOfTests();
afterAll(() => folder.remove());

let count = 0;

function warehouse(): string {
  const path = join(folder.path, String(count++));
  mkdirSync(path);
  return path;
}

const lockOf = (path: string): string => join(path, 'build.lock');

function writeLock(path: string, holder: { pid: number; host?: string; startedAt?: string }): void {
  const whole = { host: hostname(), startedAt: new Date().toISOString(), task: 'build of a.zip', ...holder };
  writeFileSync(lockOf(path), JSON.stringify(whole));
}

/** The number of a process that has ended. */
const gone = (): number => spawnSync('true').pid;

describe('the lock of a warehouse', () => {
  it('names its holder, the time and the purpose', () => {
    const path = warehouse();
    const release = acquireWarehouseLock(path, 'build of one.zip');
    expect(() => acquireWarehouseLock(path, 'build of two.zip')).toThrow(Locked);
    expect(() => acquireWarehouseLock(path, 'build of two.zip')).toThrow(
      new RegExp(`process ${process.pid} on ${hostname()}, since 20[0-9T:.-]+Z \\(build of one\\.zip\\)`),
    );
    expect(currentBuild(path)).toMatchObject({ pid: process.pid, task: 'build of one.zip' });
    release();
    expect(currentBuild(path)).toBeNull();
    expect(readdirSync(path)).toEqual([]);
    acquireWarehouseLock(path, 'build of two.zip')();
  });

  it('is taken over when its process has ended', () => {
    const path = warehouse();
    writeLock(path, { pid: gone() });
    expect(currentBuild(path)).toBeNull();
    const release = acquireWarehouseLock(path, 'mine');
    expect(currentBuild(path)).toMatchObject({ pid: process.pid, task: 'mine' });
    release();
    expect(readdirSync(path)).toEqual([]);
  });

  it('is taken over when its process id belongs to a newer process', () => {
    const path = warehouse();
    writeLock(path, { pid: process.pid, startedAt: '2026-01-01T00:00:00.000Z' });
    expect(currentBuild(path)).toBeNull();
    acquireWarehouseLock(path, 'mine')();
  });

  it('is taken over when a crash of the machine left an empty file', () => {
    const path = warehouse();
    writeFileSync(lockOf(path), '');
    acquireWarehouseLock(path, 'mine')();
    expect(readdirSync(path)).toEqual([]);
  });

  it('is respected when it was taken on another machine, with a message how to remove it', () => {
    const path = warehouse();
    writeLock(path, { pid: gone(), host: 'another' });
    expect(() => acquireWarehouseLock(path, 'mine')).toThrow(`if that machine is gone, remove ${lockOf(path)}`);
    expect(existsSync(lockOf(path))).toBe(true);
  });

  it('removes what ended processes left next to it, and nothing of running ones', async () => {
    const path = warehouse();
    const pid = gone();
    const atWork = spawn('sleep', ['60']);
    for (const name of [
      `build.lock.${pid}`,
      'build.lock.removal',
      `current.json.${pid}.new`,
      `build.lock.${atWork.pid}`,
    ]) {
      writeFileSync(join(path, name), JSON.stringify({ pid, host: hostname(), startedAt: '', task: '' }));
    }
    acquireWarehouseLock(path, 'mine')();
    expect(readdirSync(path)).toEqual([`build.lock.${atWork.pid}`]);
    atWork.kill();
  });

  it('goes to one of several processes that find it stale at once', async () => {
    const path = warehouse();
    const work = join(path, 'at-work');
    // Each waits for the start, tries until it has had the lock 20 times, and looks whether it is alone.
    const script = `
      import { existsSync, rmSync, writeFileSync } from 'node:fs';
      import { hostname } from 'node:os';
      import { acquireWarehouseLock } from ${JSON.stringify(new URL('../../../ingest/run/warehouse-lock.ts', import.meta.url).href)};
      import { Locked } from ${JSON.stringify(new URL('../../../runtime/lock-file.ts', import.meta.url).href)};
      const [path, work, stale] = process.argv.slice(1);
      process.stdout.write('ready\\n');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      let had = 0;
      for (let tries = 0; had < 20; tries++) {
        try {
          const release = acquireWarehouseLock(path, 'race');
          writeFileSync(work, String(process.pid), { flag: 'wx' });
          had++;
          rmSync(work);
          // Leaves a stale lock for the others in place of none.
          writeFileSync(path + '/build.lock', JSON.stringify({ pid: Number(stale), host: hostname(), startedAt: String(had) + process.pid, task: 'stale' }));
        } catch (error) {
          if (!(error instanceof Locked)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
      process.exit(0);
    `;
    const stale = gone();
    writeLock(path, { pid: stale });
    const racers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, path, work, String(stale)]),
    );
    await Promise.all(racers.map((racer) => new Promise((resolve) => racer.stdout.once('data', resolve))));
    const ends = racers.map(endOf);
    for (const racer of racers) racer.stdin.write('go\n');
    expect(await Promise.all(ends)).toEqual(racers.map(() => ({ code: 0, err: '' })));
    expect(JSON.parse(readFileSync(lockOf(path), 'utf8'))).toMatchObject({ task: 'stale' });
    acquireWarehouseLock(path, 'last')();
    expect(readdirSync(path)).toEqual([]);
  });
});

function endOf(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = '';
  child.stderr!.on('data', (piece: Buffer) => {
    err += piece;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}
