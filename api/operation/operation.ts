import type { z } from 'zod';
import type { Module, Scope } from '../../sql/org/rights.ts';
import type { Work } from '../../sql/org/store.ts';
import type { Caller } from '../access/caller.ts';
import type { Code } from '../problem/codes.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { Asset } from '../wire/asset.ts';
import type { Service } from './service.ts';

/**
 * An operation is a value: what a caller may ask, what it needs for that, what comes back, and the function that
 * answers. The chain (chain/chain.ts) is the same around all of them; the OpenAPI document is made from the same values.
 */
export interface Operation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  /** Stable name in logs and documentation: resource and verb. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** More than the summary says, for the documentation (Markdown). */
  readonly description?: string;
  /** `public`: without a key. `key`: any valid key, whatever was booked. `api`: a key of an organisation with module api. */
  readonly access: 'public' | 'key' | 'api';
  /** Scope that the key needs; null = none. */
  readonly scope: Scope | null;
  /** Module that the organisation needs beside `api`; null = none. */
  readonly module: Module | null;
  readonly cost: 'cheap' | 'standard' | 'mutation' | 'expensive';
  /** True: of the older variant, which has its own ways about keys, limits and codes (older/variant.ts). */
  readonly older?: true;
  /** False: does not count against the month's quota. */
  readonly metered?: false;
  /** True: takes `Idempotency-Key` and `dryRun`; it writes, and does so in one transaction with its records. */
  readonly replayable?: true;
  /**
   * `register`: depends on nothing but the dataset version, the day, the query and what the organisation has booked;
   * `release`: not even on version and day, and where it is public it is an asset, the same for everybody. Both carry an
   * entity tag.
   */
  readonly source: 'register' | 'release' | 'service';
  /**
   * Of an operation over the register: whether this question is also answered from what the organisation keeps here.
   * Such an answer carries no entity tag.
   */
  dependsOnRecords?(query: z.output<Query>, caller: Caller): boolean;
  readonly pathParameters: Path;
  readonly query: Query;
  /** The JSON body; absent = the operation takes none. */
  readonly body?: Body;
  /** Media type of the answer. */
  readonly media: string;
  /** The whole answer, as it goes over the wire; null where it is not JSON. */
  readonly answer: z.ZodType | null;
  /** Other forms of the answer that `Accept` can ask for, by media type. */
  readonly otherMedia?: Readonly<Record<string, z.ZodType>>;
  /** Other statuses than 200 with the same answer, and when they come: `{ 207: 'at least one row failed' }`. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  /** Codes of problems that the handler itself can give, beside those of the chain. */
  readonly problems?: readonly Code[];
  /** An example for the documentation: a query string, a body. */
  readonly example?: {
    readonly query?: string;
    readonly path?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  // A method, not a property: so an operation with narrower parameters still fits into the list of all.
  handle(call: Call<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<Answer>;
}

/** One valid request on its way through an operation. */
export interface Call<Path = Record<string, unknown>, Query = Record<string, unknown>, Body = unknown> {
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** The query as it was written, for links to other pages of it. */
  readonly search: URLSearchParams;
  readonly service: Service;
  /** The media type of the operation that `Accept` prefers. */
  readonly media: string;
  /** Calendar day that counts as today; one and the same for the whole request. */
  readonly today: string;
  /** Whether a replayable operation is only rehearsed: it does everything, and nothing of it stays. */
  readonly dryRun: boolean;
  /**
   * Whose key it is.
   * @throws Error in a public operation: there nobody is known
   */
  readonly caller: Caller;
  /**
   * Works on what belongs to the caller's organisation (OrgStore.asOrganisation). In a replayable operation all work is
   * part of the one transaction that also holds the idempotency key and the audit entry.
   */
  records<Result>(work: Work<Result>): Promise<Result>;
  /**
   * The dataset version this request reads: the one that was current when it first asked, through all its queries.
   * @throws Problem DATASET_NOT_READY when none was published yet
   */
  dataset(): Dataset;
}

export interface Answer {
  /** Absent = 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent = the operation's own. */
  readonly media?: string;
  /** The envelope; or the text of an operation that does not answer JSON. */
  readonly body: { readonly data: unknown; readonly meta: object } | Asset | string | object;
}

/** Declares an operation; the parameters' schemas type the handler's call. */
export function operation<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  value: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> {
  return value;
}
