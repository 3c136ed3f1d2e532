import type { Procedure, Technology } from '../../sql/tenders/technologies.ts';

/** Tenders and awards as they are kept. Powers are kilowatts, prices ct/kWh, days YYYY-MM-DD; null is not known. */

/** The published figures of a round. */
export interface RoundFigures {
  readonly zuschlaege: number | null;
  readonly volumenAusgeschriebenKw: number | null;
  readonly volumenBeworbenKw: number | null;
  readonly volumenBezuschlagtKw: number | null;
  readonly gebotNiedrigstesCtKwh: number | null;
  readonly gebotHoechstesCtKwh: number | null;
  readonly zuschlagswertDurchschnittCtKwh: number | null;
  /** Bids above it were excluded. */
  readonly hoechstwertCtKwh: number | null;
}

export interface TenderRound extends RoundFigures {
  readonly id: number;
  readonly technologie: Technology;
  readonly verfahren: Procedure;
  readonly datum: string;
  /** PENDING: nothing of its result is there. FAILED: loading its list failed, and nothing older is there. */
  readonly status: 'IMPORTED' | 'PENDING' | 'FAILED';
  readonly bezeichnung: string | null;
  /** Every award has the same value. */
  readonly einheitspreis: boolean;
  /** The value is a fixed premium on top of the market price: innovation until April 2022. */
  readonly festePraemie: boolean;
  /** The day from which the periods of the law run, one week after publication. */
  readonly bekanntgabe: string | null;
  readonly quelle: string | null;
  /** An award list is loaded. */
  readonly liste: boolean;
}

/** The location of an award as its list has it: the places are those of the first one of the cell. */
export interface Location {
  readonly bundesland: string | null;
  readonly landkreis: string | null;
  readonly plz: string | null;
  readonly gemeinde: string | null;
  readonly gemarkung: string | null;
  /** `Gemarkung/Flur/Zähler/Nenner`, joined by `; `; null when nothing parsed. */
  readonly flurstueck: string | null;
  /** The cell as published, trimmed. */
  readonly flurstueckRoh: string | null;
  readonly mastrNummern: readonly string[];
  readonly foerderNummern: readonly string[];
}

/** An award as its list has it. */
export interface ListedAward extends Location {
  readonly id: number;
  readonly gebotstermin: number;
  /** Printed in one form; as published where it does not parse; null for a row without a number. */
  readonly zuschlagsnummer: string | null;
  readonly gebotsmengeKw: number | null;
}

/** A remark on a list or workbook for operators; it never has a bidder's name. */
export interface TenderFinding {
  readonly befund: string;
  readonly art: 'ausschreibungen';
  /** The column that it is about. */
  readonly feld: string;
  readonly hinweis: string;
  /** An award number, a date or a file. */
  readonly beispiel: string;
  readonly anzahl: number;
}
