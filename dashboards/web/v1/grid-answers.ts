import type { Hint, PageMeta } from './answers.ts';
import type { Answer } from './client.ts';

/** Grids of operators, as far as pages read them; test/dashboards/answers.ts holds these types to real answers. */

interface Amount {
  readonly anzahl: number;
  readonly bruttoleistungKw: number;
}

interface Capacity extends Amount {
  readonly nettonennleistungKw: number;
}

interface GridFigures {
  readonly bestand: Capacity;
  readonly pipeline: Capacity & { readonly genehmigtAnzahl: number; readonly genehmigtKw: number };
  readonly stillgelegt: Amount;
  readonly fernsteuerbar: Amount & {
    /** 0 to 1; null = there is no stock. */
    readonly anteilLeistung: number | null;
    readonly netzbetreiber: Amount;
    readonly direktvermarkter: Amount;
    readonly ohneAngabe: Amount;
  };
}

export interface GridRow extends GridFigures {
  /** null = the connection point is not known. */
  readonly spannungsebene: string | null;
  readonly einheitTyp: string;
}

export interface GridRule {
  readonly regel: string;
  readonly name: string;
  /** In English. */
  readonly title: string;
  readonly schwere: string;
  readonly einheitTyp: string;
  readonly count: number;
  readonly bruttoleistungKw: number;
}

export type Grid = Answer<
  {
    readonly spannungsebenen: readonly GridRow[];
    readonly totals: GridFigures;
    /** Planned units nearby whose grid nobody knows, by carrier. */
    readonly geplantOhneNetz: readonly (Amount & { readonly einheitTyp: string })[];
    readonly qualitaet: readonly GridRule[];
  },
  {
    readonly einheiten: number;
    readonly auffaellig: { readonly count: number; readonly bruttoleistungKw: number } | null;
    readonly hinweise?: readonly Hint[];
  }
>;

export interface ConnectionPoint {
  readonly netzanschlusspunktMastrNummer: string;
  readonly spannungsebene: string | null;
  readonly plz: string | null;
  readonly ort: string | null;
  readonly energietraeger: readonly string[];
  readonly bestand: Amount;
  readonly pipeline: Amount;
  readonly fernsteuerbarNetzbetreiber: Amount;
}

export type ConnectionPoints = Answer<readonly ConnectionPoint[], PageMeta>;

interface OperatorCapacity extends Amount {
  /** null = an earlier release built the version. */
  readonly nettonennleistungKw: number | null;
}

export interface GridOperator {
  readonly netzbetreiber: string;
  readonly mastrNummern: readonly string[];
  readonly einheiten: number;
  readonly bestand: OperatorCapacity;
  readonly pipeline: OperatorCapacity;
}

export type GridOperators = Answer<readonly GridOperator[], { readonly truncated: boolean }>;
