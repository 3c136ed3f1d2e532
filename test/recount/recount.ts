import { type LoadedTenders, loadedTenders } from '../../ingest/tenders/loaded.ts';
import { type AwardSubject, awardsOfUnits, awardsReader, noteUnreferred } from './awards.ts';
import { connectionsByLocation } from './connections.ts';
import { type RecountedMember, type Row, readExport } from './read-export.ts';
import { asStored, sitesOf } from './sites.ts';
import { storageOf } from './storage.ts';
import { supportOf } from './support.ts';
import { ACTORS, AREAS, DELETED, EEG, KWK, LOCATIONS, PERMITS, POINTS, STORAGE, UNITS } from './tables.ts';
import { type Findings, idOf, normalised, note, type Reading, readTable, type TypedRow, type Value } from './values.ts';
import { windNames } from './wind-names.ts';

/** The served units of an export by plain loops: format reference 4 to 7 and the decisions on the register. */

/**
 * A served unit: its fields by their names in the interface, and what the analyses need besides. Support values are there
 * where they are recounted (support.ts).
 */
export interface RecountedUnit {
  readonly fields: Readonly<Record<string, Value>>;
  /** Catalogue id of the operating status. */
  readonly statusId: number | null;
}

export interface Recount {
  readonly members: readonly RecountedMember[];
  readonly units: ReadonlyMap<string, RecountedUnit>;
  readonly findings: Findings;
  /** Records that were refused as they have no key, by the name of their member. */
  readonly withoutKey: ReadonlyMap<string, number>;
  /** Keys of each kind of table, before anything is left out. */
  readonly keys: Readonly<Record<string, number>>;
  /** The records of the served units, and of the EEG plants, with their typed values. */
  readonly served: ReadonlyMap<string, TypedRow>;
  readonly plants: ReadonlyMap<string, TypedRow>;
  /** The records of the units as they stand, of each the one that counts. */
  readonly raw: ReadonlyMap<string, Row>;
  /** Y codes of the balancing areas that bear a name, or that have nothing but the code. */
  readonly areas: ReadonlyMap<string, readonly string[]>;
  /** Names of organisations by number. */
  readonly organisations: ReadonlyMap<string, string>;
}

const BELIEVED_YEARS_AHEAD = 20;

/** A folder in which nothing was loaded. */
const NO_FOLDER = '/dev/null/tenders';

/**
 * @param exportDay YYYY-MM-DD
 * @param tenders what was loaded of them; by default nothing
 */
export async function recount(
  path: string,
  exportDay: string,
  tenders?: Pick<LoadedTenders, 'awards' | 'rounds'>,
): Promise<Recount> {
  const members = await readExport(path);
  const findings: Findings = new Map();
  const withoutKey = new Map<string, number>();
  const reading: Reading = {
    labels: labelsOf(members),
    findings,
    withoutKey,
    firstDay: '1880-01-01',
    lastDay: `${Number(exportDay.slice(0, 4)) + BELIEVED_YEARS_AHEAD}${exportDay.slice(4)}`,
  };
  for (const { kind, refused, forbidden } of members) {
    if (refused > 0) note(findings, 'datensatz_nicht_wohlgeformt', kind, null, refused);
    for (const [element, count] of forbidden) note(findings, 'zeichen_verboten', kind, element, count);
  }
  const tables = {
    units: readTable(members, UNITS, reading),
    eeg: readTable(members, EEG, reading),
    kwk: readTable(members, KWK, reading),
    storage: readTable(members, STORAGE, reading),
    permits: readTable(members, PERMITS, reading),
    locations: readTable(members, LOCATIONS, reading),
    deleted: readTable(members, DELETED, reading),
    actors: readTable(members, ACTORS, reading),
    points: readTable(members, POINTS, reading),
    areas: readTable(members, AREAS, reading),
  };
  const organisations = new Map<string, string>();
  for (const [number, actor] of tables.actors) {
    if (idOf(actor, 'Personenart') !== 517) {
      note(findings, 'natuerliche_person', 'Marktakteure', null);
      continue;
    }
    notePadded(findings, actor, 'Postleitzahl', postalCode);
    if (typeof actor.values.Firmenname === 'string') organisations.set(number, actor.values.Firmenname);
  }
  const connections = connectionsByLocation(tables, organisations);
  const awardsOf = awardsReader(exportDay, findings);
  const plants = new Set([...tables.eeg.values(), ...tables.kwk.values()]);
  for (const plant of plants) awardsOf(plant);
  const units = new Map<string, RecountedUnit>();
  const subjects: AwardSubject[] = [];
  const served = new Map<string, TypedRow>();
  for (const [number, unit] of tables.units) {
    if (!number.startsWith('SEE')) {
      note(findings, 'keine_stromeinheit', unit.kind, null);
      continue;
    }
    if ([473, 572].includes(idOf(unit, 'EinheitSystemstatus') ?? 472) || tables.deleted.has(number)) {
      note(findings, 'geloescht_oder_deaktiviert', unit.kind, null);
      continue;
    }
    notePadded(findings, unit, 'Gemeindeschluessel', municipalityKey);
    notePadded(findings, unit, 'Postleitzahl', postalCode);
    const fetchLimit = <T>(element: string, targets: ReadonlyMap<string, T>): T | undefined => {
      const target = unit.values[element];
      if (typeof target !== 'string') return undefined;
      if (!targets.has(target)) note(findings, 'verweis_ins_leere', unit.kind, element);
      return targets.get(target);
    };
    fetchLimit('AnlagenbetreiberMastrNummer', tables.actors);
    const location = fetchLimit('LokationMaStRNummer', tables.locations);
    const points = location?.values.NetzanschlusspunkteMaStRNummern ?? null;
    if (points !== null && !connections.has(String(unit.values.LokationMaStRNummer))) {
      note(findings, 'verweis_ins_leere', unit.kind, 'NetzanschlusspunkteMaStRNummern');
    }
    const eeg = fetchLimit('EegMaStRNummer', tables.eeg);
    const kwk = fetchLimit('KwkMaStRNummer', tables.kwk);
    fetchLimit('SpeMastrNummer', tables.storage);
    const fields = fieldsOf(unit, {
      eeg: eeg?.values ?? {},
      kwk: kwk?.values ?? {},
      permit: fetchLimit('GenMastrNummer', tables.permits)?.values ?? {},
      connection: connections.get(String(unit.values.LokationMaStRNummer)) ?? {},
      operatorName: organisations.get(String(unit.values.AnlagenbetreiberMastrNummer)) ?? null,
    });
    for (const plant of [eeg, kwk]) if (plant !== undefined) plants.delete(plant);
    served.set(number, unit);
    subjects.push(subjectOf(number, unit, awardsOf(eeg), awardsOf(kwk)));
    units.set(number, { fields, statusId: idOf(unit, 'EinheitBetriebsstatus') });
  }
  const loaded = tenders ?? { awards: [], rounds: loadedTenders(NO_FOLDER, exportDay).rounds };
  const add = (more: Iterable<readonly [number: string, fields: object]>): void => {
    for (const [number, fields] of more) {
      const unit = units.get(number)!;
      units.set(number, { ...unit, fields: { ...unit.fields, ...fields } });
    }
  };
  add(storageOf(served, tables.storage));
  add(sitesOf(units));
  add(awardsOfUnits(subjects, loaded, findings));
  noteUnreferred([...plants].map(awardsOf), findings);
  const awarded = new Set(
    [...units.values()].flatMap(({ fields }) => (fields.ausschreibungen === null ? [] : String(fields.eegMastrNummer))),
  );
  add(supportOf(served, tables.eeg, awarded, exportDay));
  const raw = new Map([...tables.units].map(([number, unit]) => [number, unit.raw]));
  const areas = new Map<string, string[]>();
  for (const { values } of tables.areas.values()) {
    const { BilanzierungsgebietNetzanschlusspunkt: name, Yeic: code } = values;
    const shown = String(name ?? code);
    areas.set(shown, [...(areas.get(shown) ?? []), String(code)]);
  }
  const keys = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.size]));
  return { members, units, findings, withoutKey, keys, served, plants: tables.eeg, raw, areas, organisations };
}

function subjectOf(number: string, unit: TypedRow, eeg: AwardSubject['eeg'], kwk: AwardSubject['kwk']): AwardSubject {
  const { values, raw } = unit;
  const textOr = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null);
  return {
    ...{ number, eeg, kwk },
    einheitTyp: carrierOf(unit),
    commissioned: textOr(values.Inbetriebnahmedatum),
    planned: textOr(values.GeplantesInbetriebnahmedatum),
    bundesland: values.Bundesland ?? null,
    kw: values.Bruttoleistung == null ? null : Number(values.Bruttoleistung),
    eegNumber: values.EegMaStRNummer ?? null,
    gemarkung: raw.Gemarkung ?? null,
    parcels: raw.FlurFlurstuecknummern ?? null,
  };
}

/** The units as rows of the table `units`, by their numbers. */
export const recountedRows = ({ units }: Recount): Map<string, Record<string, Value>> =>
  new Map([...units].map(([number, { fields, statusId }]) => [number, { ...asStored(fields), statusId }]));

/** Ids of Katalogwerte are unique; market functions number from 1 in a list of their own. */
function labelsOf(members: readonly RecountedMember[]): Reading['labels'] {
  const listOf = (kind: string): Map<number, string> => {
    const rows = members.flatMap((member) => (member.kind === kind ? member.rows : []));
    return new Map(rows.map((row) => [Number(row.Id), normalised(row.Wert ?? '')]));
  };
  const values = listOf('Katalogwerte');
  const functions = listOf('Marktfunktionen');
  // A flag until level 24.1: 1 = finished.
  const checks = new Map(values);
  if (values.has(2955)) checks.set(0, values.get(2955)!);
  if (values.has(2954)) checks.set(1, values.get(2954)!);
  return (element) =>
    element === 'Marktfunktion' ? functions : element === 'NetzbetreiberpruefungStatus' ? checks : values;
}

type Values = Readonly<Record<string, Value>>;

const CARRIERS: Readonly<Record<string, string>> = {
  EinheitenWind: 'wind',
  EinheitenSolar: 'solar',
  EinheitenStromSpeicher: 'storage',
  EinheitenBiomasse: 'biomass',
  EinheitenWasser: 'hydro',
  EinheitenVerbrennung: 'combustion',
  EinheitenKernkraft: 'nuclear',
};

/** Keys of municipalities have eight digits. */
const municipalityKey = ({ Gemeindeschluessel: key }: Values): Value =>
  /^\d{7}$/.test(String(key ?? '')) ? `0${key}` : (key ?? null);

/** German postal codes have five digits; a record with a state is German. */
const postalCode = ({ Postleitzahl: code, Bundesland: state }: Values): Value =>
  /^\d{4}$/.test(String(code ?? '')) && (state ?? null) !== null ? `0${code}` : (code ?? null);

/** Notes a key or code to which a lost zero was put back. */
function notePadded(findings: Findings, { kind, values }: TypedRow, element: string, pad: (values: Values) => Value) {
  if (pad(values) !== (values[element] ?? null)) note(findings, 'fuehrende_null_ergaenzt', kind, element);
}

/** In the mixed file geothermal and solar thermal energy; what burns or expands is combustion. */
const carrierOf = (unit: TypedRow): string =>
  CARRIERS[unit.kind] ?? ([2403, 2404].includes(idOf(unit, 'Energietraeger') ?? 0) ? 'geothermal' : 'combustion');

const YES_NO = new Map<unknown, string>(
  Object.entries({ ja: true, nein: false }).map(([text, value]) => [value, text]),
);

interface Joined {
  readonly eeg: Values;
  readonly kwk: Values;
  readonly permit: Values;
  readonly connection: Values;
  readonly operatorName: string | null;
}

function fieldsOf(unit: TypedRow, { eeg, kwk, permit, connection, operatorName }: Joined): Values {
  const e = unit.values;
  const einheitTyp = carrierOf(unit);
  const of = (carrier: string, value: Value | undefined): Value => (einheitTyp === carrier ? (value ?? null) : null);
  const located = e.Laengengrad !== null && e.Breitengrad !== null && Number(e.Bruttoleistung ?? 0) >= 30;
  const wind = windNames(e.Hersteller, e.Typenbezeichnung);
  const fields: Record<string, Value | undefined> = {
    mastrNummer: e.EinheitMastrNummer,
    einheitTyp,
    name: e.NameStromerzeugungseinheit,
    betriebsStatus: e.EinheitBetriebsstatus,
    bruttoleistungKw: e.Bruttoleistung,
    inbetriebnahmedatum: e.Inbetriebnahmedatum,
    geplantesInbetriebnahmedatum: e.GeplantesInbetriebnahmedatum,
    bundesland: e.Bundesland,
    plz: postalCode(e),
    ort: e.Ort,
    latitude: located ? e.Breitengrad : null,
    longitude: located ? e.Laengengrad : null,

    landkreis: e.Landkreis,
    gemeinde: e.Gemeinde,
    gemeindeschluessel: municipalityKey(e),
    betreiberName: operatorName,
    betreiberMastrNummer: e.AnlagenbetreiberMastrNummer,
    stilllegungsdatum: e.DatumEndgueltigeStilllegung,
    registrierungsdatum: e.Registrierungsdatum,
    nettonennleistungKw: e.Nettonennleistung,
    eegMastrNummer: e.EegMaStRNummer,
    mitKwk: typeof e.KwkMaStRNummer === 'string',
    kwkMastrNummer: e.KwkMaStRNummer,
    kwkZuschlagsnummer: kwk.Zuschlagnummer,
    einspeisungsart: e.Einspeisungsart,
    weic: e.Weic,
    kraftwerksnummer: e.Kraftwerksnummer,
    bnetzaNummer: String(e.Kraftwerksnummer).startsWith('BNA') ? e.Kraftwerksnummer : null,
    anlagenschluesselEeg: eeg.AnlagenschluesselEeg,
    nepGelistet: false,
    datumLetzteAktualisierung: e.DatumLetzteAktualisierung,

    netzbetreiber: connection.netzbetreiber,
    netzbetreiberMastrNummer: connection.netzbetreiberMastrNummer,
    netzbetreiberpruefung: e.NetzbetreiberpruefungStatus,
    netzbetreiberpruefungDatum: e.NetzbetreiberpruefungDatum,
    spannungsebene: connection.spannungsebene,
    netzanschlusspunktMastrNummer: connection.netzanschlusspunktMastrNummer,
    bilanzierungsgebiet: connection.bilanzierungsgebiet,
    regelzone: connection.regelzone,
    lokationMastrNummer: e.LokationMaStRNummer,

    genehmigungMastrNummer: e.GenMastrNummer,
    genehmigungArt: permit.Art,
    genehmigungDatum: permit.Datum,
    genehmigungBehoerde: permit.Behoerde,
    genehmigungAktenzeichen: permit.Aktenzeichen,
    genehmigungFrist: permit.Frist,

    energietraeger: e.Energietraeger,
    anschlussHochspannung: e.AnschlussAnHoechstOderHochSpannung,
    fernsteuerbarNetzbetreiber: e.FernsteuerbarkeitNb,
    fernsteuerbarDirektvermarkter: e.FernsteuerbarkeitDv,
    buergerenergie: e.Buergerenergie,
    notstromaggregat: of('combustion', e.Notstromaggregat),
    einsatzort: e.Einsatzort,
    grenzkraftwerk: e.BestandteilGrenzkraftwerk,
    nettonennleistungDeutschlandKw: e.NettonennleistungDeutschland,
    netzreserve: e.NetzreserveZugeordnet,
    netzreserveDatum: e.DatumNetzreserve,
    kapazitaetsreserve: e.KapazitaetsreserveZugeordnet,
    kapazitaetsreserveDatum: e.DatumKapazitaetsreserve,
    inbetriebnahmeAktuellerStandort: e.InbetriebnahmedatumAmAktuellenStandort,
    voruebergehendeStilllegungDatum: e.DatumBeginnVoruebergehendeStilllegung,
    wiederaufnahmeDatum: e.DatumWiederaufnahmeBetrieb,
    betreiberwechselDatum: e.DatumDesBetreiberwechsels,
    vorherigeFlaechennutzung: e.UeberwiegendeNutzungsartDerFlaecheVorErrichtung,
    vorherigerFlaechennutzungsbereich: e.VorherigerNutzungsartenbereichDerFlaeche,

    windSeelage: e.WindAnLandOderAufSee,
    windMeer: e.Seelage,
    windGebiet: e.GebietNachDemFlaechenentwicklungsplanNordsee ?? e.GebietNachDemFlaechenentwicklungsplanOstsee,
    windpark: e.NameWindpark,
    windHersteller: wind.windHersteller,
    windTypenbezeichnung: wind.windTypenbezeichnung,
    windHerstellerRegister: e.Hersteller,
    windTypenbezeichnungRegister: e.Typenbezeichnung,
    windTechnologie: of('wind', e.Technologie),
    windNabenhoeheM: e.Nabenhoehe,
    windRotordurchmesserM: e.Rotordurchmesser,
    windWassertiefeM: e.Wassertiefe,
    windKuestenentfernungKm: e.Kuestenentfernung,
    windNachtkennzeichnung: e.Nachtkennzeichnung,
    windRotorblattenteisung: e.Rotorblattenteisungssystem,
    windAuflageLeistung: e.AuflageAbschaltungLeistungsbegrenzung,
    windAuflageSchallNachts: e.AuflagenAbschaltungSchallimmissionsschutzNachts,
    windAuflageSchallTagsueber: e.AuflagenAbschaltungSchallimmissionsschutzTagsueber,
    windAuflageSchattenwurf: e.AuflagenAbschaltungSchattenwurf,
    windAuflageTierschutz: e.AuflagenAbschaltungTierschutz,
    windAuflageEiswurf: e.AuflagenAbschaltungEiswurf,
    windAuflageSonstige: e.AuflagenAbschaltungSonstige,
    flugwindTechnologie: e.TechnologieFlugwindenergieanlage,
    flugwindHoeheM: e.Flughoehe,
    flugwindRadiusM: e.Flugradius,

    solarLage: e.ArtDerSolaranlage,
    solarNutzungsbereich: e.Nutzungsbereich,
    solarSpeicherVorhanden: of('solar', YES_NO.get(e.SpeicherAmGleichenOrt) ?? 'ka'),
    solarWechselrichterleistungKw: e.ZugeordneteWirkleistungWechselrichter,
    solarAnzahlModule: e.AnzahlModule,
    solarLeistungsbegrenzung: e.Leistungsbegrenzung,
    solarEinheitlicheAusrichtung: e.EinheitlicheAusrichtungUndNeigungswinkel,
    solarHauptausrichtung: e.Hauptausrichtung,
    solarHauptneigung: e.HauptausrichtungNeigungswinkel,
    solarNebenausrichtung: e.Nebenausrichtung,
    solarNebenneigung: e.NebenausrichtungNeigungswinkel,
    solarFlaecheHa: e.GroesseDerInAnspruchGenommenenFlaecheInHektar,
    solarpark: e.NameDesSolarparks,
    solarLichteHoeheM: e.LichteHoehe,
    solarFlaechenmerkmale: e.ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung,

    hauptbrennstoff: e.Hauptbrennstoff,
    biomasseart: e.Biomasseart,
    biomasseTechnologie: of('biomass', e.Technologie),
    mitFlexipraemie: eeg.BiogasInanspruchnahmeFlexiPraemie,
    leistungserhoehung: eeg.BiogasLeistungserhoehung,

    wasserkraftart: e.ArtDerWasserkraftanlage,
    zuflussart: e.ArtDesZuflusses,
    minderungStromerzeugung: e.MinderungStromerzeugung,
    geothermieTechnologie: of('geothermal', e.Technologie),
    kraftwerk: e.NameKraftwerk,
    kraftwerksblock: e.NameKraftwerksblock,
    verbrennungTechnologie: of('combustion', e.Technologie),
    weitererHauptbrennstoff: e.WeitererHauptbrennstoff,
    weitereBrennstoffe: e.WeitereBrennstoffe,
    kombibetrieb: e.AnlageIstImKombibetrieb,
    kombibetriebSteigerungKw: e.SteigerungNettonennleistungKombibetrieb,
    baubeginnDatum: e.DatumBaubeginn,
    sicherheitsbereitschaftDatum: e.SicherheitsbereitschaftAbDatum,
    kwkThermischeLeistungKw: kwk.ThermischeNutzleistung,
    kwkElektrischeLeistungKw: kwk.ElektrischeKwkLeistung,
    kernkraftTechnologie: of('nuclear', e.Technologie),
    speichertechnologie: of('storage', e.Technologie),
    batterietechnologie: e.Batterietechnologie,
    speicherAcDcKopplung: e.AcDcKoppelung,
    speicherNotstromaggregat: of('storage', e.Notstromaggregat),
    // Of units with a plant: storage.ts.
    speicherkapazitaetKwh: null,
    speicherkapazitaetAnteilKwh: null,
    speichersegment: null,
    speicherdauerStunden: null,
    speicherMastrNummer: e.SpeMastrNummer,
    speicherWechselrichterleistungKw: e.ZugeordnenteWirkleistungWechselrichter,
    speicherSolareinheitMastrNummer: e.GemeinsamRegistrierteSolareinheitMastrNummer,
    pumpspeichertechnologie: e.Pumpspeichertechnologie,
    pumpleistungKw: e.PumpbetriebLeistungsaufnahme,
    pumpbetriebRegelbar: e.PumpbetriebKontinuierlichRegelbar,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
}
