import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { OF_EVERY_PROCESS } from '../../support/environment.ts';
import type { Language } from './guide.ts';
import { loadsExtension, runSql } from './sql.ts';
import { runTypeScript } from './typescript.ts';

/** Runs the programs that a guide shows, where their interpreter and its packages are. */

interface Interpreter {
  readonly command: string;
  /** Precedes the program. */
  readonly options: readonly string[];
  /** A program that fails where something is missing that the guides use. */
  readonly probe: string;
}

/** Power Query runs where Excel is. */
export type RunLanguage = Exclude<Language, 'powerquery'>;

const INTERPRETERS: Readonly<Record<Exclude<RunLanguage, 'sql' | 'ts'>, Interpreter>> = {
  python: { command: 'python3', options: ['-c'], probe: 'import pandas, pyarrow' },
  r: { command: 'Rscript', options: ['-e'], probe: 'stopifnot(getRversion() >= "4")' },
};

/** Returns true when the program can be run here. */
export async function canRun(language: RunLanguage, text: string): Promise<boolean> {
  if (language === 'sql') return await loadsExtension(text);
  if (language === 'ts') return true;
  const { command, options, probe } = INTERPRETERS[language];
  try {
    execFileSync(command, [...options, probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param folder where relative paths of the program lead
 * @returns what the program prints
 */
export async function runProgram(
  language: RunLanguage,
  text: string,
  folder: string,
  environment: Record<string, string>,
): Promise<string> {
  if (language === 'sql') return await runSql(text, folder);
  if (language === 'ts') return await runTypeScript(text, folder, environment);
  const { command, options } = INTERPRETERS[language];
  const { stdout } = await promisify(execFile)(command, [...options, text], {
    cwd: folder,
    env: { ...OF_EVERY_PROCESS, ...environment },
    timeout: 60_000,
  });
  return stdout;
}
