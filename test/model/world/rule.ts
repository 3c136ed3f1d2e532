import type { Reality } from './reality.ts';
import type { World } from './world.ts';

/** The outcome of a deed, as the interface told it: `done`, `refused`, or status and rows of an answer. */
export type Outcome = 'done' | 'refused' | Readonly<Record<string, unknown>>;

/** One kind of step: what can be tried, what the model makes of it, and how it is really done. */
export interface Rule<Deed = unknown> {
  readonly name: string;
  /** Weight with which it is drawn, compared with others. Default: 1. */
  readonly weight?: number;
  /** Everything of this kind that could be tried now, also in vain. */
  deeds(world: World): Iterable<Deed>;
  /** True where it has to succeed. */
  fits(world: World, deed: Deed): boolean;
  /** Changes the model by a deed that fits. @returns what the interface has to tell of it */
  change(world: World, deed: Deed): Outcome;
  /** Gives the outcome of a deed that does not fit, and that changes nothing. Default: `refused`. */
  refusal?(world: World, deed: Deed): Outcome;
  /** Does it, after the model has changed. */
  perform(reality: Reality, deed: Deed, world: World): Promise<Outcome>;
  /** For people: `A invites B`. */
  tell(deed: Deed): string;
}

/** Declares a rule; its deeds type what it does with them. */
export const rule = <Deed>(value: Rule<Deed>): Rule => value as Rule;
