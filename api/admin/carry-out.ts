import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Command, Typed } from './command.ts';
import { readWords } from './execute.ts';
import { CommandFailed, refused } from './exit.ts';
import { type Reserved, reserveFile } from './private-file.ts';
import type { Terminal } from './terminal.ts';

/** Carries a command out, wherever the store is, and returns its result. */
export type Run = (command: Command, typed: Typed) => Promise<unknown>;

export interface Wishes {
  /** New file for what the command makes; null = standard output. */
  readonly out: string | null;
  readonly json: boolean;
}

/** From what was typed to what is told: files are read and written here, on this side of a socket. */
export async function carryOut(
  command: Command,
  typed: Typed,
  { out, json }: Wishes,
  terminal: Terminal,
  run: Run,
): Promise<void> {
  const complete = await withFiles(command, typed, terminal);
  // Checked before anything is opened or asked; who carries it out checks again, for it may be of another release.
  readWords(command, complete);
  const reserved = out === null ? null : reserveFile(out);
  try {
    const result = await run(command, complete);
    if (reserved === null) tell(command, result, json, terminal);
    else write(command, result, out!, reserved, json, terminal);
  } finally {
    reserved?.discard();
  }
}

/** Replaces names of files by their text, and makes paths absolute, since a service may read them from another folder. */
async function withFiles({ words }: Command, typed: Typed, { input }: Terminal): Promise<Typed> {
  const files = Object.keys(words).filter((name) => words[name]!.kind === 'file');
  const texts = await Promise.all(files.map(async (name) => [name, await readText(String(typed[name]), input)]));
  const paths = Object.keys(words).filter((name) => words[name]!.kind === 'path' && typed[name] !== '');
  const resolved = paths.map((name) => [name, resolve(String(typed[name]))]);
  return { ...typed, ...Object.fromEntries([...texts, ...resolved]) };
}

async function readText(path: string, input: NodeJS.ReadableStream): Promise<string> {
  try {
    return path === '-' ? await readAll(input) : readFileSync(path, 'utf8');
  } catch (error) {
    throw refused(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

function tell(command: Command, result: unknown, json: boolean, terminal: Terminal): void {
  terminal.out(`${json ? JSON.stringify(result) : command.tell(result)}\n`);
  if (!json) tellNote(command, result, terminal);
}

function write(
  command: Command,
  result: unknown,
  path: string,
  file: Reserved,
  json: boolean,
  terminal: Terminal,
): void {
  const { content, rest } = command.file!;
  try {
    file.write(content(result));
  } catch (error) {
    tellNote(command, result, terminal);
    throw new CommandFailed('failed', `It was done, but cannot be written to ${path}: ${(error as Error).message}`);
  }
  terminal.out(
    json ? `${JSON.stringify({ ...rest(result), file: path })}\n` : `Wrote ${path}; only you can read it.\n`,
  );
  if (!json) tellNote(command, result, terminal);
}

function tellNote(command: Command, result: unknown, terminal: Terminal): void {
  const note = command.note?.(result) ?? '';
  if (note !== '') terminal.err(`${note}\n`);
}
