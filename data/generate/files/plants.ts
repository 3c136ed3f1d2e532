/** Plants: EEG plants of every carrier, CHP plants, storage plants, gas storage plants, hydro upgrades. */

import { itemAt } from '../../../runtime/present.ts';
import { HYDRO, STORAGE } from '../world/carriers.ts';
import { GROUND, LARGE_BATTERY, OTHER_STORAGE, PLUG_IN, PLUG_IN_BATTERY, PUMPED_HYDRO } from '../world/kinds.ts';
import { chpKey, eegKey, hasOwnPlant, storagePlantKey, unitsOfSite } from '../world/links.ts';
import { bits, logNormal, pick, roll } from '../world/random.ts';
import { PLANNED, RUNNING } from '../world/status.ts';
import { date, dayElement, dayText, decimal, digits, element, flag, NONE, timeText } from '../world/text.ts';
import { Unit, unitNumber } from '../world/unit.ts';
import { chpImprintKey, imprintKey, type World } from '../world/world.ts';
import { gasPlantKey } from './consumption.ts';
import { has } from './optional.ts';

/** Plants change with their unit, or some days later. */
function changed(unit: Unit, day: number): number {
  const later = unit.updated + (roll(unit.base, 300) < 0.3 ? bits(unit.base, 301) % 40 : 0);
  return Math.min(later, day);
}

function state(unit: Unit): string {
  return `<AnlageBetriebsstatus>${unit.status}</AnlageBetriebsstatus>`;
}

/** Commissioning day under the EEG: rarely missing, or earlier than that of the unit, which was moved or replaced. */
function eegStart(unit: Unit): number {
  if (unit.commissioned < -25_000) return NONE;
  const other = roll(unit.siteBase, 395);
  if (other < 0.012) return NONE;
  if (other < 0.03 && unit.commissioned > date(2004))
    return Math.max(date(2000, 4), unit.commissioned - 1 - (bits(unit.siteBase, 396) % 2500));
  return unit.commissioned;
}

function eegHead(world: World, unit: Unit, payment = ''): string {
  return (
    `<Registrierungsdatum>${dayText(unit.first)}</Registrierungsdatum>` +
    `<DatumLetzteAktualisierung>${timeText(changed(unit, world.day), unit.siteBase)}</DatumLetzteAktualisierung>` +
    dayElement('EegInbetriebnahmedatum', eegStart(unit)) +
    `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>${payment}`
  );
}

/** Plant key of the grid operator: E and 32 digits or letters, rarely malformed. Storage seldom has one. */
function plantKey(unit: Unit, share = 0.8): string {
  const base = unit.base ^ 0x5bd1;
  if (roll(base, 302) > share || unit.status === PLANNED) return '';
  if (roll(base, 303) < 0.002) return element('AnlagenschluesselEeg', `E${digits(base, 304, 20)} unbekannt`);
  const operator = digits(unit.region.grid + 1, 305, 7);
  const running = roll(base, 307) < 0.1 ? `ABLO${digits(base, 311, 7)}` : digits(base, 311, 7).padStart(11, '0');
  return `<AnlagenschluesselEeg>E${1 + (operator.charCodeAt(0) % 4)}${operator}000000${running}0000001</AnlagenschluesselEeg>`;
}

function formerRegister(unit: Unit): string {
  const known =
    unit.specimen === 4 ||
    unit.specimen === 8 ||
    (unit.first < date(2021, 2) && unit.commissioned > date(2014, 8) && roll(unit.base, 312) < 0.5);
  const flagged =
    known || has('AnlagenkennzifferAnlagenregister_nv', unit)
      ? `<AnlagenkennzifferAnlagenregister_nv>${known ? 0 : 1}</AnlagenkennzifferAnlagenregister_nv>`
      : '';
  return `${element('AnlagenkennzifferAnlagenregister', known ? `A${digits(unit.base, 313, 13)}` : '')}${flagged}`;
}

/** Capacity of the plant in kW: the sum over its units. */
export function plantPower(world: World, unit: Unit, net: boolean): number {
  let power = net ? unit.net : unit.gross;
  if (hasOwnPlant(unit.carrier) || unit.size === 1) return power;
  const other = new Unit(world);
  const end = Math.min(unit.leader + unit.size, itemAt(world.counts, unit.carrier));
  for (let index = unit.leader + 1; index < end; index++) {
    other.load(unit.carrier, index);
    power += net ? other.net : other.gross;
  }
  return power;
}

function installed(world: World, unit: Unit, net: boolean): string {
  return `<InstallierteLeistung>${decimal(plantPower(world, unit, net))}</InstallierteLeistung>`;
}

function linked(list: string): string {
  return `<VerknuepfteEinheitenMaStRNummern>${list}</VerknuepfteEinheitenMaStRNummern>`;
}

/** The award of an EEG plant, as far as the register knows it. */
function tender(world: World, unit: Unit, middle = ''): string {
  const index = hasOwnPlant(unit.carrier) ? unit.index : unit.leader;
  const numbers = world.imprints.get(imprintKey(unit.carrier, index))?.numbers ?? '';
  if (numbers === '')
    return has('AusschreibungZuschlag', unit) ? '<AusschreibungZuschlag>0</AusschreibungZuschlag>' : '';
  return `<AusschreibungZuschlag>1</AusschreibungZuschlag>${middle}<Zuschlagsnummer>${numbers}</Zuschlagsnummer>`;
}

export function solarPlant(world: World, unit: Unit): string {
  const { base, kind } = unit;
  const paid = flag('InanspruchnahmeZahlungNachEeg', base, 325, kind === PLUG_IN ? 0.02 : 0.93);
  let text = eegHead(world, unit, paid) + plantKey(unit) + formerRegister(unit) + installed(world, unit, false);
  const portal = unit.commissioned > date(2009) && unit.commissioned < date(2017, 7) && roll(base, 326) < 0.7;
  text += portal
    ? `<RegistrierungsnummerPvMeldeportal>ASO${digits(base, 327, 11)}</RegistrierungsnummerPvMeldeportal><RegistrierungsnummerPvMeldeportal_nv>0</RegistrierungsnummerPvMeldeportal_nv>`
    : has('RegistrierungsnummerPvMeldeportal_nv', unit)
      ? '<RegistrierungsnummerPvMeldeportal_nv>1</RegistrierungsnummerPvMeldeportal_nv>'
      : '';
  const tenants = kind !== PLUG_IN && kind !== GROUND && unit.commissioned > date(2017, 8) && roll(base, 328) < 0.012;
  if (tenants || has('MieterstromZugeordnet', unit))
    text += `<MieterstromZugeordnet>${tenants ? 1 : 0}</MieterstromZugeordnet>`;
  if (tenants) {
    text +=
      dayElement('MieterstromMeldedatum', Math.min(unit.registered + 14, world.day)) +
      dayElement('MieterstromErsteZuordnungZuschlag', Math.min(unit.registered + 20, world.day));
  }
  const quantity = `<ZugeordneteGebotsmenge>${decimal(Math.floor(plantPower(world, unit, false)))}</ZugeordneteGebotsmenge>`;
  text += tender(world, unit, quantity);
  return text + state(unit) + linked(unitsOfSite(world, unit.carrier, unit.leader));
}

/** A yield ratio in percent as operators type it: rarely as a factor, or as a number that cannot be. */
function typedRatio(base: number, draw: number, percent: number): number {
  const slip = roll(base, draw + 50);
  if (slip < 0.03) return percent / 100;
  if (slip < 0.04) return percent * 10;
  return slip < 0.045 ? 0 : percent;
}

export function windPlant(world: World, unit: Unit): string {
  const base = unit.siteBase;
  const year = 365.25;
  const age = unit.commissioned < 0 ? 0 : (world.day - unit.commissioned) / year;
  const ratio = (name: string, draw: number, known: boolean): string =>
    (known ? `<${name}>${decimal(typedRatio(base, draw, 55 + 70 * roll(base, draw)))}</${name}>` : '') +
    `<${name}_nv>${known ? 0 : 1}</${name}_nv>`;
  return (
    eegHead(world, unit) +
    formerRegister(unit) +
    plantKey(unit) +
    flag('PrototypAnlage', base, 330, 0.01) +
    flag('PilotAnlage', base, 331, 0.01) +
    installed(world, unit, true) +
    ratio('VerhaeltnisErtragsschaetzungReferenzertrag', 332, roll(base, 333) < 0.6) +
    ratio('VerhaeltnisReferenzertragErtrag5Jahre', 334, age > 5 && roll(base, 335) < 0.7) +
    ratio('VerhaeltnisReferenzertragErtrag10Jahre', 336, age > 10 && roll(base, 337) < 0.3) +
    ratio('VerhaeltnisReferenzertragErtrag15Jahre', 338, age > 15 && roll(base, 339) < 0.2) +
    tender(world, unit) +
    state(unit) +
    linked(unit.number)
  );
}

export function biomassPlant(world: World, unit: Unit): string {
  const base = unit.siteBase;
  const flexible = roll(base, 340) < 0.3;
  const raised = flexible && roll(base, 341) < 0.6;
  const gas = roll(base, 342) < 0.6;
  const methane = roll(base, 343) < 0.08;
  const from = date(2013) + (bits(base, 344) % 2500);
  return (
    eegHead(world, unit) +
    plantKey(unit) +
    formerRegister(unit) +
    installed(world, unit, true) +
    flag('AusschliesslicheVerwendungBiomasse', base, 345, 0.95) +
    tender(world, unit) +
    `<BiogasInanspruchnahmeFlexiPraemie>${flexible ? 1 : 0}</BiogasInanspruchnahmeFlexiPraemie>` +
    (flexible ? dayElement('BiogasDatumInanspruchnahmeFlexiPraemie', from) : '') +
    `<BiogasLeistungserhoehung>${raised ? 1 : 0}</BiogasLeistungserhoehung>` +
    (raised
      ? `${dayElement('BiogasDatumLeistungserhoehung', from - 30)}<BiogasUmfangLeistungserhoehung>${decimal(50 * (1 + (bits(base, 346) % 12)))}</BiogasUmfangLeistungserhoehung>`
      : '') +
    (gas ? `<BiogasGaserzeugungskapazitaet>${decimal(unit.gross * 3900)}</BiogasGaserzeugungskapazitaet>` : '') +
    `<BiogasGaserzeugungskapazitaet_nv>${gas ? 0 : 1}</BiogasGaserzeugungskapazitaet_nv>` +
    `<BiogasHoechstbemessungsleistung>${decimal(unit.gross * 0.9)}</BiogasHoechstbemessungsleistung>` +
    (methane ? dayElement('BiomethanErstmaligerEinsatz', from + 100) : '') +
    `<BiomethanErstmaligerEinsatz_nv>${methane ? 0 : 1}</BiomethanErstmaligerEinsatz_nv>` +
    state(unit) +
    linked(unitsOfSite(world, unit.carrier, unit.leader))
  );
}

/** Number of upgrades of a hydro plant. */
export function upgradeCount(siteBase: number): number {
  const chance = roll(siteBase, 350);
  return chance < 0.12 ? 1 : chance < 0.14 ? 2 : 0;
}

function upgradeId(unit: Unit, upgrade: number): number {
  return 1000 + unit.leader * 2 + upgrade;
}

export function hydroPlant(world: World, unit: Unit): string {
  const ids = Array.from({ length: upgradeCount(unit.siteBase) }, (_, i) => upgradeId(unit, i));
  return (
    eegHead(world, unit) +
    plantKey(unit) +
    formerRegister(unit) +
    installed(world, unit, true) +
    state(unit) +
    element('ErtuechtigungIds', ids.join(',')) +
    linked(unitsOfSite(world, HYDRO, unit.leader))
  );
}

export function hydroUpgrade(world: World, unit: Unit, upgrade: number): string {
  const base = unit.siteBase + upgrade;
  const raised = roll(base, 351) < 0.7;
  const again = date(2005) + (bits(base, 353) % 5000);
  return (
    `<Id>${upgradeId(unit, upgrade)}</Id><DatumLetzteAktualisierung>${timeText(unit.first, base)}</DatumLetzteAktualisierung>` +
    `<EegMastrNummer>${world.series('EEG').of(eegKey(unit))}</EegMastrNummer><Ertuechtigungsart>${raised ? 9000021 : 9000022}</Ertuechtigungsart>` +
    flag('ErtuechtigungIstZulassungspflichtig', base, 352, 0.4) +
    (raised ? `<Leistungserhoehung>${decimal(5 + (bits(base, 354) % 40))}</Leistungserhoehung>` : '') +
    `<WiederinbetriebnahmeDatum>${dayText(again)}T00:00:00</WiederinbetriebnahmeDatum>`
  );
}

export function mixedPlant(world: World, unit: Unit): string {
  return (
    eegHead(world, unit) +
    plantKey(unit) +
    formerRegister(unit) +
    installed(world, unit, true) +
    state(unit) +
    linked(unitsOfSite(world, unit.carrier, unit.leader))
  );
}

export function eegStoragePlant(world: World, unit: Unit): string {
  return (
    eegHead(world, unit) + plantKey(unit, 0.07) + tender(world, unit) + linked(unitNumber(world, STORAGE, unit.index))
  );
}

export function chpPlant(world: World, unit: Unit): string {
  const { base } = unit;
  const award = world.imprints.get(chpImprintKey(unit.carrier, unit.index))?.numbers ?? '';
  return (
    `<KwkMastrNummer>${world.series('KWK').of(chpKey(unit))}</KwkMastrNummer><AusschreibungZuschlag>${award === '' ? 0 : 1}</AusschreibungZuschlag>` +
    element('Zuschlagnummer', award) +
    `<DatumLetzteAktualisierung>${timeText(changed(unit, world.day), base ^ 77)}</DatumLetzteAktualisierung>` +
    dayElement('Inbetriebnahmedatum', unit.commissioned) +
    `<Registrierungsdatum>${dayText(unit.registered)}</Registrierungsdatum>` +
    `<ThermischeNutzleistung>${decimal(Math.round(unit.gross * (1 + roll(base, 365))))}</ThermischeNutzleistung>` +
    `<ElektrischeKwkLeistung>${decimal(unit.net)}</ElektrischeKwkLeistung>` +
    state(unit) +
    linked(unitNumber(world, unit.carrier, unit.index))
  );
}

/** Capacity of a storage plant in kWh, with the slips of those who type Wh or MWh. */
function storageCapacity(unit: Unit): number {
  const { base, kind } = unit;
  const hours = kind === PUMPED_HYDRO ? 8 : kind === LARGE_BATTERY ? 2.2 : kind === OTHER_STORAGE ? 0.5 : 1.55;
  const capacity =
    kind === PLUG_IN_BATTERY
      ? pick(base, 370, [1.6, 1.92, 2, 2.688, 3.2])
      : unit.gross * logNormal(base, 371, hours, 0.35);
  const slip = roll(base, 373);
  if (slip < 0.0015 && capacity < 3) return capacity * 1000;
  if (slip < 0.0025 || (kind === LARGE_BATTERY && slip < 0.02)) return Math.max(0.001, capacity / 1000);
  return capacity;
}

export function storagePlant(world: World, unit: Unit): string {
  const joint = unit.siteCarrier === STORAGE;
  return (
    `<MaStRNummer>${world.series('SSE').of(storagePlantKey(unit))}</MaStRNummer><Registrierungsdatum>${dayText(unit.first)}</Registrierungsdatum>` +
    `<DatumLetzteAktualisierung>${timeText(changed(unit, world.day), unit.base ^ 99)}</DatumLetzteAktualisierung>` +
    `<NutzbareSpeicherkapazitaet>${decimal(Math.round(storageCapacity(unit) * 100) / 100)}</NutzbareSpeicherkapazitaet>` +
    linked(joint ? unitsOfSite(world, STORAGE, unit.leader) : unitNumber(world, STORAGE, unit.index)) +
    (unit.status !== RUNNING || has('AnlageBetriebsstatus', unit) ? state(unit) : '')
  );
}

export function gasStoragePlant(world: World, unit: Unit): string {
  return (
    `<MaStRNummer>${world.series('GSE').of(gasPlantKey(unit.index))}</MaStRNummer>` +
    `<DatumLetzteAktualisierung>${timeText(unit.updated, unit.base ^ 55)}</DatumLetzteAktualisierung>` +
    `<Speichername>Speicher ${unit.region.place.slice(5, -6)}</Speichername><Registrierungsdatum>${dayText(unit.first)}</Registrierungsdatum>` +
    state(unit) +
    linked(unitNumber(world, unit.carrier, unit.index))
  );
}
