import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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

/** Makes the folder of a run, and removes it after the run. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'shared-'));
  provide('sharedFolders', folder);
  return () => rmSync(folder, { recursive: true, force: true });
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
