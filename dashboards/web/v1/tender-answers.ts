import type { Answer } from './client.ts';

/** The tenders, as far as pages read them; test/dashboards/answers.ts holds these types to real answers. */

export type Technology =
  | 'WIND'
  | 'SOLAR_FREIFLAECHE'
  | 'SOLAR_DACH'
  | 'BIOMASSE'
  | 'BIOMETHAN'
  | 'INNOVATION'
  | 'KWK'
  | 'GEMEINSAM'
  | 'WIND_SEE';

/** A bid date. Figures that were never published are null, and so are all of one that is only announced. */
export interface TenderRound {
  readonly id: number;
  readonly technologie: string;
  readonly datum: string;
  /** `IMPORTED`, `PENDING`, `FAILED`. */
  readonly status: string;
  readonly ergebnis: string;
  readonly bezeichnung: string | null;
  readonly zuschlaege: number | null;
  readonly volumenBeworbenKw: number | null;
  readonly volumenBezuschlagtKw: number | null;
  readonly volumenAusgeschriebenKw: number | null;
  readonly gebotNiedrigstesCtKwh: number | null;
  readonly gebotHoechstesCtKwh: number | null;
  readonly zuschlagswertDurchschnittCtKwh: number | null;
  /** The highest value that a bid could have. */
  readonly hoechstwertCtKwh: number | null;
}

export type TenderRounds = Answer<readonly TenderRound[], { readonly count: number; readonly complete: boolean }>;

export interface Award {
  readonly id: number;
  readonly zuschlagsnummer: string | null;
  readonly gebotsmengeKw: number | null;
  readonly bundesland: string | null;
  readonly landkreis: string | null;
  readonly plz: string | null;
  readonly gemeinde: string | null;
  readonly gemarkung: string | null;
  readonly flurstueck: string | null;
  readonly mastrNummern: readonly string[];
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** `EINHEIT`, `FLURSTUECK`, `GEMARKUNG`, `GEMEINDE`, `LANDKREIS`, `KEINE`. */
  readonly geoGenauigkeit: string;
  /** `REGISTER`: filled from the linked unit; null: there is no place. */
  readonly standortQuelle: string | null;
}

export type AwardList = Answer<readonly Award[], ListMeta>;

export interface ListMeta {
  readonly count: number;
  readonly hasMore: boolean;
  readonly cursor: string | null;
  readonly truncated: boolean;
}
