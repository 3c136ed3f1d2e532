import type { Handle } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

/** A request, its expected rows or object, and the members of `meta` that say something about them. */
export interface Answer {
  readonly organisation: Handle;
  readonly path: string;
  readonly data: unknown;
  readonly meta: Json;
}
