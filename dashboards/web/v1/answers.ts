import type { Answer } from './client.ts';

/**
 * These are the members of answers that pages read; those that no page reads are left out. The test
 * test/dashboards/answers.ts holds these types to the examples of the OpenAPI document, which are real answers.
 */

export interface Me {
  readonly key: {
    readonly prefix: string;
    readonly scopes: readonly string[];
    /** Scopes that this release of the service does not know. */
    readonly unbekannteScopes: readonly string[];
  };
  readonly organization: {
    readonly id: string;
    readonly modules: readonly string[];
    readonly trialEndsAt: string | null;
  };
  readonly entitlements: {
    readonly signals: readonly string[];
    readonly alertTemplates: readonly { readonly key: string; readonly name: string }[];
  };
  readonly limits: {
    readonly displayRows: number;
    readonly exportRows: number;
    readonly maxAlerts: number;
    readonly maxPageSize: number;
    readonly maxRowsPerQuery: number;
    readonly webhooksEnabled: boolean;
  };
  readonly rateLimit: {
    readonly window: string;
    readonly perCostClass: { readonly standard: number; readonly mutation: number; readonly expensive: number };
  };
  readonly quota: {
    readonly used: number;
    readonly limit: number;
    readonly remaining: number;
    readonly state: string;
    readonly periodStart: string;
    readonly periodEnd: string;
  };
}

export type MeAnswer = Answer<Me>;

/** A guess at what was meant by values that no unit has. */
export interface Hint {
  readonly parameter: string;
  readonly wert: string;
  /** The value that was probably meant. */
  readonly vorschlag?: string;
}

/** The part of the register that an analysis is about. */
interface RegionMeta {
  readonly ebene: string | null;
  readonly region: string | null;
  readonly hinweise?: readonly Hint[];
}

export interface TimeSeriesRow {
  readonly periode: string;
  readonly energietraeger: string;
  readonly zubauAnzahl: number;
  readonly zubauMw: number;
  readonly abbauAnzahl: number;
  readonly abbauMw: number;
  readonly pipelineAnzahl: number;
  readonly pipelineMw: number;
  /** Energy of storage; null in a version that an earlier release built. */
  readonly zubauMwh: number | null;
  readonly abbauMwh: number | null;
  readonly pipelineMwh: number | null;
}

/** The same by inhabitants and area; null where there is no such figure. */
export interface SeriesRowPerPlace extends TimeSeriesRow {
  readonly zubauAnzahlJe1000Einwohner: number | null;
  readonly zubauKwJe1000Einwohner: number | null;
  readonly zubauAnzahlJeKm2: number | null;
  readonly zubauKwJeKm2: number | null;
  readonly abbauAnzahlJe1000Einwohner: number | null;
  readonly abbauKwJe1000Einwohner: number | null;
  readonly abbauAnzahlJeKm2: number | null;
  readonly abbauKwJeKm2: number | null;
  readonly pipelineAnzahlJe1000Einwohner: number | null;
  readonly pipelineKwJe1000Einwohner: number | null;
  readonly pipelineAnzahlJeKm2: number | null;
  readonly pipelineKwJeKm2: number | null;
}

export type SeriesPerPlace = Answer<
  readonly SeriesRowPerPlace[],
  RegionMeta & {
    readonly periode: string;
    /** What these figures are divided by. */
    readonly bezug: {
      readonly einwohner: number;
      readonly flaecheKm2: number;
      readonly gebietsstand: string;
      readonly einwohnerAm: string;
    } | null;
  }
>;

/** The same of several places: each row names its own. */
export type SeriesOfPlaces = Answer<
  readonly (SeriesRowPerPlace & { readonly region?: string | undefined })[],
  SeriesPerPlace['meta'] & {
    readonly orte?: readonly {
      readonly region: string;
      readonly bezug?: SeriesPerPlace['meta']['bezug'];
      readonly hinweise?: readonly Hint[];
    }[];
  }
>;

export type TimeSeries = Answer<readonly TimeSeriesRow[], RegionMeta & { readonly periode: string }>;

export interface AgeCohortRow {
  /** `0-20`, `20-25`, `25+`. */
  readonly kohorte: string;
  readonly energietraeger: string;
  readonly anzahl: number;
  readonly mw: number;
}

export type AgeStructure = Answer<
  readonly AgeCohortRow[],
  RegionMeta & {
    readonly kohorten: readonly {
      readonly name: string;
      readonly vonJahre: number;
      readonly bisJahre: number | null;
    }[];
    readonly stichtag: string;
  }
>;

interface Amount {
  readonly anzahl: number;
  readonly mw: number;
  readonly mwh: number | null;
}

export interface Snapshot {
  readonly zubau90Tage: Amount;
  readonly abbau90Tage: Amount;
  readonly netto90TageMw: number;
  readonly pipeline: Amount & { readonly mitDatumAnzahl: number; readonly mitDatumAnteil: number | null };
  readonly windUeber20Jahre: { readonly anzahl: number; readonly gesamt: number; readonly anteil: number | null };
}

export type SnapshotAnswer = Answer<
  Snapshot,
  RegionMeta & { readonly fenster: { readonly tage: number; readonly von: string; readonly bis: string } }
>;

export interface Group {
  /** null = units without a value. */
  readonly key: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly durchschnittsleistungKw: number | null;
  /** Energy of storage; null as above. */
  readonly speicherkapazitaetKwh: number | null;
  /** Members of groups that are places. */
  readonly schluessel?: string | null;
  readonly name?: string | null;
  readonly bundesland?: string | null;
  readonly einwohner?: number | null;
  readonly flaecheKm2?: number | null;
  readonly anzahlJe1000Einwohner?: number | null;
  readonly kwJe1000Einwohner?: number | null;
  readonly kwhJe1000Einwohner?: number | null;
  readonly kwJeKm2?: number | null;
  /** Where days were asked for: what stood there at the end of each. */
  readonly bestand?: {
    readonly anzahl: readonly number[];
    readonly bruttoleistungKw: readonly number[];
    readonly speicherkapazitaetKwh: readonly (number | null)[];
  };
}

export type Aggregation = Answer<
  {
    readonly groupBy: string;
    readonly groups: readonly Group[];
    readonly totals: {
      readonly count: number;
      readonly bruttoleistungKw: number;
      readonly speicherkapazitaetKwh: number | null;
    };
  },
  { readonly truncated: boolean; readonly bezug?: PlaceList | null; readonly hinweise?: readonly Hint[] }
>;

/** The official list of places, by which figures are divided. */
export interface PlaceList {
  readonly gebietsstand: string;
  readonly einwohnerAm: string;
  /** Units that are in no figure by inhabitants or area. */
  readonly ohneOrt: { readonly count: number; readonly bruttoleistungKw: number };
}

/** The base form. Blocks and the detail form have many more members, which GET /v1/units/fields describes. */
export interface Unit {
  readonly mastrNummer: string;
  readonly einheitTyp: string;
  readonly name: string | null;
  readonly betriebsStatus: string | null;
  readonly bruttoleistungKw: number | null;
  readonly inbetriebnahmedatum: string | null;
  readonly geplantesInbetriebnahmedatum: string | null;
  readonly bundesland: string | null;
  readonly plz: string | null;
  readonly ort: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly signals: readonly string[];
  /** The carrier in the words of the register, where it was asked for. */
  readonly energietraeger?: string | null;
}

export interface PageMeta {
  readonly count: number;
  readonly hasMore: boolean;
  readonly cursor: string | null;
  readonly total?: number;
  readonly truncated?: boolean;
}

export type UnitList = Answer<readonly Unit[], { readonly page: PageMeta; readonly hinweise?: readonly Hint[] }>;

export interface Dataset {
  readonly name: string;
  readonly label: string;
  readonly source: string;
  readonly updateCycle: string;
  /** Day; null = unknown. */
  readonly asOf: string | null;
  readonly rows: number;
  /** True for the sample, whose units are invented. */
  readonly erfunden: boolean;
  readonly lizenzen: readonly {
    readonly bezeichnung: string;
    readonly url: string;
    readonly bereitsteller: string;
    readonly giltFuer: string;
  }[];
  readonly aenderungsvermerk: string | null;
  readonly lizenzHinweis: string | null;
  readonly quellenvermerk: string | null;
}

export type DatasetList = Answer<readonly Dataset[]>;

/** A version that was published. */
export interface PublishedVersion {
  readonly version: string;
  /** Day of the data. */
  readonly exportTag: string;
  readonly veroeffentlichtAm: string;
  /** `bau`; `ruecknahme`: a later version was withdrawn. */
  readonly grund: string;
}

export interface Finding {
  readonly art: string;
  readonly anzahl: number;
  /** `warnung`, `hinweis`, `info`. */
  readonly stufe: string;
  readonly text: string;
  /** The text in English. */
  readonly description: string;
}

/** The version that is served. What it does not know of itself is null. */
export interface DatasetVersion extends PublishedVersion {
  readonly gebautAm: string;
  readonly zeilen: number;
  readonly historieSeit: string | null;
  readonly export: {
    readonly name: string;
    readonly fassung: string | null;
    readonly dateien: number;
    readonly gelesen: number;
    readonly geladen: number;
    readonly doppelt: number;
    readonly abgelehnt: number;
    readonly ungenutzt: number;
  } | null;
  readonly befunde: readonly Finding[] | null;
  /** Newest first. */
  readonly frueher: readonly PublishedVersion[];
}

export type DatasetVersionAnswer = Answer<DatasetVersion>;

export interface ReferenceValue {
  readonly value: string;
  readonly count: number;
  /** Members of places. */
  readonly schluessel?: string | null;
  readonly name?: string | null;
  readonly bundesland?: string | null;
  /** Members of signals, beside `name`. */
  readonly beschreibung?: string;
}

export type ReferenceValues = Answer<readonly ReferenceValue[]>;
