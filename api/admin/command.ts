import { z } from 'zod';
import type { Settings } from '../../runtime/settings.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/**
 * A command is a value: the words it takes, what it does with the store, and how its result reads. The command line
 * (program.ts) is made from these values; what a command does may happen there or inside a running service (reach.ts).
 */
export interface Command<Words extends WordsOf = WordsOf, Result = unknown> {
  /** Its words on the command line: `organisations modules add`. */
  readonly name: string;
  readonly summary: string;
  /** More than the summary says: rules, consequences. */
  readonly description?: string;
  /** What is typed behind the name, for the help. */
  readonly examples: readonly string[];
  readonly words: Words;
  /** `as they are`: the tables are not brought up to date before. `made here`: nor is it missed when there are none. */
  readonly tables?: 'as they are' | 'made here';
  /**
   * Does it. The result is plain JSON.
   * @throws NotDone
   */
  run(store: OrgStore, input: InputOf<Words>, context: CommandContext): Promise<Result>;
  /** The result for people, on standard output. */
  tell(result: NoInfer<Result>): string;
  /** What people should know beside it, on standard error, so that the output can be piped. */
  note?(result: NoInfer<Result>): string;
  /** The command has `--out <file>`: what goes there, and what is left to tell. */
  readonly file?: { content(result: NoInfer<Result>): string; rest(result: NoInfer<Result>): object };
  /** What the log keeps of a command that wrote; null when it changed nothing. Never a secret, never a person's name. */
  record?(result: NoInfer<Result>): object | null;
}

export interface CommandContext {
  readonly settings: Settings;
}

export type WordsOf = Readonly<Record<string, Word>>;

export type InputOf<Words extends WordsOf> = { readonly [Name in keyof Words]: z.output<Words[Name]['schema']> };

/** One thing that can be said to a command. Its schema gets a text; messages complete "--quota …". */
export interface Word<Schema extends z.ZodType = z.ZodType> {
  /**
   * `rest`: all arguments that follow. `flag`: an option without a value. `file`: an argument that names a file, `-` =
   * standard input; the command gets what is in it. `path`: an argument that names a file, which the command itself reads
   * or writes beside the store; it gets the whole path.
   */
  readonly kind: 'argument' | 'rest' | 'file' | 'path' | 'option' | 'flag';
  /** What stands behind an option, for the help: `<n>`. */
  readonly value: string;
  readonly meaning: string;
  readonly schema: Schema;
}

/** What was typed, by word: a flag is `true`, the arguments of `rest` are a list. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[]>>;

const plain =
  (kind: Word['kind']) =>
  <Schema extends z.ZodType>(meaning: string, schema: Schema): Word<Schema> => ({ kind, value: '', meaning, schema });

export const argument = plain('argument');
export const rest = plain('rest');
export const file = plain('file');

export const path = (meaning: string) => plain('path')(meaning, z.string().min(1, 'must name a file'));

export const option = <Schema extends z.ZodType>(value: string, meaning: string, schema: Schema): Word<Schema> => ({
  kind: 'option',
  value,
  meaning,
  schema,
});

export const flag = (meaning: string) => plain('flag')(meaning, z.literal(true).optional());

/** How a word is written: `trialEnd` is `--trial-end` as an option, `<trial-end>` as an argument. */
export function spelled(name: string, { kind, schema }: Word): string {
  const words = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (kind === 'option' || kind === 'flag') return `--${words}`;
  const dots = kind === 'rest' ? '...' : '';
  return isOptional(schema) ? `[${words}${dots}]` : `<${words}${dots}>`;
}

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** Declares a command; its words type what `run` gets. */
export const command = <Words extends WordsOf, Result>(value: Command<Words, Result>): Command<Words, Result> => value;
