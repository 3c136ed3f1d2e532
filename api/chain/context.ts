import type Koa from 'koa';
import type { Session } from '../../sql/org/store.ts';
import type { Identity } from '../access/api-key-cache.ts';
import type { Caller } from '../access/caller.ts';
import type { Call, Operation } from '../operation/operation.ts';
import type { Asset } from '../wire/asset.ts';

/** What the steps of the chain know of a request; each step fills in its part. */
export interface State {
  /** UUIDv7; also `X-Request-Id`, and `instance` of a problem. */
  requestId: string;
  /** From `audit`: performance.now() at the beginning. */
  began: number;
  /** From `route`; undefined for a path that leads nowhere. */
  operation: Operation | undefined;
  /** From `route`: the path parameters, decoded but not yet checked. */
  pathTexts: Readonly<Record<string, string>>;
  /** From `authenticate`: whose key was presented, also when it is refused. */
  identity: Identity | undefined;
  /** From `authenticate`: undefined in public operations. */
  caller: Caller | undefined;
  /** From `accept`: the media type that is preferred. */
  media: string;
  /** From `readBody`: undefined when the operation takes none. */
  body: unknown;
  /** From `takeDataset`. */
  dataset: Call['dataset'];
  /** From `validate`: null = none was sent, or the operation takes none. */
  idempotencyKey: string | null;
  /** From `validate`. */
  call: Call;
  /** From `write`: the one transaction of a write. */
  session: Session | undefined;
  /** From `answer`: the file that the answer is; undefined for all else. */
  asset: Asset | undefined;
  /** From `answer`: length of a list; null for what is no list. */
  rowCount: number | null;
  /** From `write`: the audit log has this call already. */
  recorded: boolean;
}

export type Context = Koa.ParameterizedContext<State>;

/** One link of the chain: does its part, and lets the rest follow with `next()`. */
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
