import type { Answer } from './client.ts';

/** Rules of plausibility, as far as pages read them; test/dashboards/answers.ts holds these types to real answers. */

export interface QualityRule {
  readonly regel: string;
  readonly name: string;
  /** `fehler`, `warnung`, `hinweis`. */
  readonly schwere: string;
  /** The fields of units that it compares. */
  readonly felder: readonly string[];
  readonly beschreibung: string;
  readonly quelle: string;
  readonly count: number;
  readonly bruttoleistungKw: number;
}

export type QualityRules = Answer<
  readonly QualityRule[],
  {
    readonly einheiten: number;
    /** null = a version of an earlier release does not know. */
    readonly auffaellig: { readonly count: number; readonly bruttoleistungKw: number } | null;
  }
>;

export interface QualityDay {
  /** Day of an export. */
  readonly tag: string;
  readonly count: number;
  readonly bruttoleistungKw: number;
}

export type QualityHistory = Answer<readonly QualityDay[]>;

/** A rule says this about a unit. */
export interface Anomaly {
  readonly regel: string;
  readonly felder: readonly string[];
  readonly schwere: string;
  readonly hinweis: string;
  /** `hinweis` in English. */
  readonly note: string;
}

/** A value that is plainly meant. */
export interface Proposal {
  readonly feld: string;
  readonly wert: string | number;
  readonly regel: string;
  readonly begruendung: string;
  /** In English; versions of earlier releases have none. */
  readonly reason?: string;
}
