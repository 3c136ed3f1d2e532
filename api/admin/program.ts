import { CommanderError, Command as Parser } from 'commander';
import { withoutKeys } from '../../sql/org/api-key.ts';
import { carryOut, type Run } from './carry-out.ts';
import { type Command, isOptional, spelled, type Typed, type Word } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { EXIT, exitOf } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** The command line, npm run admin -- <command>: made from the commands (commands.ts). */

const PROGRAM = 'npm run admin --';

/** Runs what was typed. @returns the exit code */
export async function runProgram(words: readonly string[], terminal: Terminal, run: Run): Promise<number> {
  try {
    await programOf(terminal, run).parseAsync([...words], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { exit, message } = exitOf(error);
    terminal.err(`${withoutKeys(message)}\n`);
    return EXIT[exit];
  }
}

function programOf(terminal: Terminal, run: Run): Parser {
  const program = new Parser(PROGRAM)
    .description('Administration: organisations, their users and their keys.')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(withoutKeys(text)) })
    .showHelpAfterError(`Help: ${PROGRAM} --help`);
  for (const command of COMMANDS) {
    const words = command.name.split(' ');
    const parser = groupOf(program, words.slice(0, -1)).command(words.at(-1)!);
    describe(parser, command);
    parser.action(() => {
      const { out = null, json = false, ...options } = parser.opts<{ out?: string; json?: true } & Typed>();
      const typed = { ...options, ...argumentsOf(parser, command) };
      return carryOut(command, typed, { out, json }, terminal, run);
    });
  }
  return program;
}

/** The parser of a group, made when its first command comes. */
function groupOf(program: Parser, words: readonly string[]): Parser {
  return words.reduce((parser, word, depth) => {
    const present = parser.commands.find((candidate) => candidate.name() === word);
    if (present !== undefined) return present;
    const name = words.slice(0, depth + 1).join(' ');
    return parser.command(word).description(GROUPS[name]!).showHelpAfterError(`Help: ${PROGRAM} ${name} --help`);
  }, program);
}

function describe(parser: Parser, { name, summary, description, examples, words, file }: Command): void {
  parser
    .summary(summary)
    .description(`${capitalised(summary)}.${description === undefined ? '' : `\n\n${description}`}`);
  for (const [word, said] of Object.entries(words)) {
    const form = spelled(word, said);
    const required = isOptional(said.schema) ? '' : ' (required)';
    if (isPositional(said)) parser.argument(form, said.meaning);
    else parser.option(`${form} ${said.value}`, said.meaning + required);
  }
  if (file !== undefined) parser.option('--out <file>', 'write it to this new file, which only you can read');
  parser.option('--json', 'the result as JSON');
  const lines = examples.map((example) => `  ${PROGRAM} ${name} ${example}`.trimEnd());
  parser.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  parser.showHelpAfterError(`Help: ${PROGRAM} ${name} --help`);
}

const isPositional = ({ kind }: Word): boolean => kind !== 'option' && kind !== 'flag';

/** The arguments by word; those that were left out are absent. */
function argumentsOf(parser: Parser, { words }: Command): Typed {
  const names = Object.keys(words).filter((name) => isPositional(words[name]!));
  const given = parser.processedArgs as readonly (string | string[] | undefined)[];
  return Object.fromEntries(names.flatMap((name, place) => (given[place] === undefined ? [] : [[name, given[place]]])));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
