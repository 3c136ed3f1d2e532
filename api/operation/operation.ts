import { z } from 'zod';
import type { Settings } from '../../runtime/settings.ts';
import type { Module, Scope } from '../../sql/org/rights.ts';
import type { Work } from '../../sql/org/store.ts';
import type { Caller } from '../access/caller.ts';
import type { KeptBody } from '../answers/answer-cache.ts';
import type { Code } from '../problem/codes.ts';
import type { Problem } from '../problem/problem.ts';
import { CSV } from '../representation/csv.ts';
import type { TableWish } from '../representation/parameters.ts';
import type { RowsPath, Table } from '../representation/table.ts';
import { XLSX } from '../representation/xlsx.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { Asset } from '../wire/asset.ts';
import type { PageLinks } from '../wire/paging.ts';
import type { StoredFile } from '../wire/stored-file.ts';
import type { Service } from './service.ts';

/** The members that every operation declares for itself. */
interface Declared<Query extends z.ZodObject, Body extends z.ZodType> {
  /** Stable name in logs and documentation: resource and verb. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** More than the summary says, for the documentation (Markdown). */
  readonly description?: string;
  readonly cost: 'cheap' | 'standard' | 'mutation' | 'expensive';
  /** Calls that one with this query counts as; it is not checked yet. Default: one. */
  callsOf?(query: URLSearchParams): number;
  /**
   * True for operations of the older variant, which has its own rules for keys, limits and codes (older/variant.ts).
   */
  readonly older?: true;
  /** False: does not count against the month's quota. */
  readonly metered?: false;
  /** True: takes `Idempotency-Key` and `dryRun`; it writes, and does so in one transaction with its records. */
  readonly replayable?: true;
  /** True where somebody without a key may call it, too. */
  openToAll?(settings: Pick<Settings, 'DUMPS_ACCESS' | 'DUMPS_DIR'>): boolean;
  /** True where a public link may call it, as far as its view needs that (shares/views.ts). */
  readonly shared?: true;
  /** True where the query may name people: of its values the audit log keeps those of harmless parameters only. */
  readonly personalQuery?: true;
  /**
   * Returns true when this question to the register is also answered from records of the organisation. Such an answer
   * carries no entity tag.
   */
  dependsOnRecords?(query: z.output<Query>, caller: Caller): boolean;
  /** True where an answer from the register also tells when and why its version was published. */
  readonly dependsOnPublication?: true;
  /** The JSON body; absent = the operation takes none. */
  readonly body?: Body;
  /** True: a call that sends nothing counts as one with an empty object. */
  readonly bodyOptional?: true;
  /** True: the body comes as the forms of pages send it, and only from a page of this service; all its members are texts. */
  readonly form?: true;
  /** True for a list that no ceiling of rows cuts off. */
  readonly endless?: true;
  /** True: it asks other operations in the name of its caller, through all steps of theirs (Call.relay). */
  readonly relays?: true;
  /** Makes the page that people see instead of a problem document, for operations that a browser opens. */
  problemPage?(problem: Problem, request: FailedRequest): ProblemPage;
  /** The whole answer, as it goes over the wire; null when it is not JSON. */
  readonly answer: z.ZodType | null;
  /** Other forms of the answer that `Accept` can ask for, by media type; null for what is not JSON. */
  readonly otherMedia?: Readonly<Record<string, z.ZodType | null>>;
  /** Languages in which a page for people is there, the one for everybody else first (chain/language.ts chooses). */
  readonly languages?: readonly Language[];
  /**
   * The place of the rows in the answer. The operation then answers CSV and XLSX too, and takes the parameters that choose the
   * form of an answer; `datasets/served.ts` says which dataset is attributed there.
   */
  readonly table?: RowsPath;
  /** The status of the answer. Default: 200. */
  readonly status?: 201;
  /** Other statuses with the same answer, and when they come: `{ 207: 'at least one row failed' }`. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  /** Codes of problems that the handler itself can throw, in addition to those of the chain. */
  readonly problems?: readonly Code[];
  /** An example for the documentation and the tests: a query string, path parameters, a body. */
  readonly example?: {
    readonly query?: string;
    readonly path?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** The members for which there is a default. */
interface Defaulted<Path extends z.ZodObject, Query extends z.ZodObject> {
  /** Default: none. */
  readonly pathParameters: Path;
  /** Default: no parameters. */
  readonly query: Query;
  /** Media type of the answer. Default: application/json. */
  readonly media: string;
  /** Scope that the key needs. Default: null = none. */
  readonly scope: Scope | null;
  /** Module that the organisation needs in addition to `api`. Default: null = none. */
  readonly module: Module | null;
}

interface Described<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>
  extends Declared<Query, Body>,
    Defaulted<Path, Query> {}

/** An operation that anybody may call, without a key. */
export interface PublicOperation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> extends Described<Path, Query, Body> {
  readonly access: 'public';
  /** The answer depends on this. `release`: an asset, the same for everybody, which carries an entity tag. */
  readonly source: 'release' | 'service';
  // A method, not a property: so an operation with narrower parameters still fits into the list of all.
  handle(call: PublicCall<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<OperationResult>;
}

/** An operation that needs an API key. */
export interface KeyOperation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> extends Described<Path, Query, Body> {
  /**
   * `key`: any valid key, whatever was booked. `api`: a key of an organisation with module api. `link`: instead of a key, a
   * link that was made with one, in the path parameter `token`; the page is then called in the name of that key. `share`: a
   * public link to a view, in the same place; it is called in nobody's name.
   */
  readonly access: 'key' | 'api' | 'link' | 'share';
  /**
   * The answer depends on this. `register`: nothing but the dataset version, the day, the query and what the
   * organisation has booked; `release`: not even version and day. Both carry an entity tag. `file`: a StoredFile, which
   * has a tag of its own and can be read in ranges.
   */
  readonly source: 'register' | 'release' | 'service' | 'file';
  /** Present where an answer may be given again to whoever asks the same (`reusableOperation`). */
  readonly reusable?: Reusable<Path, Query, Body>;
  /** Writes a question that came as a body as a query, which the links of a page repeat. */
  asQuery?(body: z.output<Body>): URLSearchParams;
  handle(call: Call<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<OperationResult>;
}

/**
 * An operation is a value: what a caller may ask, what it needs for that, what comes back, and the function that
 * answers. The chain (chain/chain.ts) is compiled from it at start; the OpenAPI document is made from the same values.
 */
export type Operation = PublicOperation | KeyOperation;

/** Those of pages for people, the one for everybody else first. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One valid request to a public operation. */
export interface PublicCall<Path = Record<string, unknown>, Query = Record<string, unknown>, Body = unknown> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** The query as it was written, for links to other pages of it. */
  readonly search: URLSearchParams;
  readonly service: Service;
  /** The media type that the caller wants: what the parameter `format` says, else what `Accept` prefers. */
  readonly media: string;
  /** Of the languages that the operation has, the one that the caller prefers. */
  readonly language: Language;
  /** Calendar day that counts as today; one and the same for the whole request. */
  readonly today: string;
}

/** One valid request of a caller whose key is known. */
export interface Call<Path = Record<string, unknown>, Query = Record<string, unknown>, Body = unknown>
  extends PublicCall<Path, Query, Body> {
  readonly caller: Caller;
  /** The form in which the caller wants a table. */
  readonly table: TableWish;
  /** True for a replayable operation that is to do everything and keep nothing of it. */
  readonly dryRun: boolean;
  /**
   * Works on what belongs to the caller's organisation (OrgStore.asOrganisation). In a replayable operation all work is
   * part of the one transaction that also holds the idempotency key and the audit entry.
   */
  records<Result>(work: Work<Result>): Promise<Result>;
  /** Only where the operation relays. */
  readonly relay?: Relay;
  /**
   * Returns the dataset version that this request reads: the one that was current at the first call, for all its
   * queries.
   * @throws Problem DATASET_NOT_READY when none was published yet
   */
  dataset(): Dataset;
}

/** The request as an operation needs it that asks others in the name of the same caller. */
export interface Relay {
  readonly headers: Readonly<Record<string, string>>;
  /** Those of them that say who calls. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A question that was resolved: nothing is left of who asks it. */
export interface ImpersonalCall<Question = unknown> extends Pick<Call, 'dataset' | 'media' | 'table' | 'today'> {
  readonly question: Question;
  readonly service: Pick<Service, 'cursors' | 'settings' | 'syncTokens'>;
}

/** An answer is made in two steps, of which only the first knows the caller. */
interface Reusable<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  /** Operations of one family give equal answers to equal questions. Default: the id. */
  readonly family?: string;
  /**
   * Resolves what is asked, as a value of JSON: whatever the answer depends on beside version, day and form, so also what
   * it needs of the rights and records of the organisation. Equal questions have equal answers.
   */
  question(call: Call<z.output<Path>, z.output<Query>, z.output<Body>>): unknown;
  reply(call: ImpersonalCall): Promise<OperationResult>;
}

/** The result of an operation's handler. */
export interface OperationResult {
  /** Absent = the operation's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent = the operation's own. */
  readonly media?: string;
  /**
   * The members of a row that this answer has, as columns of its table; nested ones joined with a point. Absent = all.
   */
  readonly columns?: readonly string[];
  /** The table of this answer where it is another than its rows. */
  readonly table?: Pick<Table, 'columns' | 'rows'>;
  /** Day of the state that answers, YYYY-MM-DD, for the attribution beside a table. Absent = that of the version. */
  readonly asOf?: string | undefined;
  /** The length of the list that the body holds; null = it is no list. Absent = it is counted, which a text cannot be. */
  readonly rowCount?: number | null;
  /** The place in its list of a page whose `Link` header is still to be written. */
  readonly page?: PageLinks | undefined;
  /** The envelope; or the text of an operation that does not answer JSON. */
  readonly body: { readonly data: unknown; readonly meta: object } | Asset | KeptBody | StoredFile | string | object;
}

/** A request that ended in a problem, as the page about it needs to know it. */
export interface FailedRequest {
  readonly id: string;
  /** The relative address that leads from the path of the request to the root of the service. */
  readonly root: string;
  readonly language: Language;
}

/** A page that stands for a problem document, with its headers beside those of the problem. */
export interface ProblemPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The media types that an operation delivers, the preferred one first. */
export const mediaOf = ({ media, otherMedia = {}, table }: Operation): string[] => [
  media,
  ...Object.keys(otherMedia),
  ...(table === undefined ? [] : [CSV, XLSX]),
];

type NoParameters = z.ZodObject<Record<never, never>, z.core.$strict>;

const NO_PARAMETERS: NoParameters = z.strictObject({});

const DEFAULTS: Defaulted<NoParameters, NoParameters> = {
  pathParameters: NO_PARAMETERS,
  query: NO_PARAMETERS,
  media: 'application/json',
  scope: null,
  module: null,
};

/**
 * The defaults under the types of a declaration: a schema that it leaves out has the type NoParameters, the default of
 * its type parameter.
 */
const defaults = <Path extends z.ZodObject, Query extends z.ZodObject>() =>
  DEFAULTS as Defaulted<z.ZodObject, z.ZodObject> as Defaulted<Path, Query>;

type Declaration<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> = Declared<Query, Body> &
  Partial<Defaulted<Path, Query>>;

/** Declares an operation that needs a key; the schemas of its parameters type the handler's call. */
export function operation<
  Path extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodType,
>(
  declaration: Declaration<Path, Query, Body> &
    Pick<KeyOperation<Path, Query, Body>, 'access' | 'asQuery' | 'handle' | 'reusable' | 'source'>,
): KeyOperation<Path, Query, Body> {
  return { ...defaults<Path, Query>(), ...declaration };
}

/**
 * Declares an operation whose answers may be given again to others. What is theirs ends with `question`: `reply` has no
 * caller, no records and no query, so that an answer cannot depend on more than its question says.
 */
export function reusableOperation<
  Path extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodType,
  Question = unknown,
>({
  family,
  question,
  reply,
  ...declaration
}: Declaration<Path, Query, Body> &
  Pick<KeyOperation<Path, Query, Body>, 'access' | 'asQuery' | 'source'> & {
    readonly family?: string;
    question(call: Call<z.output<Path>, z.output<Query>, z.output<Body>>): Question | Promise<Question>;
    reply(call: ImpersonalCall<Question>): Promise<OperationResult>;
  }): KeyOperation<Path, Query, Body> {
  return operation<Path, Query, Body>({
    ...declaration,
    reusable: {
      ...(family === undefined ? {} : { family }),
      question,
      reply: (call) => reply(call as ImpersonalCall<Question>),
    },
    handle: async (call) => reply(impersonal(call, await question(call))),
  });
}

/** Takes from a call what does not say who calls. */
export const impersonal = <Question>(
  { dataset, media, table, today, service: { cursors, settings, syncTokens } }: Call,
  question: Question,
): ImpersonalCall<Question> => ({ dataset, media, table, today, question, service: { cursors, settings, syncTokens } });

/** Declares an operation that anybody may call. */
export function publicOperation<
  Path extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodType,
>(
  declaration: Declaration<Path, Query, Body> & Pick<PublicOperation<Path, Query, Body>, 'source' | 'handle'>,
): PublicOperation<Path, Query, Body> {
  return { ...defaults<Path, Query>(), ...declaration, access: 'public' };
}
