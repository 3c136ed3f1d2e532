import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { acquireLock, Locked } from '../../runtime/lock-file.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of what is made once in a run of tests. */
    once: string;
  }
}

/** The folder for a whole run, gone with it. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  provide('once', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * What many test files need and none may change: made by the first who asks, while others wait. Copy it to change it.
 * @param make fills the folder that it is given
 * @returns the folder
 */
export async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const place = join(inject('once'), name);
  while (!existsSync(place)) {
    const release = await turn(`${place}.lock`);
    try {
      if (!existsSync(place)) await makeWhole(place, make);
    } finally {
      release();
    }
  }
  return place;
}

async function turn(lock: string): Promise<() => void> {
  for (;;) {
    try {
      return acquireLock(lock, 'making what tests share', 'Another test makes it');
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      await sleep(20);
    }
  }
}

async function makeWhole(place: string, make: (folder: string) => Promise<void>): Promise<void> {
  const draft = `${place}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  await make(draft);
  renameSync(draft, place);
}
