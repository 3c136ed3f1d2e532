import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import {
  argument,
  choice,
  file,
  fileOption,
  flag,
  notation,
  option,
  type Parameter,
} from '../../../runtime/command-line/parameter.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { limitsOf } from '../../../sql/org/callers.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { isScope } from '../../../sql/org/rights.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { bookedBy } from '../../access/booked.ts';
import type { Caller } from '../../access/caller.ts';
import type { Hint } from '../../hints/hints.ts';
import type { Call, KeyOperation } from '../../operation/operation.ts';
import { Problem } from '../../problem/problem.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { type AdminCommand, adminCommand } from './admin-command.ts';
import { refuseFaults, shapeFaults } from './document-faults.ts';
import { refuseMissing } from './encryption.ts';
import { findOrganisation, organisationArgument } from './find-organisation.ts';
import { readJson } from './read-json.ts';
import { numberParameters, readNumbers } from './read-numbers.ts';
import { registerBeside } from './register-beside.ts';
import { SCOPE_NAMES, uuid } from './schemas.ts';
import { printed } from './text-table.ts';
import { thingArgument, thingNamed } from './thing-named.ts';

/**
 * Commands that are operations of the interface, asked by the operator for an organisation: arguments and help come from the
 * schemas of the operation, its handler does the work, and one printer shows the answer.
 */

export interface CommandForm {
  /** As it is typed: `filters create`. */
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly examples: readonly string[];
  /** Members of the body that are arguments, in this order; the others are options. */
  readonly arguments?: readonly string[];
  /** Options by the member that they stand for, where they have another name: `{ nutzer: 'users' }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Lists the things of which the path names one, so that a name does instead of the id. A list of them is narrowed to that one. */
  readonly named?: Named;
  /** Members of the body or of the path that name such a thing. */
  readonly references?: Readonly<Record<string, Named | Find>>;
  /** Arguments by the parameter of the path that they stand for, where they have another name. */
  readonly paths?: Readonly<Record<string, string>>;
  /** The member of the body that is a list of MaStR numbers: all further arguments, and those of a file. */
  readonly numbers?: string;
  /** The words that a list may have, where the schema leaves that to the handler: `all` stands for them. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Members of the body that the command does not take. */
  readonly leaves?: readonly string[];
  /** Flags that stand for members with this value; these members have no option. */
  readonly flags?: Readonly<Record<string, { readonly meaning: string; readonly sends: object }>>;
  /** The command always sends this, and has no options. */
  readonly sends?: object;
  /** The body is one JSON document, in a file that the last argument names. Its text is not repeated in messages. */
  readonly document?: string;
  /** True: it is refused where this process has other keys than what the store keeps encrypted. */
  readonly encrypts?: true;
  /** True: the operator does it across organisations, and may more than the one that he does it for. */
  readonly across?: true;
}

/** Finds what a name or an id means. @throws CommandFailed */
type Find = (session: Session, organisation: OrganisationRow, reference: string) => Promise<{ readonly id: string }>;

interface Named {
  readonly what: string;
  readonly list: KeyOperation;
  readonly command: string;
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

type Ask = (asked: KeyOperation, path: object, body: unknown) => Promise<Envelope>;

/** @throws Error when a member has a type that no argument stands for */
export function operationCommand(operation: KeyOperation, form: CommandForm): AdminCommand {
  const path = Object.entries(operation.pathParameters.shape as Shape);
  const { named } = form;
  const isOne = operation === named?.list;
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
      ...(named !== undefined
        ? { [named.what]: thingArgument }
        : Object.fromEntries(
            path.map(([name, schema]) => [
              form.paths?.[name] ?? name,
              name in (form.references ?? {}) ? thingArgument : argument(meaningOf(schema), uuid()),
            ]),
          )),
      ...typed.parameters,
    },
    async run(store, input: Input, { settings }): Promise<Answered> {
      const sent = typed.read(input);
      const isChange = operation.method === 'PATCH' && form.document === undefined;
      if (isChange && Object.keys(sent ?? {}).length === 0)
        throw usageError(`Say what to change: ${notations(typed.parameters)}`);
      const organisation = await store.asOperator(async (session) => {
        if (form.encrypts) await refuseMissing(session, openKeyring(settings).keys());
        return findOrganisation(session, input.organisation as string);
      });
      const ask: Ask = (asked, path, body) =>
        answerOf(asked, { store, settings, organisation, across: form.across === true }, path, body).catch(
          refuseBy(form),
        );
      const { externalId } = organisation;
      const one = named === undefined ? null : await askedFor(String(input[named.what]), named, externalId, ask);
      if (isOne) return { organisation: externalId, data: one, meta: {} };
      const find: FindBy = (reference, by) =>
        typeof by === 'function'
          ? store.asOperator((session) => by(session, organisation, reference))
          : askedFor(reference, by, externalId, ask);
      const values = await withReferences(
        Object.fromEntries(path.map(([name]) => [name, one?.id ?? input[form.paths?.[name] ?? name]])),
        form.references,
        find,
      );
      const body = sent === undefined ? undefined : await withReferences(sent, form.references, find);
      return { organisation: externalId, ...(await ask(operation, values, body)) };
    },
    format: ({ data, meta }) => printed(data, meta),
    note: ({ meta }) => hintsIn(meta).join('\n'),
    logFields: ({ organisation, data, meta }) =>
      operation.method === 'GET' ? null : { organisation, operation: operation.id, of: idOf(data) ?? meta },
  });
  return command as AdminCommand;
}

type Input = Readonly<Record<string, string | true | readonly string[] | undefined>>;

/** The parameters that stand for the body, and the body that was typed. */
interface TypedBody {
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** @throws CommandFailed listing every fault */
  read(input: Input): Readonly<Record<string, unknown>> | undefined;
}

export function typedBody(operation: KeyOperation, form: Omit<CommandForm, 'name' | 'examples'>): TypedBody {
  const { body } = operation;
  if (body === undefined) return { parameters: {}, read: () => undefined };
  if (form.sends !== undefined) return { parameters: {}, read: () => ({ ...form.sends }) };
  if (form.document !== undefined) {
    return {
      parameters: { file: file(`${form.document}; - reads standard input`) },
      read: ({ file: text }) => checked(body, readJson(String(text)), {}),
    };
  }
  if (form.numbers !== undefined) {
    const member = form.numbers;
    return { parameters: numberParameters, read: (input) => checked(body, { [member]: readNumbers(input) }, {}) };
  }
  const flags = Object.entries(form.flags ?? {});
  const members = Object.entries((body instanceof z.ZodObject ? body.shape : {}) as Shape)
    .filter(([member]) => !form.leaves?.includes(member) && !flags.some(([, { sends }]) => member in sends))
    .map(([member, schema]) => ({
      ...{ member, schema, words: form.words?.[member] ?? wordsOf(plain(schema)) },
      isArgument: form.arguments?.includes(member) === true,
    }))
    .toSorted((one, other) => Number(other.isArgument) - Number(one.isArgument))
    .map((each) => ({
      ...{ ...each, option: form.options?.[each.member] ?? each.member },
      parameter: parameterOf(each),
    }));
  return {
    parameters: {
      ...Object.fromEntries(members.map(({ option, parameter }) => [option, parameter])),
      ...Object.fromEntries(flags.map(([name, { meaning }]) => [name, flag(meaning)])),
    },
    read(input) {
      const given = members.flatMap(({ member, option, schema, words }) => {
        const value = input[option] as string | true | undefined;
        return value === undefined ? [] : [[member, typedValue(schema, value, words)] as const];
      });
      const switched = flags.filter(([name]) => input[name] === true).map(([, { sends }]) => sends);
      return checked(body, Object.assign(Object.fromEntries(given), ...switched), form.options ?? {});
    },
  };
}

/** Returns what was sent as the schema of the operation takes it. @throws CommandFailed listing every fault under its option */
function checked(body: z.ZodType, sent: unknown, options: Readonly<Record<string, string>>) {
  const { success, data, error } = body.safeParse(sent);
  if (success) return data as Readonly<Record<string, unknown>>;
  return refuseFaults(
    shapeFaults(error, sent, body).map(({ path: [member = '', ...inside], message }) => ({
      path: [options[String(member)] ?? member, ...inside],
      message,
    })),
  );
}

type FindBy = (reference: string, by: Named | Find) => Promise<{ readonly id: string }>;

/** The members with ids in the place of names. @throws CommandFailed suggesting the nearest name */
async function withReferences(
  sent: Readonly<Record<string, unknown>>,
  references: CommandForm['references'] = {},
  find: FindBy,
) {
  const found: Record<string, unknown> = { ...sent };
  for (const [member, by] of Object.entries(references)) {
    if (found[member] !== undefined) found[member] = (await find(String(found[member]), by)).id;
  }
  return found;
}

interface Thing {
  readonly id: string;
  readonly name: string;
}

const askedFor = async (reference: string, { list, ...of }: Named, organisation: string, ask: Ask): Promise<Thing> =>
  thingNamed(reference, (await ask(list, {}, undefined)).data as readonly Thing[], { ...of, organisation });

type Shape = Readonly<Record<string, z.ZodType>>;

const notations = (parameters: TypedBody['parameters']): string =>
  Object.entries(parameters)
    .map(([name, parameter]) => notation(name, parameter))
    .join(', ');

const asked = ({ method, path }: KeyOperation): string => `${method} ${path}.`;

/** Words of capitals stay as they are. */
const uncapitalised = (text: string): string => text.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());

const meaningOf = (schema: z.ZodType): string => uncapitalised(schema.description ?? plain(schema).description ?? '');

/** The schema without what may be left out. */
const plain = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? plain(schema.unwrap() as z.ZodType) : schema;

interface Member {
  readonly schema: z.ZodType;
  /** The words of a closed list; null for any other. */
  readonly words: readonly string[] | null;
  readonly isArgument: boolean;
}

/** Values are checked by the schema of the whole body, so that the command line and the interface refuse the same. */
function parameterOf({ schema, words, isArgument }: Member): Parameter {
  const meaning = meaningOf(schema);
  const inner = plain(schema);
  const text = z.string();
  if (isArgument) return argument(meaning, schema instanceof z.ZodOptional ? text.optional() : text);
  const mandatory = !(schema instanceof z.ZodOptional);
  if (isTrue(inner) || inner instanceof z.ZodBoolean) return flag(meaning);
  if (inner instanceof z.ZodEnum) {
    return { ...choice(option('<name>', meaning, text.optional()), inner.options.map(String)), mandatory };
  }
  if (isText(inner)) return { ...option('<text>', meaning, text.optional()), mandatory };
  if (inner instanceof z.ZodArray) {
    const listed =
      words === null ? 'comma-separated, or none' : `any of ${words.join(', ')}, comma-separated; or all, or none`;
    return { ...option('<a,b>', `${meaning}: ${listed}`, text.optional()), mandatory };
  }
  return { ...fileOption(`a JSON file, or - for standard input: ${meaning}`), mandatory };
}

const isText = (schema: z.ZodType): boolean => schema instanceof z.ZodString || schema instanceof z.ZodStringFormat;

const isTrue = (schema: z.ZodType): boolean => schema instanceof z.ZodLiteral && schema.value === true;

const wordsOf = (schema: z.ZodType): readonly string[] | null =>
  schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum ? schema.element.options.map(String) : null;

/** The value that a typed text stands for. */
function typedValue(schema: z.ZodType, value: string | true, words: readonly string[] | null): unknown {
  const inner = plain(schema);
  if (value === true) return true;
  if (isText(inner) || inner instanceof z.ZodEnum) return value;
  if (!(inner instanceof z.ZodArray)) return readJson(value);
  if (value === 'none') return [];
  return value === 'all' && words !== null ? words : value.split(',').map((item) => item.trim());
}

interface Place {
  readonly store: OrgStore;
  readonly settings: Settings;
  readonly organisation: OrganisationRow;
  readonly across: boolean;
}

/** Calls the handler in the name of the organisation, with every scope. @throws Problem */
async function answerOf(
  operation: KeyOperation,
  { store, settings, organisation, across }: Place,
  path: object,
  body: unknown,
): Promise<Envelope> {
  // The parts that operations ask which are commands. One that asks for more cannot be a command yet.
  const call = {
    path,
    query: operation.query.parse({}),
    body,
    caller: operatorFor(organisation),
    service: {
      settings,
      get keyring() {
        return openKeyring(settings);
      },
    },
    records: (work) => (across ? store.asOperator(work) : store.asOrganisation(organisation.id, work)),
    dataset: () => registerBeside(settings),
    dryRun: false,
  } as Pick<Call, 'body' | 'caller' | 'dryRun' | 'path' | 'query' | 'records'> as Call;
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
  ({ options = {}, document }: CommandForm) =>
  (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { message, particulars } = error;
    // A sentence about one member begins with its name.
    const lines = (particulars.violations ?? []).map(({ detail, ...place }) => {
      const pointer = 'pointer' in place ? place.pointer : '';
      const member = pointer.replace('#/', '');
      const typed = document === undefined ? `--${options[member] ?? member}` : pointer;
      return detail.startsWith(`${member} `) ? typed + detail.slice(member.length) : detail;
    });
    // Names in double quotes are those of the organisation, whatever they are.
    const words = /"(?:[^"\\]|\\.)*"|\w+/g;
    const more = particulars.moreViolations ?? 0;
    const told = lines.length === 0 ? [message] : [...lines, ...(more === 0 ? [] : [`… and ${more} more`])];
    throw refused(told.join('\n').replaceAll(words, (word) => (word in options ? `--${options[word]}` : word)));
  };

/** The sentences of hints, which go where advice goes. */
const hintsIn = (meta: object): string[] =>
  ('hinweise' in meta ? (meta.hinweise as readonly Hint[]) : []).map(({ hinweis }) => hinweis);

/** The thing that a line of the log is about. */
function idOf(data: unknown): string | null {
  const { id, defId } = (data ?? {}) as { readonly id?: string; readonly defId?: string };
  return id ?? defId ?? null;
}
