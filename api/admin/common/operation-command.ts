import { z } from 'zod';
import { type CommandFailed, refused } from '../../../runtime/command-line/exit.ts';
import { argument, choice, fileOption, flag, option, type Parameter } from '../../../runtime/command-line/parameter.ts';
import { limitsOf } from '../../../sql/org/limits.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { isScope } from '../../../sql/org/rights.ts';
import type { Session } from '../../../sql/org/store.ts';
import { bookedBy } from '../../access/booked.ts';
import type { Caller } from '../../access/caller.ts';
import type { Call, KeyOperation } from '../../operation/operation.ts';
import { Problem } from '../../problem/problem.ts';
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
  const body = (operation.body instanceof z.ZodObject ? operation.body.shape : {}) as Shape;
  const isArgument = (name: string): boolean => form.arguments?.includes(name) === true;
  const members = Object.keys(body).toSorted((one, other) => Number(isArgument(other)) - Number(isArgument(one)));
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
        Object.entries(path).map(([name, schema]) => [name, argument(meaningOf(schema), z.string())]),
      ),
      ...Object.fromEntries(members.map((name) => [name, parameterOf(body[name], isArgument(name))])),
    },
    run: (store, input: Readonly<Record<string, string | true | undefined>>) =>
      store.asOperator(async (session): Promise<Answered> => {
        const organisation = await findOrganisation(session, input.organisation as string);
        const sent = bodyOf(operation, body, input);
        const pathValues = Object.fromEntries(Object.keys(path).map((name) => [name, input[name]]));
        const { externalId } = organisation;
        return { organisation: externalId, ...(await answerOf(operation, session, organisation, pathValues, sent)) };
      }),
    format: ({ data, meta }) => printed(data, meta),
    logFields: ({ organisation, data, meta }) =>
      operation.method === 'GET' ? null : { organisation, operation: operation.id, of: idOf(data) ?? meta },
  });
  return command as AdminCommand;
}

type Shape = Readonly<Record<string, z.ZodType>>;

const asked = ({ method, path }: KeyOperation): string => `${method} ${path}.`;

const uncapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const meaningOf = (schema: z.ZodType): string => uncapitalised(schema.description ?? plain(schema).description ?? '');

/** The schema without what may be left out. */
const plain = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? plain(schema.unwrap() as z.ZodType) : schema;

/** Values are checked by the schema of the whole body, so that the command line and the interface refuse the same. */
function parameterOf(schema: z.ZodType | undefined, isArgument: boolean): Parameter {
  if (schema === undefined) throw new Error('The body has no such member');
  const meaning = meaningOf(schema);
  const inner = plain(schema);
  if (isArgument) return argument(meaning, z.string());
  const mandatory = !(schema instanceof z.ZodOptional);
  if (inner instanceof z.ZodBoolean) return flag(meaning);
  if (inner instanceof z.ZodEnum) {
    const names = inner.options.map(String);
    return { ...choice(option('<name>', meaning, z.string().optional()), names), mandatory };
  }
  if (inner instanceof z.ZodString) return { ...option('<text>', meaning, z.string().optional()), mandatory };
  return { ...fileOption(`a JSON file, or - for standard input: ${meaning}`), mandatory };
}

/** Makes the body from what was typed. @throws CommandFailed listing every fault */
function bodyOf({ body }: KeyOperation, members: Shape, input: Readonly<Record<string, string | true | undefined>>) {
  if (body === undefined) return undefined;
  const typed = Object.fromEntries(
    Object.entries(members).flatMap(([name, schema]) => {
      const value = input[name];
      return value === undefined ? [] : [[name, isText(schema) ? value : jsonOf(name, value)]];
    }),
  );
  const checked = body.safeParse(typed);
  return checked.success ? checked.data : refuseFaults(shapeFaults(checked.error, typed, body));
}

const isText = (schema: z.ZodType): boolean => {
  const inner = plain(schema);
  return inner instanceof z.ZodString || inner instanceof z.ZodEnum;
};

function jsonOf(name: string, value: string | true): unknown {
  if (value === true) return true;
  try {
    return JSON.parse(value);
  } catch (error) {
    throw refused(`--${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Calls the handler in the name of the organisation, with every scope. @throws CommandFailed for a problem */
async function answerOf(
  operation: KeyOperation,
  session: Session,
  organisation: OrganisationRow,
  path: Readonly<Record<string, unknown>>,
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
  try {
    return (await operation.handle(call)).body as Envelope;
  } catch (error) {
    throw error instanceof Problem ? refusedBy(error) : error;
  }
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

const refusedBy = ({ message, particulars: { violations = [] } }: Problem): CommandFailed =>
  refused([message, ...violations.map(({ detail }) => `  ${detail}`)].join('\n'));

/** A list is a table, an object its members one by one; what is gone is said by `meta`. */
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
  return nameValueLines(Object.entries(data ?? meta).map(([name, value]) => [name, cell(value)] as const));
}

const cell = (value: unknown): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);

const idOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : null;
