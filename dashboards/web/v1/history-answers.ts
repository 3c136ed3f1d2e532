import type { PageMeta } from './answers.ts';
import type { Answer } from './client.ts';
import type { FieldValue } from './unit-answers.ts';

/** What was known on earlier days, as far as pages read it; test/dashboards/answers.ts holds these types to real answers. */

/** A state that was published. */
interface Moment {
  /** Day of its export. */
  readonly tag: string;
}

export interface FieldChange {
  readonly feld: string;
  readonly vorher: FieldValue;
  readonly nachher: FieldValue;
}

/** How a unit was, until it became otherwise. */
export interface UnitInterval {
  /** How it began: `bestand`, `neu`, `geaendert`, `entfallen`. */
  readonly art: string;
  /** The last state that had it otherwise. */
  readonly nach: Moment | null;
  readonly von: Moment | null;
  readonly grund: string | null;
  readonly datumLetzteAktualisierung: string | null;
  readonly aenderungen: readonly FieldChange[];
}

export type UnitHistory = Answer<
  /** Newest first. */
  { readonly intervalle: readonly UnitInterval[] },
  /** Day of the first state that is known; null = none is. */
  { readonly bekanntAb: string | null }
>;

export interface RegisterChange {
  readonly mastrNummer: string;
  readonly einheitTyp: string;
  /** `neu`, `geaendert`, `entfallen`. */
  readonly art: string;
  readonly version: string;
  readonly tag: string;
  readonly nachTag: string;
  readonly datumLetzteAktualisierung: string | null;
  readonly grund: string | null;
  readonly aenderungen: readonly FieldChange[];
}

export type ChangeFeed = Answer<readonly RegisterChange[], PageMeta & { readonly bekanntAb: string | null }>;

interface Sum {
  readonly version: string;
  readonly tag: string;
  readonly anzahl: number;
  readonly bruttoleistungKw: number;
}

interface SumCause {
  readonly ursache: string;
  /** Units that it concerns. */
  readonly einheiten: number;
  readonly anzahl: number;
  readonly bruttoleistungKw: number;
}

export type SumChange = Answer<{
  readonly vorher: Sum;
  readonly nachher: Sum;
  /** They add up to the difference. */
  readonly ursachen: readonly SumCause[];
}>;
