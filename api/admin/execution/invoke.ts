import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { CommandFailed, type ExitName, refused } from '../../../runtime/command-line/exit.ts';
import type { RawArguments } from '../../../runtime/command-line/parameter.ts';
import type { Invocation } from '../../../runtime/command-line/program.ts';
import type { Terminal } from '../../../runtime/command-line/terminal.ts';
import type { AdminCommand } from '../common/admin-command.ts';
import { type ReservedFile, reserveFile } from '../common/private-file.ts';
import { parseAdminArguments } from './execute.ts';

/** Executes a command in the process that has the store open, and returns its result. */
export type Execute = (command: AdminCommand, raw: RawArguments) => Promise<unknown>;

/**
 * Runs what was typed and prints the result. Files are read and written here, on the command line's side of the socket.
 * @returns how the command ends
 */
export async function invoke(
  command: AdminCommand,
  { raw, json, out }: Invocation,
  terminal: Terminal,
  execute: Execute,
): Promise<ExitName> {
  const complete = await withFiles(command, raw, terminal);
  // Faults show before anything is opened. The executor checks again, since it may be of another release.
  parseAdminArguments(command, complete);
  const { outFile } = command;
  const reserved = out === null ? null : reserveFile(out);
  try {
    const result = await execute(command, complete);
    if (out === null || reserved === null || outFile === undefined) {
      terminal.out(`${json ? JSON.stringify(result) : command.format(result)}\n`);
    } else {
      writeOut(reserved, out, outFile.content(result), () => printNote(command, result, terminal));
      const summary = JSON.stringify({ ...outFile.summary(result), file: out });
      terminal.out(json ? `${summary}\n` : `Wrote ${out}; only you can read it.\n`);
    }
    if (!json) printNote(command, result, terminal);
    return command.exitOf?.(result) ?? 'done';
  } finally {
    reserved?.discard();
  }
}

/** Replaces names of files by their content, and paths by absolute ones, since a service runs in another folder. */
async function withFiles({ parameters }: AdminCommand, raw: RawArguments, { input }: Terminal): Promise<RawArguments> {
  const complete = { ...raw };
  for (const [name, { kind }] of Object.entries(parameters)) {
    const value = raw[name];
    if (value !== undefined && (kind === 'file' || kind === 'file-option'))
      complete[name] = await readText(String(value), input);
    if (kind === 'path' && value !== '') complete[name] = resolve(String(value));
  }
  return complete;
}

async function readText(path: string, input: NodeJS.ReadableStream): Promise<string> {
  try {
    return path === '-' ? await readAll(input) : readFileSync(path, 'utf8');
  } catch (error) {
    throw refused(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** The command is done when its file is written, so a file that fails must not hide what was done. */
function writeOut(file: ReservedFile, path: string, content: string, printNote: () => void): void {
  try {
    file.write(content);
  } catch (error) {
    printNote();
    throw new CommandFailed('failed', `It was done, but cannot be written to ${path}: ${(error as Error).message}`);
  }
}

function printNote(command: AdminCommand, result: unknown, terminal: Terminal): void {
  const note = command.note?.(result) ?? '';
  if (note !== '') terminal.err(`${note}\n`);
}
