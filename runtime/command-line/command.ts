import { z } from 'zod';
import { usageError } from './exit.ts';
import { type InputOf, notation, type Parameters, type RawArguments } from './parameter.ts';

/** The description of a command, from which the command line is built; each program adds what its commands do. */
export interface CommandInfo<P extends Parameters = Parameters> {
  /** Its words on the command line: `organisations modules add`. */
  readonly name: string;
  /** One line of the list of commands; the first sentence of the command's own help. */
  readonly summary: string;
  /** More than the summary says: rules and consequences. */
  readonly description?: string;
  /** Arguments that can be typed after the name. The help shows them. */
  readonly examples?: readonly string[];
  readonly parameters: P;
  /** The help of `--json` where that is more than the result; false when the command has no such option. */
  readonly json?: string | false;
  /** The help of `--out <file>`; without it the command has no such option. */
  readonly out?: string;
}

/** The wording of a program's messages about arguments. */
export interface ArgumentMessages {
  /** As it is typed: `npm run admin --`. */
  readonly program: string;
  readonly messageOf?: (issue: z.core.$ZodIssue) => string;
  /** Explains an argument that the command does not have. */
  readonly unknownArgument?: string;
}

/**
 * Checks what was typed.
 * @throws CommandFailed listing every fault, one per line
 */
export function parseArguments<P extends Parameters>(
  { name, parameters }: CommandInfo<P>,
  raw: RawArguments,
  { program, messageOf = (issue) => issue.message, unknownArgument = '' }: ArgumentMessages,
): InputOf<P> {
  const schemas = Object.entries(parameters).map(([parameter, { schema }]) => [parameter, schema]);
  const { data, error } = z.strictObject(Object.fromEntries(schemas)).safeParse(raw);
  if (error === undefined) return data as InputOf<P>;
  const faults = error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '');
    const parameter = parameters[key];
    if (parameter === undefined) return `${issue.message}${unknownArgument}`;
    const isMissing = issue.code === 'invalid_type';
    return `${notation(key, parameter)} ${isMissing ? `is required: ${parameter.meaning}` : messageOf(issue)}`;
  });
  throw usageError([...faults, `Help: ${program} ${name} --help`].join('\n'));
}
