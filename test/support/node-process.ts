import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { OF_EVERY_PROCESS, QUICK_START } from './environment.ts';

/** Starts a script of the project in a process of its own, with nothing of the test runner's environment. */
export const startNode = (
  script: string | URL,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  options: Pick<SpawnOptions, 'cwd' | 'stdio'> = {},
): ChildProcess =>
  spawn(process.execPath, [...QUICK_START, script instanceof URL ? script.pathname : script, ...words], {
    ...options,
    env: { ...OF_EVERY_PROCESS, ...environment },
  });
