import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { RELEASE } from '../release.ts';
import type { CommandInfo } from './command.ts';
import { completionScript, SHELLS, type Shell } from './completion.ts';
import { EXIT, type ExitName, type Failure } from './exit.ts';
import { isOptional, isPositional, notation, type Parameter, type RawArguments } from './parameter.ts';
import type { Terminal } from './terminal.ts';

/** A command line made from commands as values. */
export interface Program<C extends CommandInfo> {
  /** As it is typed: `npm run admin --`. */
  readonly name: string;
  readonly description: string;
  /** In the order of the help. */
  readonly commands: readonly C[];
  /** Descriptions of the groups of commands, by their common first words: `organisations modules`. */
  readonly groups?: Readonly<Record<string, string>>;
  run(command: C, invocation: Invocation): Promise<ExitName>;
  failureOf(error: unknown): Failure;
  /** Removes secrets from what goes to standard error: it may repeat what was typed. */
  redact?(text: string): string;
}

/** One command as it was typed; its values are not checked yet. */
export interface Invocation {
  readonly raw: RawArguments;
  readonly json: boolean;
  /** The file that `--out` names; null is standard output. */
  readonly out: string | null;
}

/** Runs a command line. @returns the exit code */
export async function runProgram<C extends CommandInfo>(
  program: Program<C>,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const redact = program.redact ?? ((text) => text);
  let exit: ExitName = 'done';
  const parser = parserOf(program, { ...terminal, err: (text) => terminal.err(redact(text)) }, (ended) => {
    exit = ended;
  });
  try {
    await parser.parseAsync([...words], { from: 'user' });
    return EXIT[exit];
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = program.failureOf(error);
    terminal.err(`${redact(failure.message)}\n`);
    return EXIT[failure.exit];
  }
}

function parserOf<C extends CommandInfo>(
  program: Program<C>,
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  end: (exit: ExitName) => void,
): Commander {
  const root = new Commander(program.name)
    .description(program.description)
    .version(RELEASE, '--version', 'print the release of the code')
    // Behind the name of a command an option is the command's, also one of the same name: `export --version <id>`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError(`Help: ${program.name} --help`);
  for (const command of program.commands) {
    const words = command.name.split(' ');
    const parser = groupOf(program, root, words.slice(0, -1)).command(words.slice(-1).join());
    describe(parser, command, program.name);
    parser.action(async () => {
      const typed = parser.opts<Record<string, string | true>>();
      const out = command.out !== undefined && typeof typed.out === 'string' ? typed.out : null;
      const json = command.json !== false && typed.json === true;
      end(await program.run(command, { raw: rawArguments(parser, command), json, out }));
    });
  }
  const shell = new Argument('<shell>', 'whose completion it is').choices(SHELLS);
  root
    .command('completion')
    .summary('print a script that completes commands and options in a shell')
    .description(
      `Prints a script that completes what is typed behind ${program.name}\n\n` +
        'bash, zsh: put its output into a file that the shell reads at its start\nfish: into ~/.config/fish/completions/npm.fish',
    )
    .addArgument(shell)
    .showHelpAfterError(`Help: ${program.name} completion --help`)
    .action((name: Shell) => out(completionScript(name, program.name, program.commands)));
  return root;
}

/** The parser of a group of commands, made together with its first command. */
function groupOf(program: Program<CommandInfo>, root: Commander, words: readonly string[]): Commander {
  return words.reduce((parser, word, depth) => {
    const present = parser.commands.find((candidate) => candidate.name() === word);
    if (present !== undefined) return present;
    const name = words.slice(0, depth + 1).join(' ');
    const description = program.groups?.[name] ?? '';
    return parser.command(word).description(description).showHelpAfterError(`Help: ${program.name} ${name} --help`);
  }, root);
}

function describe(parser: Commander, command: CommandInfo, program: string): void {
  const { name, summary, description, examples = [], parameters, json, out } = command;
  parser
    .summary(summary)
    .description(`${capitalised(summary)}.${description === undefined ? '' : `\n\n${description}`}`);
  for (const [key, parameter] of Object.entries(parameters)) declare(parser, key, parameter);
  if (out !== undefined) parser.option('--out <file>', out);
  if (json !== false) parser.option('--json', json ?? 'the result as JSON');
  const lines = examples.map((example) => `  ${program} ${name} ${example}`.trimEnd());
  if (lines.length > 0) parser.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  parser.showHelpAfterError(`Help: ${program} ${name} --help`);
}

function declare(parser: Commander, key: string, parameter: Parameter): void {
  const { meaning, placeholder = '', choices, mandatory = false } = parameter;
  const form = notation(key, parameter);
  if (isPositional(parameter)) {
    const argument = new Argument(form, meaning);
    parser.addArgument(choices === undefined ? argument : argument.choices(choices));
    return;
  }
  const required = isOptional(parameter) ? '' : ' (required)';
  const option = new Option(`${form} ${placeholder}`.trimEnd(), meaning + required).makeOptionMandatory(mandatory);
  parser.addOption(choices === undefined ? option : option.choices(choices));
}

/** Collects what was typed for each parameter; parameters that were left out are absent. */
function rawArguments(parser: Commander, { parameters }: CommandInfo): RawArguments {
  const options = parser.opts<Record<string, string | true>>();
  const positional = parser.processedArgs as readonly (string | string[] | undefined)[];
  let place = 0;
  const raw: Record<string, RawArguments[string]> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = isPositional(parameter) ? positional[place++] : options[name];
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
