import type Koa from 'koa';
import type { Session } from '../../sql/org/store.ts';
import type { KeyHolder } from '../access/api-key-cache.ts';
import type { Caller } from '../access/caller.ts';
import type { KeptBody } from '../answers/answer-cache.ts';
import type { Operation } from '../operation/operation.ts';
import type { EngineTime } from '../warehouse/version.ts';
import type { Asset } from '../wire/asset.ts';
import type { TraceContext } from '../wire/trace-context.ts';

/**
 * The state of a request, as `context.state`. The optional members are absent from a request that did not get as
 * far as the middleware that sets them.
 */
export interface RequestState {
  /** UUIDv7; also `X-Request-Id`, and `instance` of a problem. */
  readonly requestId: string;
  /** performance.now() at the beginning. */
  readonly began: number;
  /** The trace of the caller that the request belongs to; null when it names none. */
  readonly trace: TraceContext | null;
  /** Set by the router. */
  operation?: Operation;
  /** The holder of the key that was presented, also when the key is refused. */
  identity?: KeyHolder;
  /** Set by `authenticate`. */
  caller?: Caller;
  /** Set by `pin dataset`: the time that the engine has taken. */
  engine?: EngineTime;
  /** Set by `respond` when the answer is an asset. */
  asset?: Asset;
  /** Set by `reuse answer` when the body may be sent again to others: with the bytes that this answer sends of it. */
  kept?: { readonly body: KeptBody; readonly sent: Buffer };
  /** Set by `respond`: length of a list; null for what is no list. */
  rowCount?: number | null;
  /** Set by `write`: the audit log has this call already. */
  recorded?: true;
}

/** The state of a request whose caller is known. */
export interface CallerState extends RequestState {
  caller: Caller;
  /** Set by `write`: the one transaction of a write. */
  session?: Session;
}

export type Context<State extends RequestState = RequestState> = Koa.ParameterizedContext<State>;

/** A Koa middleware around every request, whether or not it reaches an operation. */
export type FrameMiddleware = (context: Context, next: () => Promise<void>) => Promise<void>;

/** The context of a request that has reached its operation. */
export type OperationContext<State extends RequestState = RequestState> = Context<State> & {
  /** The path parameters, decoded but not yet checked. */
  readonly params: Readonly<Record<string, string>>;
};

/**
 * A Koa middleware around one operation. It states what it needs in `context.state`, and hands what it finds out to
 * `next`, which adds it to the state: `next({ caller })`.
 */
export type Middleware<Needs extends RequestState = RequestState, Adds extends object = NonNullable<unknown>> = (
  context: OperationContext<Needs>,
  next: Next<Adds>,
) => Promise<void>;

type Next<Adds extends object> = (...adds: keyof Adds extends never ? [] : [Adds]) => Promise<void>;
