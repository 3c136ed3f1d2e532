import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { OF_EVERY_PROCESS } from '../../support/environment.ts';
import type { Language } from './guide.ts';

/** Runs the programs that a guide shows, where their interpreter and its packages are. */

interface Interpreter {
  readonly command: string;
  /** Precedes the program. */
  readonly options: readonly string[];
  /** A program that fails where something is missing that the guides use. */
  readonly probe: string;
}

/** Null: it cannot be run by a command. */
const INTERPRETERS: Readonly<Record<Language, Interpreter | null>> = {
  python: { command: 'python3', options: ['-c'], probe: 'import pandas, pyarrow' },
  r: { command: 'Rscript', options: ['-e'], probe: 'stopifnot(getRversion() >= "4")' },
  sql: { command: 'duckdb', options: ['-csv', '-c'], probe: 'LOAD httpfs' },
  powerquery: null,
};

/** Returns true when programs of the language can be run here. */
export function canRun(language: Language): boolean {
  const interpreter = INTERPRETERS[language];
  if (interpreter === null) return false;
  try {
    execFileSync(interpreter.command, [...interpreter.options, interpreter.probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @returns what the program prints */
export async function runProgram(
  language: Language,
  text: string,
  environment: Record<string, string>,
): Promise<string> {
  const interpreter = INTERPRETERS[language];
  if (interpreter === null) throw new Error(`${language} cannot be run`);
  const { command, options } = interpreter;
  const { stdout } = await promisify(execFile)(command, [...options, text], {
    env: { ...OF_EVERY_PROCESS, ...environment },
    timeout: 60_000,
  });
  return stdout;
}
