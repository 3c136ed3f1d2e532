import { z } from 'zod';

/** An argument or an option of a command. Its schema gets text; the schema's messages complete "--quota …". */
export interface Parameter<Schema extends z.ZodType = z.ZodType> {
  /**
   * `rest` takes all arguments that follow. `flag` is an option without a value. `file` names a file, `-` standard
   * input, and the command gets its content; `file-option` is an option that does. `path` names a file that the command
   * itself reads or writes, and it gets the absolute path.
   */
  readonly kind: 'argument' | 'rest' | 'file' | 'path' | 'option' | 'file-option' | 'flag';
  readonly meaning: string;
  readonly schema: Schema;
  /** Stands for the value of an option in the help: `<n>`. */
  readonly placeholder?: string;
  /** The line is refused without this option before any value is checked. */
  readonly mandatory?: boolean;
  /** The only values there are; the help lists them. */
  readonly choices?: readonly string[];
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of parameters after their schemas have checked them. */
export type InputOf<P extends Parameters> = { readonly [Name in keyof P]: z.output<P[Name]['schema']> };

/** Typed text by parameter: a flag is `true`, and `rest` is a list. Parameters that were left out are absent. */
export type RawArguments = Readonly<Record<string, string | boolean | readonly string[]>>;

export const argument = <Schema extends z.ZodType>(meaning: string, schema: Schema): Parameter<Schema> => ({
  kind: 'argument',
  meaning,
  schema,
});

export const rest = <Schema extends z.ZodType>(meaning: string, schema: Schema): Parameter<Schema> => ({
  kind: 'rest',
  meaning,
  schema,
});

export const file = (meaning: string): Parameter<z.ZodString> => ({ kind: 'file', meaning, schema: z.string() });

export const path = (meaning: string): Parameter<z.ZodString> => ({
  kind: 'path',
  meaning,
  schema: z.string().min(1, 'must name a file'),
});

export const option = <Schema extends z.ZodType>(
  placeholder: string,
  meaning: string,
  schema: Schema,
): Parameter<Schema> => ({ kind: 'option', placeholder, meaning, schema });

export const mandatoryOption = <Schema extends z.ZodType>(
  placeholder: string,
  meaning: string,
  schema: Schema,
): Parameter<Schema> => ({ ...option(placeholder, meaning, schema), mandatory: true });

/** An option that names a file whose content the command gets. */
export const fileOption = (meaning: string): Parameter<z.ZodOptional<z.ZodString>> => ({
  kind: 'file-option',
  placeholder: '<file>',
  meaning,
  schema: z.string().optional(),
});

/** Restricts a parameter to a closed list of values. */
export const choice = <Schema extends z.ZodType>(
  parameter: Parameter<Schema>,
  choices: readonly string[],
): Parameter<Schema> => ({ ...parameter, choices });

export const flag = (meaning: string): Parameter<z.ZodOptional<z.ZodLiteral<true>>> => ({
  kind: 'flag',
  meaning,
  schema: z.literal(true).optional(),
});

const OPTIONS: readonly Parameter['kind'][] = ['option', 'file-option', 'flag'];

export const isPositional = ({ kind }: Parameter): boolean => !OPTIONS.includes(kind);

export const isOptional = ({ schema }: Parameter): boolean => schema.safeParse(undefined).success;

/**
 * Help and messages write `trialEnd` as `--trial-end` when it is an option, and as `<trial-end>` when it is an
 * argument.
 */
export function notation(name: string, parameter: Parameter): string {
  const kebab = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (!isPositional(parameter)) return `--${kebab}`;
  const dots = parameter.kind === 'rest' ? '...' : '';
  return isOptional(parameter) ? `[${kebab}${dots}]` : `<${kebab}${dots}>`;
}
