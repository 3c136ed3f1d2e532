import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { acquireLock, Locked } from '../../runtime/lock-file.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder that holds the shared folders of a run. */
    sharedFolders: string;
  }
}

/** Bytes that must be free where a run lies in memory; it takes about a third of them. */
const ROOM = 6 * 2 ** 30;

/**
 * Makes the folder of a run, in which all its temporary files lie, and removes it after the run. It lies in memory where the
 * system offers that: tests make and remove stores of a thousand files by the hundred, and builds wait for the disk at every
 * step.
 */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'tests-'));
  // The server of Postgres runs as a user of its own, whose folder is in this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  provide('sharedFolders', join(folder, 'shared'));
  mkdirSync(join(folder, 'shared'));
  // A browser that ends with its worker still writes its profile for a moment.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= ROOM;
}

/**
 * Returns a folder that many test files read and none may change. The first that asks for it fills it while others wait.
 * @param fill fills the folder that it is given
 */
export async function sharedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const path = join(inject('sharedFolders'), name);
  while (!existsSync(path)) {
    const release = await acquire(`${path}.lock`);
    try {
      if (!existsSync(path)) await fillWhole(path, fill);
    } finally {
      release();
    }
  }
  return path;
}

async function acquire(lock: string): Promise<() => void> {
  for (;;) {
    try {
      return acquireLock(lock, 'a folder that tests share', 'Another test fills it');
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      await sleep(20);
    }
  }
}

/** The folder gets its name when it is complete: a test that fails on the way leaves none that others would read. */
async function fillWhole(path: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const draft = `${path}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  await fill(draft);
  renameSync(draft, path);
}
