import type { SignalId } from '../../sql/catalogue/signals.ts';
import type { Limits } from '../../sql/org/limits.ts';
import type { Module, Scope } from '../../sql/org/rights.ts';

/** The caller: a key, and the organisation that it belongs to. */
export interface Caller {
  readonly key: {
    readonly id: string;
    readonly prefix: string;
    readonly scopes: ReadonlySet<Scope>;
    /** Scopes of the key that this release does not know. */
    readonly unknownScopes: readonly string[];
  };
  readonly organisation: {
    readonly id: string;
    readonly name: string;
    /** Modules that count as booked now: none once a trial has ended. */
    readonly modules: ReadonlySet<Module>;
    readonly signals: ReadonlySet<SignalId>;
    readonly alertTemplates: readonly string[];
    readonly limits: Limits;
    /** True when limits were agreed for this organisation, whatever they are. */
    readonly ownLimits: boolean;
    /** Calls per calendar month. */
    readonly quota: number;
    /** RFC 3339; null = no trial. */
    readonly trialEndsAt: string | null;
    readonly trialEnded: boolean;
  };
}
