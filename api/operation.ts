import type { z } from 'zod';
import type { Service } from './service.ts';
import type { Dataset } from './warehouse/warehouse.ts';

/**
 * An operation is a value: what a caller may ask, what it needs for that, what comes back, and the function that
 * answers. The chain (chain/chain.ts) is the same around all of them; documentation is made from the same values.
 */
export interface Operation<Path extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject> {
  /** Stable name in logs and documentation: resource and verb. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Scope that the key needs; null = none. */
  readonly scope: string | null;
  /** Module that the organisation needs; null = none. */
  readonly module: string | null;
  readonly cost: 'cheap' | 'standard' | 'mutation' | 'expensive';
  /** `register`: depends on nothing but the dataset version, the day and the query, so it carries an entity tag. */
  readonly source: 'register' | 'service';
  readonly pathParameters: Path;
  readonly query: Query;
  /** The JSON body; absent = the operation takes none. */
  readonly body?: z.ZodType;
  /** Media type of the answer. */
  readonly media: 'application/json' | 'text/html';
  /** The whole answer, as it goes over the wire; null where it is not JSON. */
  readonly answer: z.ZodType | null;
  // A method, not a property: so an operation with narrower parameters still fits into the list of all.
  handle(call: Call<z.output<Path>, z.output<Query>>): Promise<Answer>;
}

/** One valid request on its way through an operation. */
export interface Call<Path = Record<string, unknown>, Query = Record<string, unknown>> {
  readonly path: Path;
  readonly query: Query;
  readonly body: unknown;
  /** The query as it was written, for links to other pages of it. */
  readonly search: URLSearchParams;
  readonly service: Service;
  /** Calendar day that counts as today; one and the same for the whole request. */
  readonly today: string;
  /**
   * The dataset version this request reads: the one that was current when it first asked, through all its queries.
   * @throws Problem DATASET_NOT_READY when none was published yet
   */
  dataset(): Dataset;
}

interface Answer {
  /** Absent = 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The envelope, or the page of an HTML operation. */
  readonly body: { readonly data: unknown; readonly meta: object } | string;
}

/** Declares an operation; the parameters' schemas type the handler's call. */
export function operation<Path extends z.ZodObject, Query extends z.ZodObject>(
  value: Operation<Path, Query>,
): Operation<Path, Query> {
  return value;
}
