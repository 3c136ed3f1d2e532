import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import {
  argument,
  choice,
  fileOption,
  flag,
  notation,
  option,
  type Parameter,
} from '../../../runtime/command-line/parameter.ts';
import { limitsOf } from '../../../sql/org/limits.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { isScope } from '../../../sql/org/rights.ts';
import type { Session } from '../../../sql/org/store.ts';
import { bookedBy } from '../../access/booked.ts';
import type { Caller } from '../../access/caller.ts';
import type { Call, KeyOperation } from '../../operation/operation.ts';
import { Problem } from '../../problem/problem.ts';
import { suggestion } from '../../wire/nearest.ts';
import { type AdminCommand, adminCommand } from './admin-command.ts';
import { refuseFaults, shapeFaults } from './document-faults.ts';
import { findOrganisation, organisationArgument } from './find-organisation.ts';
import { SCOPE_NAMES } from './schemas.ts';
import { type Cell, nameValueLines, table } from './text-table.ts';

/**
 * Commands that are operations of the interface, asked by the operator for an organisation: arguments and help come from the
 * schemas of the operation, its handler does the work, and one printer shows the answer.
 */

interface CommandForm {
  /** As it is typed: `filters create`. */
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly examples: readonly string[];
  /** Members of the body that are arguments, in this order; the others are options. */
  readonly arguments?: readonly string[];
  /** Options by the member that they stand for, where they have another name: `{ nutzer: 'users' }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Lists the things of which the path names one, so that a name does instead of the id. */
  readonly named?: { readonly what: string; readonly list: KeyOperation; readonly command: string };
}

interface Envelope {
  readonly data: unknown;
  readonly meta: object;
}

/** The command prints this with `--json`: the answer of the interface, and whose it is. */
interface Answered extends Envelope {
  /** External id. */
  readonly organisation: string;
}

/** @throws Error when a member has a type that no argument stands for */
export function operationCommand(operation: KeyOperation, form: CommandForm): AdminCommand {
  const path = operation.pathParameters.shape as Shape;
  const typed = typedBody(operation, form);
  const command = adminCommand({
    name: form.name,
    summary: form.summary ?? uncapitalised(operation.summary),
    description: [form.description ?? operation.description ?? '', `The interface does the same: ${asked(operation)}`]
      .filter(Boolean)
      .join('\n'),
    examples: form.examples,
    parameters: {
      organisation: organisationArgument,
      ...Object.fromEntries(
        Object.entries(path).map(([name, schema]) => {
          const meaning = form.named === undefined ? meaningOf(schema) : 'its name or its UUID';
          return [form.named?.what ?? name, argument(meaning, z.string().min(1, 'must not be empty'))];
        }),
      ),
      ...typed.parameters,
    },
    run: (store, input: Input) =>
      store.asOperator(async (session): Promise<Answered> => {
        const organisation = await findOrganisation(session, input.organisation as string);
        const sent = typed.read(input);
        const ask = (asked: KeyOperation, path: object, body: unknown) =>
          answerOf(asked, session, organisation, path, body).catch(refuseBy(form));
        const pathValues: Record<string, unknown> = {};
        for (const name of Object.keys(path)) {
          const value = String(input[form.named?.what ?? name]);
          pathValues[name] = form.named === undefined ? value : await idNamed(value, form.named, organisation, ask);
        }
        return { organisation: organisation.externalId, ...(await ask(operation, pathValues, sent)) };
      }),
    format: ({ data, meta }) => printed(data, meta),
    logFields: ({ organisation, data, meta }) =>
      operation.method === 'GET' ? null : { organisation, operation: operation.id, of: idOf(data) ?? meta },
  });
  return command as AdminCommand;
}

type Input = Readonly<Record<string, string | true | undefined>>;

/** The parameters that stand for the body, and the body that was typed. */
interface TypedBody {
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** @throws CommandFailed listing every fault */
  read(input: Input): unknown;
}

function typedBody(operation: KeyOperation, form: CommandForm): TypedBody {
  const { body } = operation;
  if (body === undefined) return { parameters: {}, read: () => undefined };
  const members = (body instanceof z.ZodObject ? body.shape : {}) as Shape;
  const isArgument = (name: string): boolean => form.arguments?.includes(name) === true;
  const sorted = Object.entries(members).toSorted(
    ([one], [other]) => Number(isArgument(other)) - Number(isArgument(one)),
  );
  const typed = sorted.map(([member, schema]) => ({
    ...{ member, schema, option: form.options?.[member] ?? member },
    parameter: parameterOf(schema, isArgument(member)),
  }));
  const isOptional = body.safeParse({}).success;
  return {
    parameters: Object.fromEntries(typed.map(({ option, parameter }) => [option, parameter])),
    read(input) {
      const given = typed.flatMap(({ member, option, schema }) => {
        const value = input[option];
        return value === undefined ? [] : [[member, typedValue(schema, option, value)] as const];
      });
      if (given.length === 0 && isOptional) {
        throw usageError(
          `Say what to change: ${typed.map(({ option, parameter }) => notation(option, parameter)).join(', ')}`,
        );
      }
      const sent = Object.fromEntries(given);
      const { success, data, error } = body.safeParse(sent);
      if (success) return data;
      const faults = shapeFaults(error, sent, body);
      return refuseFaults(
        faults.map(({ path: [member = '', ...inside], message }) => ({
          path: [form.options?.[String(member)] ?? member, ...inside],
          message,
        })),
      );
    },
  };
}

/** The id of the thing that somebody named. @throws CommandFailed suggesting the nearest name */
async function idNamed(
  reference: string,
  { what, list, command }: NonNullable<CommandForm['named']>,
  { externalId }: OrganisationRow,
  ask: (asked: KeyOperation, path: object, body: unknown) => Promise<Envelope>,
): Promise<string> {
  const rows = (await ask(list, {}, undefined)).data as readonly { readonly id: string; readonly name: string }[];
  const found = rows.find(({ id, name }) => name === reference || id === reference.toLowerCase());
  if (found !== undefined) return found.id;
  const near = suggestion(
    reference,
    rows.map(({ name }) => name),
  );
  throw refused(
    `${externalId} has no ${what} ${reference}${near}\nThose it has: npm run admin -- ${command} ${externalId}`,
  );
}

type Shape = Readonly<Record<string, z.ZodType>>;

const asked = ({ method, path }: KeyOperation): string => `${method} ${path}.`;

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const meaningOf = (schema: z.ZodType): string => uncapitalised(schema.description ?? plain(schema).description ?? '');

/** The schema without what may be left out. */
const plain = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? plain(schema.unwrap() as z.ZodType) : schema;

/** Values are checked by the schema of the whole body, so that the command line and the interface refuse the same. */
function parameterOf(schema: z.ZodType, isArgument: boolean): Parameter {
  const meaning = meaningOf(schema);
  const inner = plain(schema);
  const text = z.string();
  if (isArgument) return argument(meaning, text);
  const mandatory = !(schema instanceof z.ZodOptional);
  if (isTrue(inner) || inner instanceof z.ZodBoolean) return flag(meaning);
  if (inner instanceof z.ZodEnum) {
    const names = inner.options.map(String);
    return { ...choice(option('<name>', meaning, text.optional()), names), mandatory };
  }
  if (inner instanceof z.ZodString) return { ...option('<text>', meaning, text.optional()), mandatory };
  if (inner instanceof z.ZodArray) {
    const all = wordsOf(inner);
    const words =
      all === null ? 'comma-separated, or none' : `any of ${all.join(', ')}, comma-separated; or all, or none`;
    return { ...option('<a,b>', `${meaning}: ${words}`, text.optional()), mandatory };
  }
  return { ...fileOption(`a JSON file, or - for standard input: ${meaning}`), mandatory };
}

const isTrue = (schema: z.ZodType): boolean => schema instanceof z.ZodLiteral && schema.value === true;

/** The words of a closed list; null for any other. */
const wordsOf = ({ element }: z.ZodArray): readonly string[] | null =>
  element instanceof z.ZodEnum ? element.options.map(String) : null;

/** The value that a typed text stands for. */
function typedValue(schema: z.ZodType, name: string, value: string | true): unknown {
  const inner = plain(schema);
  if (value === true) return true;
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum) return value;
  if (inner instanceof z.ZodArray) {
    if (value === 'none') return [];
    const all = wordsOf(inner);
    return value === 'all' && all !== null ? all : value.split(',').map((item) => item.trim());
  }
  try {
    return JSON.parse(value);
  } catch (error) {
    throw refused(`--${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Calls the handler in the name of the organisation, with every scope. @throws Problem */
async function answerOf(
  operation: KeyOperation,
  session: Session,
  organisation: OrganisationRow,
  path: object,
  body: unknown,
): Promise<Envelope> {
  // A command has the store alone: an operation that asks the register, or needs keys of the service, cannot be one yet.
  const call = {
    path,
    query: operation.query.parse({}),
    body,
    caller: operatorFor(organisation),
    records: (work: (session: Session) => unknown) => work(session),
    dryRun: false,
  } as unknown as Call;
  return (await operation.handle(call)).body as Envelope;
}

function operatorFor(row: OrganisationRow): Caller {
  return {
    key: { id: row.id, prefix: 'operator', scopes: new Set(SCOPE_NAMES.filter(isScope)), unknownScopes: [] },
    organisation: {
      ...bookedBy(row),
      name: row.name,
      limits: limitsOf(row.limits),
      ownLimits: Object.keys(row.limits).length > 0,
      quota: row.quota,
    },
  };
}

/** Refuses what the interface refuses; members have the names of their options. @throws CommandFailed for a problem */
const refuseBy =
  ({ options = {} }: CommandForm) =>
  (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { message, particulars } = error;
    const lines = [message, ...(particulars.violations ?? []).map(({ detail }) => `  ${detail}`)];
    // Names in double quotes are those of the organisation, whatever they are.
    const words = /"(?:[^"\\]|\\.)*"|\w+/g;
    throw refused(lines.join('\n').replaceAll(words, (word) => (word in options ? `--${options[word]}` : word)));
  };

/** A list is a table, an object its members one by one; `meta` says what else has happened. */
function printed(data: unknown, meta: object): string {
  if (Array.isArray(data)) {
    const [first] = data;
    if (first === undefined) return 'None';
    const names = Object.keys(first);
    return table(
      names,
      data.map((row: Record<string, unknown>) => names.map((name) => cell(row[name]))),
    );
  }
  return nameValueLines(
    Object.entries({ ...(data as object | null), ...meta }).map(([name, value]) => [name, cell(value)] as const),
  );
}

const cell = (value: unknown): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);

const idOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : null;
