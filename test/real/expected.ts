import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Real register content with expected figures lies beside the repository, in ../shared/data; its README.md says what it is.
 * It is not part of the repository: where it is missing, the tests say so and are skipped.
 */
const FOLDER = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

export const pathOf = (name: string): string => `${FOLDER}${name}`;

const isThere = existsSync(pathOf('register-real.zip'));

if (!isThere) process.stderr.write(`Tests of real register content are left out: ${FOLDER} is not there\n`);

/** Returns the title of a suite, with the reason where it is skipped. */
export const titled = (title: string): string => (isThere ? title : `${title} (left out: ${FOLDER} is not there)`);

/** True when the suites are skipped. */
export const isMissing = !isThere;

type Counts = Readonly<Record<string, number>>;

/** Values of a unit by field. */
type Fields = Readonly<Record<string, string | number | boolean | null>>;

interface PeriodRow {
  readonly periode: string;
  readonly energietraeger: string;
  readonly zubauAnzahl: number;
  readonly zubauMw: number;
  readonly abbauAnzahl: number;
  readonly abbauMw: number;
  readonly pipelineAnzahl: number;
  readonly pipelineMw: number;
}

export interface Figures {
  readonly einheitenGesamt: number;
  readonly proEinheitTyp: Counts;
  readonly proBetriebsStatus: Counts;
  readonly proBundesland: Counts;
  readonly proEinheitTypUndStatus: Counts;
  readonly bruttoleistungKwProEinheitTyp: Counts;
  readonly ohneBruttoleistung: Counts;
  readonly zeitreihe: readonly PeriodRow[];
  readonly tageAusserhalb1880bis2046: readonly unknown[];
  readonly altersstruktur: {
    readonly stichtag: string;
    readonly kohorten: readonly {
      readonly kohorte: string;
      readonly energietraeger: string;
      readonly anzahl: number;
      readonly mw: number;
    }[];
    readonly inBetriebOhneInbetriebnahmedatum: number;
    readonly inbetriebnahmeNachStichtag: number;
  };
  readonly koordinaten: {
    readonly mitKoordinaten: number;
    readonly davonAb30Kw: number;
    readonly davonGenau30Kw: number;
    readonly davonUnter30Kw: number;
    readonly davonOhneBruttoleistung: number;
  };
  readonly landkreiseTop20: readonly { readonly landkreis: string; readonly anzahl: number }[];
  readonly ohneLandkreis: number;
}

export interface Expected {
  readonly dateien: Counts;
  readonly datensaetze: Readonly<Record<string, { readonly datensaetze: number; readonly verschieden: number }>>;
  readonly kennzahlen: Figures;
  readonly einzelpruefungen: readonly { readonly bedient: Fields }[];
}

export interface RegisterState {
  readonly schritt: number;
  readonly tag: string;
  readonly datei: string;
  readonly einheiten: number;
  readonly gegenVorgaenger: {
    readonly neu: readonly string[];
    readonly verschwunden: readonly string[];
    readonly nurAndereElemente: readonly string[];
    /** Number to fields, each with its old and its new value. */
    readonly geaendert: Readonly<Record<string, Readonly<Record<string, readonly [unknown, unknown]>>>>;
  } | null;
}

export interface Days {
  readonly felder: readonly string[];
  readonly schritte: readonly RegisterState[];
}

/** An expected file; empty objects stand in where it is missing, as a suite is collected before it is left out. */
export const expected = <T>(name: string): T => (isThere ? JSON.parse(readFileSync(pathOf(name), 'utf8')) : {}) as T;
