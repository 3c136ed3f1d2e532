import type { Hint, PageMeta } from './answers.ts';
import type { Answer } from './client.ts';

/**
 * Units, whatever fields they have, and the catalogues that describe them, as far as pages read them. The test
 * test/dashboards/answers.ts holds these types to real answers.
 */

/** A field of a unit. */
export interface CatalogField {
  readonly name: string;
  readonly typ: string;
  readonly beschreibung: string;
  /** Physical unit; null = none. */
  readonly einheit: string | null;
  /** Closed list of values; null = open. */
  readonly werte: readonly string[] | null;
  readonly lesbar: boolean;
  readonly filterbar: boolean;
  readonly sortierbar: boolean;
  /** Names of the parameters that filter by it. */
  readonly filter: readonly string[];
  /** null = the base form. */
  readonly block: string | null;
  /** Module that it needs; null = none. */
  readonly modul: string | null;
  /** True: this key gets it. */
  readonly verfuegbar: boolean;
  readonly hinweis: string | null;
}

export type FieldCatalog = Answer<readonly CatalogField[]>;

/** A filter whose values can be looked up. */
export interface ReferenceSet {
  readonly name: string;
  readonly filter: string;
  /** True: there are too many values to list them; some are found by a part of them. */
  readonly requiresQuery: boolean;
}

export type ReferenceSetList = Answer<readonly ReferenceSet[]>;

export interface SavedFilter {
  readonly id: string;
  readonly name: string;
  /** The view that it opens; absent = it is a filter alone. */
  readonly ansicht?: { readonly page: string; readonly query: string };
  readonly geaendertAm: string;
}

export type SavedFilterAnswer = Answer<SavedFilter>;

export type SavedFilterList = Answer<readonly SavedFilter[]>;

/** A value of a field as JSON has it. */
export type FieldValue = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;

/** A unit with the fields that were asked for; the catalogue says what they are. */
export interface UnitFields {
  readonly mastrNummer: string;
  readonly [field: string]: FieldValue;
}

export type UnitRows = Answer<
  readonly UnitFields[],
  { readonly page: PageMeta & { readonly total: number }; readonly hinweise?: readonly Hint[] }
>;

export type UnitDetail = Answer<UnitFields>;

/** A unit at the location of another. */
export interface Neighbour {
  readonly mastrNummer: string;
  readonly einheitTyp: string;
  readonly energietraeger: string | null;
  readonly betriebsStatus: string | null;
  readonly bruttoleistungKw: number | null;
}

/** The answer with include=standort: the first of what stands there, by number. */
export type UnitWithNeighbours = Answer<{
  readonly nachbarn: { readonly anzahl: number; readonly einheiten: readonly Neighbour[] };
}>;

/** An award, as a unit names it. */
export interface UnitAward {
  readonly gebotsterminId: number;
  readonly technologie: string;
  readonly datum: string;
  readonly zuschlagsnummer: string | null;
  readonly gebotsmengeKw: number | null;
  /** `register` or `abgleich`. */
  readonly zuordnung: string;
  /** `sicher`, or how sure the match is. */
  readonly sicherheit: string;
}

export interface OwnField {
  readonly id: string;
  readonly name: string;
  readonly typ: string;
  /** Several values on one unit. */
  readonly mehrfachwerte: boolean;
}

export type OwnFieldList = Answer<readonly OwnField[]>;

export interface OwnValue {
  readonly defId: string;
  readonly text: string | null;
  readonly zahl: number | null;
  readonly datum: string | null;
  readonly datumsgenauigkeit: string;
  /** `eigen` or `gegenseite`. */
  readonly schreiber: string;
  readonly reihenfolge: number;
  readonly geaendertAm: string;
}

export type OwnValuesOfUnits = Answer<
  readonly (OwnValue & { readonly mastrNummer: string })[],
  { readonly complete: boolean }
>;

export type OwnValueList = Answer<readonly OwnValue[], { readonly complete: boolean }>;
