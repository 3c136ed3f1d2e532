import type { UnitField } from './field.ts';

/**
 * The meaning of each unit field in English, for the OpenAPI document, the pages under /docs and `description` of
 * GET /v1/units/fields. The catalogue itself keeps the German meaning.
 */
const ENGLISH: Readonly<Record<string, string>> = {
  mastrNummer: 'MaStR number of the unit; begins with SEE',
  mastrNummern: 'Exactly these MaStR numbers, at most 500',
  einheitTyp: 'Energy carrier of the unit',
  name: 'Display name in the register',
  betriebsStatus: 'Operating status in the register, such as `In Betrieb` (in operation) or `In Planung` (planned)',
  bruttoleistungKw: 'Gross capacity',
  inbetriebnahmedatum: 'Day of commissioning',
  geplantesInbetriebnahmedatum: 'Planned day of commissioning',
  bundesland: 'Federal state of the location',
  plz: 'Postal code',
  ort: 'Town',
  latitude: 'Latitude, WGS 84; none below 30 kW',
  longitude: 'Longitude, WGS 84; none below 30 kW',
  hatKoordinaten: 'Whether the unit has coordinates',
  bbox: 'Rectangle on the map: minLon,minLat,maxLon,maxLat in degrees',
  umkreis: 'Circle around a point: lon,lat,km, at most 200 km',
  polygon: 'Polygon or MultiPolygon of GeoJSON, of at most 1,000 positions; an object in a body, in a query its text',
  signals: 'Ids of the signals that apply to the unit; only those that the organisation is entitled to (`GET /v1/me`)',
  suche:
    'Free text: each word occurs in name, town, municipality, district, postal code, wind farm, operator or a number of ' +
    'the unit, or in a text of the organisation',
  landkreis: 'District (Landkreis) or independent town',
  gemeinde: 'Municipality',
  gemeindeschluessel: 'Official key of the municipality, eight digits; filter with `gemeinde`',
  kreisschluessel: 'Official key of the district: the first five digits of gemeindeschluessel; filter with `landkreis`',
  standortEnergietraeger:
    'Carriers of all units at the location of the unit, itself included, finally decommissioned ones excepted',
  betreiberName: 'Name of the operator; empty for natural persons',
  betreiberMastrNummer: 'MaStR number of the operator',
  stilllegungsdatum: 'Day of final decommissioning',
  registrierungsdatum:
    'Day of registration as the register has it now, which is set anew at commissioning; filters compare with the ' +
    'earliest day that became known',
  ibnVerspaetungTage:
    'Commissioning against the last planned day that was known; for overdue planned units, today against it',
  ibnVerschiebungTage: 'Present planned day of commissioning against the first that became known',
  nettonennleistungKw: 'Net nominal capacity',
  eegMastrNummer: 'MaStR number of the EEG plant',
  eegZuschlagsnummer: 'Number of the award in an EEG tender, in one spelling',
  mitKwk: 'Belongs to a combined heat and power (KWK) plant',
  kwkMastrNummer: 'MaStR number of the combined heat and power plant',
  kwkZuschlagsnummer: 'Number of the award in a tender for combined heat and power',
  einspeisungsart: 'Kind of feed-in: of all, or of what is left over',
  weic: 'W-EIC of the unit',
  kraftwerksnummer: 'Number of the power plant',
  bnetzaNummer: 'Power plant number of the Bundesnetzagentur (BNA…)',
  anlagenschluesselEeg: 'The grid operator’s key of the EEG plant',
  nepGelistet:
    'Named in the grid development plan (NEP), from a table that the operator of this service loads; without it no unit is',
  datumLetzteAktualisierung: 'Last change of the record, as the register tells it',
  netzbetreiber: 'Name of the grid operator to whose grid the unit is connected',
  netzbetreiberMastrNummer: 'MaStR number of that grid operator',
  netzbetreiberpruefung: 'State of the check by the grid operator',
  netzbetreiberpruefungDatum: 'Day of the last check by the grid operator',
  spannungsebene: 'Voltage level of the grid connection point',
  netzanschlusspunktMastrNummer: 'MaStR number of the grid connection point',
  bilanzierungsgebiet: 'Balancing area: its name, or else its Y-EIC',
  regelzone: 'Control zone of a transmission system operator',
  lokationMastrNummer: 'MaStR number of the location',
  netzanschlussEnergietraeger:
    'Carriers of all units with the same grid connection point, itself included, finally decommissioned ones excepted',
  genehmigungMastrNummer: 'MaStR number of the permit',
  genehmigungArt: 'Kind of permit',
  genehmigungDatum: 'Day from which the permit holds',
  genehmigungBehoerde: 'Authority that gave the permit',
  genehmigungAktenzeichen: 'File number of the authority',
  genehmigungFrist: 'Day by which construction must have begun',
  energietraeger: 'Energy carrier in the words of the register',
  anschlussHochspannung: 'Connected to high or extra-high voltage',
  fernsteuerbarNetzbetreiber: 'A grid operator can control it remotely',
  fernsteuerbarDirektvermarkter: 'A direct marketer can control it remotely',
  buergerenergie: 'Owned by a citizens’ energy company (wind, solar)',
  notstromaggregat: 'Emergency generator (combustion)',
  einsatzort: 'Where an emergency generator is used',
  grenzkraftwerk: 'Part of a power plant on the border (hydro, combustion, storage)',
  nettonennleistungDeutschlandKw: 'Net nominal capacity that can feed into a German grid',
  netzreserve: 'Assigned to the grid reserve',
  netzreserveDatum: 'Day of transfer to the grid reserve',
  kapazitaetsreserve: 'Assigned to the capacity reserve',
  kapazitaetsreserveDatum: 'Day of transfer to the capacity reserve',
  inbetriebnahmeAktuellerStandort: 'Commissioning at the present site, for units that were moved',
  voruebergehendeStilllegungDatum: 'Begin of a temporary shutdown',
  wiederaufnahmeDatum: 'Day on which operation was resumed',
  betreiberwechselDatum: 'Day on which the operator changed',
  vorherigeFlaechennutzung: 'Main use of the land before construction (wind, solar)',
  vorherigerFlaechennutzungsbereich: 'Area of that former use (wind, solar)',
  windSeelage: 'Wind on land or at sea',
  windMeer: 'North Sea or Baltic Sea',
  windGebiet: 'Area of the site development plan for wind at sea',
  windpark: 'Name of the wind farm',
  windHersteller: 'Manufacturer of the wind turbine, in one spelling',
  windTypenbezeichnung: 'Type of the wind turbine, in one spelling',
  windHerstellerRegister: 'Manufacturer in the words of the register',
  windTypenbezeichnungRegister: 'Type as it is written in the register',
  windTechnologie: 'Design of the wind turbine',
  windNabenhoeheM: 'Hub height',
  windRotordurchmesserM: 'Rotor diameter',
  windWassertiefeM: 'Depth of water',
  windKuestenentfernungKm: 'Distance from the coast',
  windNachtkennzeichnung: 'Aircraft warning lights that switch on only when needed',
  windRotorblattenteisung: 'System that de-ices the rotor blades',
  windAuflageLeistung: 'Conditions that switch it off or limit its capacity',
  windAuflageSchallNachts: 'Condition: noise at night',
  windAuflageSchallTagsueber: 'Condition: noise by day',
  windAuflageSchattenwurf: 'Condition: shadow flicker',
  windAuflageTierschutz: 'Condition: protection of animals',
  windAuflageEiswurf: 'Condition: ice throw',
  windAuflageSonstige: 'Other conditions',
  flugwindTechnologie: 'Design of the airborne wind device',
  flugwindHoeheM: 'Altitude of flight',
  flugwindRadiusM: 'Radius of flight',
  solarLage: 'Kind of solar plant: on a building, on open ground, plug-in …',
  solarNutzungsbereich: 'What the building is used for',
  solarSpeicherVorhanden: 'Whether there is storage at the same place; `ka` = not stated',
  solarWechselrichterleistungKw: 'Active power of the inverters that belong to it',
  solarAnzahlModule: 'Number of modules',
  solarLeistungsbegrenzung: 'Limit of the power fed in',
  solarEinheitlicheAusrichtung: 'All modules have one orientation and tilt',
  solarHauptausrichtung: 'Main orientation of the modules',
  solarHauptneigung: 'Tilt of the main orientation',
  solarNebenausrichtung: 'Second orientation of the modules',
  solarNebenneigung: 'Tilt of the second orientation',
  solarFlaecheHa: 'Land taken up',
  solarpark: 'Name of the solar park',
  solarLichteHoeheM: 'Clear height below the modules',
  solarFlaechenmerkmale: 'Further properties of the land and its use',
  hauptbrennstoff: 'Main fuel (biomass, combustion)',
  biomasseart: 'Kind of biomass',
  biomasseTechnologie: 'Technology of the biomass unit',
  mitFlexipraemie: 'Receives the flexibility premium for biogas',
  leistungserhoehung: 'Capacity was increased in connection with the flexibility premium',
  wasserkraftart: 'Kind of hydro power plant',
  zuflussart: 'Kind of inflow',
  minderungStromerzeugung: 'Conditions reduce the generation of electricity',
  geothermieTechnologie: 'Technology of the geothermal or solar thermal unit',
  kraftwerk: 'Name of the power plant (hydro, combustion, nuclear)',
  kraftwerksblock: 'Name of the power plant block',
  verbrennungTechnologie: 'Technology of the combustion unit',
  weitererHauptbrennstoff: 'Second main fuel',
  weitereBrennstoffe: 'Further fuels',
  kombibetrieb: 'Works in combination with other units',
  kombibetriebSteigerungKw: 'Net nominal capacity gained by that combination',
  baubeginnDatum: 'Begin of construction, real or planned',
  sicherheitsbereitschaftDatum: 'Day of transfer to the security reserve (Sicherheitsbereitschaft)',
  kwkThermischeLeistungKw: 'Useful thermal capacity of the combined heat and power plant',
  kwkElektrischeLeistungKw: 'Electrical capacity of the combined heat and power plant',
  kernkraftTechnologie: 'Type of reactor',
  speichertechnologie: 'Storage technology',
  batterietechnologie: 'Battery technology',
  speicherAcDcKopplung: 'AC or DC coupling',
  speicherNotstromaggregat: 'The storage serves as emergency power supply',
  speicherkapazitaetKwh: 'Usable capacity of the storage plant, which belongs to the plant and not to the single unit',
  speicherkapazitaetAnteilKwh:
    'Share of the unit in the usable capacity of its storage plant; the shares of a plant add up to its capacity',
  speichersegment:
    'Size class by the capacity of the storage plant: heim up to 30 kWh, gewerbe up to 1,000 kWh, gross above; pumped storage apart',
  speicherdauerStunden:
    'Capacity of the storage plant by the gross power of its units: the hours for which it can deliver full power',
  speicherMastrNummer: 'MaStR number of the storage plant',
  speicherWechselrichterleistungKw: 'Active power of the inverters that belong to it',
  speicherSolareinheitMastrNummer: 'Solar unit that was registered together with it',
  pumpspeichertechnologie: 'Technology of the pumped storage',
  pumpleistungKw: 'Power taken while pumping',
  pumpbetriebRegelbar: 'Pumping can be controlled continuously',
  eegFoerderbeginn: 'Begin of support under the EEG',
  eegFoerderende: 'Last day of support under the EEG',
  eegEinspeiseverguetungCtKwh: 'Feed-in tariff that the plant may claim on the day of the export, computed',
  eegAnzulegenderWertCtKwh: 'Value that the market premium is measured against on the day of the export, computed',
  eegReferenzertragVerhaeltnis: 'Ratio of the yield of the site to the reference yield (wind): 0.85 is 85 %',
  eegPhasenwechsel: 'Day on which the higher initial tariff ends (wind)',
  eegAbleitbarkeit: 'How surely tariff and value follow from register, law and awards',
  eegGesetz: 'Version of the EEG that sets the rate',
  ausschreibungen: 'Tenders in which the unit won an award',
  auffaelligkeiten:
    'Rules of plausibility by which values of the unit cannot be right, or hardly (`GET /v1/qualitaet`)',
  auffaellig: 'Whether a rule of severity warnung or fehler applies',
  vorschlag: 'Values that are plainly meant instead of those in the register, with the reason; no sum uses them',
};

/** Notes of fields, which the catalogue keeps in German. */
const ENGLISH_NOTES: Readonly<Record<string, string>> = {
  mastrNummern: 'Chooses by a list of numbers; what is read is mastrNummer',
  bbox: 'Units without published coordinates count at the point of their municipality; meta.raum of the answer says how many these are',
  umkreis:
    'Units without published coordinates count at the point of their municipality; meta.raum of the answer says how many these are',
  polygon:
    'Units without published coordinates count at the point of their municipality; meta.raum of the answer says how many these are',
  hatKoordinaten: 'Chooses by whether they are there; what is read are latitude and longitude',
  signals: 'Only signals that the organisation may see; GET /v1/me names them',
  suche:
    'Searches name, ort, gemeinde, landkreis, plz, windpark, betreiberName and the MaStR numbers; a hit does not say in which',
  gemeindeschluessel: 'Filter with gemeinde',
  kreisschluessel: 'Filter with landkreis',
  standortEnergietraeger:
    'Empty without a location, which planned units rarely have. amStandort together with einheitTyp finds what stands together: einheitTyp=solar&amStandort=storage',
  registrierungsdatum:
    'The register sets the day anew at commissioning; registrierungVon and registrierungBis compare with the earliest day that became known of the unit',
  eegZuschlagsnummer:
    'First from the register, else from the comparison with the lists of awards: then that of the latest bid date. All awards stand in ausschreibungen',
  nepGelistet: 'From a table that the operator of the service loads; without it, no unit counts as named',
  netzanschlussEnergietraeger:
    'Empty without a grid connection point. The register names points by location, not by unit: compared is netzanschlusspunktMastrNummer',
  auffaelligkeiten: 'Nothing is hidden or corrected; GET /v1/qualitaet describes the rules',
  auffaellig: 'What is read are the auffaelligkeiten',
  vorschlag: 'Stands beside the value, and goes into no sum',
  speicherkapazitaetKwh:
    'Do not add up: each unit of the plant has the whole value. What adds up is speicherkapazitaetAnteilKwh',
  speicherkapazitaetAnteilKwh:
    'Divided by gross power among all units of the plant, equally where no power is known. Rounded down to whole Wh; the unit with the largest power has the rest, among equals that with the smallest number',
  speicherdauerStunden:
    'Empty where capacity or power is missing. Values far from the usual (batteries 1 to 8 h) are mostly slips of Wh or MWh',
  energietraeger:
    'Finer than einheitTyp: geothermal is geothermal and solar thermal energy, combustion are the fuels, gases and heat',
  eegFoerderbeginn:
    'As a rule the commissioning of the EEG plant, not that of the unit: units that were moved keep their claim. With awards, support begins at the latest with the deadline of the law',
  eegFoerderende:
    'Without the extension for hours with negative prices. Empty does not mean ended: hydro power up to 5 MW under the EEG 2000 has no end',
  eegEinspeiseverguetungCtKwh:
    'Computed, not billed: without bonuses, deductions and value-added tax. Empty where the law has no fixed tariff (above 100 kW since 2016), after the end of support, and where eegAbleitbarkeit is nicht_ableitbar',
  eegAnzulegenderWertCtKwh:
    'Not the revenue: the market premium is the distance to the market value. After tenders with bid prices, this is the mean of the round weighted by volume, because single values are not published',
  eegReferenzertragVerhaeltnis:
    'As the operator states it in the register, also by an estimate before commissioning; no measured value of the current year',
  eegPhasenwechsel: 'Empty where the law knows one phase alone, or the initial tariff holds until the end of support',
  eegAbleitbarkeit:
    'Holds for tariff and value on the day of the export: after the end of support nicht_ableitbar. geschaetzt stands at each value that rests on a mean or an assumption',
  eegGesetz:
    'By the commissioning of the EEG plant, after tenders by the bid date; the plant keeps it for all of its support',
  ausschreibungen:
    'zuordnung says where the link is from: register = award number in the register, abgleich = comparison with the list of awards. Empty does not mean that there was no award',
};

/** Units of measure that are words. */
const ENGLISH_UNITS: Readonly<Record<string, string>> = { Tage: 'days' };

/**
 * The meaning of a field in English.
 * @throws Error for a field that has none
 */
export function meaningInEnglish(name: string): string {
  const meaning = ENGLISH[name];
  if (meaning === undefined) throw new Error(`sql/catalogue/english.ts does not describe the field ${name}`);
  return meaning;
}

/** The same with its unit of measure. */
export function describedInEnglish({ name, unit }: Pick<UnitField, 'name' | 'unit'>): string {
  const meaning = meaningInEnglish(name);
  return unit === null ? meaning : `${meaning} (${ENGLISH_UNITS[unit] ?? unit})`;
}

/**
 * The note of a field in English; null = it has none.
 * @throws Error for a field whose note is in German alone
 */
export function noteInEnglish({
  name,
  filterOnly,
  hint,
}: Pick<UnitField, 'name' | 'filterOnly' | 'hint'>): string | null {
  if (filterOnly === null && hint === null) return null;
  const note = ENGLISH_NOTES[name];
  if (note === undefined) throw new Error(`sql/catalogue/english.ts has no note of the field ${name}`);
  return note;
}
