import type { Limits } from '../../sql/org/callers.ts';
import type { Scope } from '../../sql/org/rights.ts';
import type { Booked } from './booked.ts';

/** The caller: a key, and the organisation that it belongs to. */
export interface Caller {
  readonly key: {
    readonly id: string;
    readonly prefix: string;
    readonly scopes: ReadonlySet<Scope>;
    /** Scopes of the key that this release does not know. */
    readonly unknownScopes: readonly string[];
  };
  readonly organisation: Booked & {
    readonly name: string;
    readonly limits: Limits;
    /** True when limits were agreed for this organisation, whatever they are. */
    readonly ownLimits: boolean;
    /** Calls per calendar month. */
    readonly quota: number;
  };
  /** True where a page asks in its session (app-session.ts): what that may ask is counted by its cost (session-budgets.ts). */
  readonly session?: true;
  /** The public link through which somebody calls who has no key (share-links.ts). */
  readonly share?: { readonly id: string; readonly page: string; readonly query: string };
  /** The network from which somebody calls without a key what is open to everybody (visitors.ts). */
  readonly visitor?: { readonly address: string };
}
