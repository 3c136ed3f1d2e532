import type { UnitSource } from '../../sql/catalogue/expression.ts';
import { STORED_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { parseDecimal, parseInteger } from './values.ts';

/**
 * The staged tables: which files of the export fill them, and with which elements. The elements that unit fields read come
 * from the catalogue of unit fields, so that a new field needs no second entry here.
 */

export interface StagedTable {
  readonly name: string;
  readonly kinds: readonly string[];
  /** Element that identifies a record; null when there is none. */
  readonly key: string | null;
  /** The key is stored in this form: MaStR numbers as 64 bits, other ids unchanged. */
  readonly keyAs: 'mastr' | 'integer' | 'text';
  /** Element with the time of the last change; of records with the same key the newest wins. */
  readonly changed: string | null;
  readonly elements: readonly string[];
  /** Catalogue elements whose id is staged besides the text, as `<element>_id`. */
  readonly ids: readonly string[];
  /** Numbers for which a rule applies from a limit on: a boolean column, computed before the number is rounded. */
  readonly limits?: readonly { readonly element: string; readonly limit: number; readonly column: string }[];
  /** True when the rows are staged by slices of their MaStR numbers. */
  readonly sliced: boolean;
  /** True when an export without a file of each of these kinds is incomplete. */
  readonly needed: boolean;
  /** Elements that are staged for some records only. */
  readonly withheld?: readonly ConditionalElements[];
}

/**
 * Values that no table of a version contains unless another element of the record allows it. The statements that fill the
 * tables apply the same rule; here it keeps the values out of the staged files, which remain on the disk after a crash.
 */
export interface ConditionalElements {
  readonly elements: readonly string[];
  /** The kinds of files whose records may have them at all; every kind by default. */
  readonly kinds?: readonly string[];
  readonly unless: string;
  readonly allows: (units: Uint16Array, start: number, end: number) => boolean;
}

/** The elements that unit fields read from a staged table. */
function servedElements(table: UnitSource): string[] {
  const elements = STORED_FIELDS.flatMap(({ source }) => source.reads.filter((read) => read.table === table));
  return [...new Set(elements.map(({ name }) => name))];
}

const CHANGED = 'DatumLetzteAktualisierung';

/** Id in the catalogue Personenart. */
const ORGANISATION = 517;

/** Capacities that reach this only by rounding pass here; the statement that fills `units` decides exactly. */
const COORDINATES_FROM_WATTS = 30_000;

/** The ids of a unit that support values read; ids, since the register changes its texts (eeg-plants.sql). */
const SUPPORT_IDS = [
  'Einspeisungsart',
  'ArtDerSolaranlage',
  'Nutzungsbereich',
  'WindAnLandOderAufSee',
  'Hauptbrennstoff',
  'Biomasseart',
  'Technologie',
  'ArtDerWasserkraftanlage',
];

/** The elements of an EEG plant that support values read. */
const SUPPORT_ELEMENTS = [
  'EegInbetriebnahmedatum',
  'InstallierteLeistung',
  'InanspruchnahmeZahlungNachEeg',
  'MieterstromZugeordnet',
  'AusschreibungZuschlag',
  'PilotAnlage',
  'PrototypAnlage',
  'VerhaeltnisErtragsschaetzungReferenzertrag',
  'VerhaeltnisReferenzertragErtrag5Jahre',
  'VerhaeltnisReferenzertragErtrag10Jahre',
  'VerhaeltnisReferenzertragErtrag15Jahre',
  'ErtuechtigungIds',
];

/** The register exports no parcel of a unit up to 30 kW, which stands at a house. */
const PARCELS_FROM_WATTS = 30_001;

const atLeastWatts =
  (watts: number): ConditionalElements['allows'] =>
  (units, start, end) =>
    parseDecimal(units, start, end, 3) >= watts;

/** The cadastral district of a unit and its parcels. */
const PARCEL_ELEMENTS = ['Gemarkung', 'FlurFlurstuecknummern'];

export const STAGED_TABLES: readonly StagedTable[] = [
  {
    name: 'einheit',
    kinds: [
      'EinheitenWind',
      'EinheitenSolar',
      'EinheitenStromSpeicher',
      'EinheitenBiomasse',
      'EinheitenWasser',
      'EinheitenGeothermieGrubengasDruckentspannung',
      'EinheitenVerbrennung',
      'EinheitenKernkraft',
    ],
    key: 'EinheitMastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [...servedElements('einheit'), ...PARCEL_ELEMENTS, 'Gemeindeschluessel', 'EinheitSystemstatus'],
    ids: [
      'Energietraeger',
      'EinheitBetriebsstatus',
      'EinheitSystemstatus',
      'NetzbetreiberpruefungStatus',
      ...SUPPORT_IDS,
    ],
    limits: [{ element: 'Bruttoleistung', limit: 30, column: 'ab30Kw' }],
    sliced: true,
    needed: true,
    withheld: [
      {
        elements: ['Laengengrad', 'Breitengrad'],
        unless: 'Bruttoleistung',
        allows: atLeastWatts(COORDINATES_FROM_WATTS),
      },
      // The build compares them with award lists and with each other (ingest/assembly/tenders.ts, support.ts); no table of a
      // version has them.
      {
        elements: PARCEL_ELEMENTS,
        kinds: [
          'EinheitenWind',
          'EinheitenSolar',
          'EinheitenBiomasse',
          'EinheitenWasser',
          'EinheitenGeothermieGrubengasDruckentspannung',
        ],
        unless: 'Bruttoleistung',
        allows: atLeastWatts(PARCELS_FROM_WATTS),
      },
    ],
  },
  {
    name: 'eeg',
    kinds: [
      'AnlagenEegWind',
      'AnlagenEegSolar',
      'AnlagenEegBiomasse',
      'AnlagenEegWasser',
      'AnlagenEegGeothermieGrubengasDruckentspannung',
      'AnlagenEegSpeicher',
    ],
    key: 'EegMaStRNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [...servedElements('eeg'), ...SUPPORT_ELEMENTS, 'Zuschlagsnummer', 'ZugeordneteGebotsmenge', CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'kwk',
    kinds: ['AnlagenKwk'],
    key: 'KwkMastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [...servedElements('kwk'), CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'speicher',
    kinds: ['AnlagenStromSpeicher'],
    key: 'MaStRNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: ['NutzbareSpeicherkapazitaet', 'VerknuepfteEinheitenMaStRNummern', CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'genehmigung',
    kinds: ['EinheitenGenehmigung'],
    key: 'GenMastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [...servedElements('genehmigung'), CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'akteur',
    kinds: ['Marktakteure'],
    key: 'MastrNummer',
    keyAs: 'mastr',
    changed: 'DatumLetzeAktualisierung',
    elements: [
      'DatumLetzeAktualisierung',
      'Firmenname',
      'Marktfunktion',
      'Rechtsform',
      'Bundesland',
      'Postleitzahl',
      'Ort',
      'Netz',
    ],
    ids: ['Personenart'],
    sliced: false,
    needed: true,
    withheld: [
      {
        elements: ['Firmenname', 'Postleitzahl', 'Ort'],
        unless: 'Personenart',
        allows: (units, start, end) => parseInteger(units, start, end) === ORGANISATION,
      },
    ],
  },
  {
    name: 'rolle',
    // Until level 25.2 Marktrollen.xml contained the roles of actors; since then it has been a list of labels.
    kinds: ['MarktakteureUndRollen', 'Marktrollen'],
    key: 'MastrNummer',
    keyAs: 'text',
    changed: CHANGED,
    elements: ['MarktakteurMastrNummer', 'Marktrolle', CHANGED],
    ids: [],
    sliced: false,
    needed: false,
  },
  {
    name: 'lokation',
    kinds: ['Lokationen'],
    key: 'MastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: ['NetzanschlusspunkteMaStRNummern', CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'punkt',
    kinds: ['Netzanschlusspunkte'],
    key: 'NetzanschlusspunktMastrNummer',
    keyAs: 'mastr',
    changed: 'LetzteAenderung',
    elements: [
      'LetzteAenderung',
      'LokationMaStRNummer',
      'Spannungsebene',
      'BilanzierungsgebietNetzanschlusspunktId',
      'RegelzoneNetzanschlusspunkt',
      'NetzMaStRNummer',
      'NetzbetreiberMaStRNummer',
      'NochInPlanung',
    ],
    ids: ['Spannungsebene', 'RegelzoneNetzanschlusspunkt'],
    sliced: false,
    needed: true,
  },
  {
    name: 'netz',
    kinds: ['Netze'],
    key: 'MastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [CHANGED],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'bilanzierungsgebiet',
    kinds: ['Bilanzierungsgebiete'],
    key: 'Id',
    keyAs: 'integer',
    changed: null,
    elements: ['Yeic', 'BilanzierungsgebietNetzanschlusspunkt', 'RegelzoneNetzanschlusspunkt'],
    ids: [],
    sliced: false,
    needed: true,
  },
  {
    name: 'geloescht',
    kinds: ['GeloeschteUndDeaktivierteEinheiten'],
    key: 'EinheitMastrNummer',
    keyAs: 'mastr',
    changed: CHANGED,
    elements: [CHANGED],
    ids: ['EinheitSystemstatus'],
    sliced: false,
    needed: true,
  },
];

/** @throws Error when no staged table has the name */
export function requireStagedTable(name: string): StagedTable {
  const found = STAGED_TABLES.find((table) => table.name === name);
  if (found === undefined) throw new Error(`There is no staged table ${name}`);
  return found;
}

/** Kinds of files that fill the catalogues of the version instead of a staged table. */
export const CATALOGUE_KINDS = [
  'Katalogkategorien',
  'Katalogwerte',
  'Einheitentypen',
  'Lokationstypen',
  'Marktfunktionen',
  'Marktrollen',
] as const;

export const tableOf = (kind: string): StagedTable | null =>
  STAGED_TABLES.find((table) => table.kinds.includes(kind)) ?? null;
