import { type Program, runProgram } from '../../runtime/command-line/program.ts';
import type { Terminal } from '../../runtime/command-line/terminal.ts';
import { withoutSecrets } from '../../sql/org/api-key.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import type { AdminCommand } from './common/admin-command.ts';
import { adminFailureOf } from './common/failures.ts';
import { PROGRAM_NAME } from './execution/execute.ts';
import { type Execute, invoke } from './execution/invoke.ts';

/** Runs a command line of the administration. @returns the exit code */
export function runAdmin(words: readonly string[], terminal: Terminal, execute: Execute): Promise<number> {
  const program: Program<AdminCommand> = {
    name: PROGRAM_NAME,
    description: 'Administration: organisations, their users and their keys.',
    commands: COMMANDS,
    groups: GROUPS,
    run: (command, invocation) => invoke(command, invocation, terminal, execute),
    failureOf: adminFailureOf,
    redact: withoutSecrets,
  };
  return runProgram(program, words, terminal);
}
