import type Koa from 'koa';
import type { Call, Operation } from '../operation.ts';

/** What the steps of the chain know of a request; each step fills in its part. */
export interface State {
  /** UUIDv7; also `X-Request-Id`, and `instance` of a problem. */
  requestId: string;
  /** From `route`. */
  operation: Operation;
  /** From `route`: the path parameters, decoded but not yet checked. */
  pathTexts: Readonly<Record<string, string>>;
  /** From `readBody`: undefined when the operation takes none. */
  body: unknown;
  /** From `takeDataset`. */
  dataset: Call['dataset'];
  /** From `validate`. */
  call: Call;
}

export type Exchange = Koa.ParameterizedContext<State>;

/** One link of the chain: does its part, and lets the rest follow with `next()`. */
export type Step = (exchange: Exchange, next: () => Promise<void>) => Promise<void>;
