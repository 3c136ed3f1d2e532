/** Actors: operators of units, grid operators, traders and authorities, and the roles they hold. */

import { itemAt } from '../../../runtime/present.ts';
import { firmName, legalForm, poolName, street } from '../world/names.ts';
import { actorBase, isLegal, poolKey } from '../world/operators.ts';
import { baseOf, bits, pick, roll } from '../world/random.ts';
import { type Region, regionFor } from '../world/regions.ts';
import { date, dayText, digits, element, escapeText, timeText } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import { STREAM, type World } from '../world/world.ts';
import { gasSeat, gridOperator, gridOperatorName, POWER_GRIDS, seat } from './grid.ts';

const ORGANISATION = 517;
const PERSON = 518;

/** Organisations of persons that the register has counted as persons since release 26.1; they convert over time. */
function convertsOn(base: number): number {
  return roll(base, 500) < 0.08 ? date(2026, 4) + (bits(base, 501) % 450) : 1_000_000;
}

function renamedOn(base: number): number {
  return roll(base, 502) < 0.3 ? date(2023) + (bits(base, 503) % 1800) : 1_000_000;
}

/** Share of operators that leave the register after their site went to another one. */
const LEAVES_AFTER_CHANGE = 0.5;

/** Returns true when the first operator of a site was deactivated; `changed` is the day on which the change was registered. */
export function isDeactivated(siteBase: number, changed: number, day: number): boolean {
  if (roll(siteBase, 504) < 0.002) return true;
  return changed > 0 && changed + 30 <= day && roll(siteBase, 505) < LEAVES_AFTER_CHANGE;
}

export function deactivatedRecord(world: World, key: number, siteBase: number, changed: number): string {
  const at = changed > 0 ? changed + 30 : date(2023) + (bits(siteBase, 506) % 1000);
  return (
    `<MarktakteurMastrNummer>${world.series('ABR').of(key)}</MarktakteurMastrNummer>` +
    `<MarktakteurStatus>${roll(siteBase, 507) < 0.7 ? 488 : 489}</MarktakteurStatus>` +
    `<DatumLetzteAktualisierung>${timeText(Math.min(at, world.day), siteBase)}</DatumLetzteAktualisierung>`
  );
}

/** Share of natural persons with the flags that say which of their data are missing. */
const FLAGGED_PERSONS = 0.15;

/** A natural person: number, kind, function and dates only. */
function person(number: string, base: number, registered: number, updated: number): string {
  const kind = pick(base, 510, [3251, 3251, 3251, 2966, 280, 2983, 2984, 3252]);
  return (
    `<MastrNummer>${number}</MastrNummer><DatumLetzeAktualisierung>${timeText(updated, base)}</DatumLetzeAktualisierung>` +
    `<Personenart>${PERSON}</Personenart>` +
    (roll(base, 511) < 0.5 ? `<MarktakteurAnrede>${kind}</MarktakteurAnrede>` : '') +
    '<Marktfunktion>2</Marktfunktion><Hausnummer_nv>0</Hausnummer_nv>' +
    (roll(base, 512) < FLAGGED_PERSONS
      ? '<Fax_nv>0</Fax_nv><Webseite_nv>0</Webseite_nv><AcerCode_nv>0</AcerCode_nv><Umsatzsteueridentifikationsnummer_nv>0</Umsatzsteueridentifikationsnummer_nv>' +
        '<BundesnetzagenturBetriebsnummer_nv>0</BundesnetzagenturBetriebsnummer_nv><HausnummerAnZustelladresse_nv>0</HausnummerAnZustelladresse_nv>'
      : '') +
    `<RegistrierungsdatumMarktakteur>${timeText(registered, base)}</RegistrierungsdatumMarktakteur>`
  );
}

interface Organisation {
  readonly number: string;
  readonly base: number;
  readonly name: string;
  readonly market: number;
  readonly region: Region;
  readonly registered: number;
  readonly updated: number;
  /** Elements that only some kinds of actors have. */
  readonly roles?: string;
  readonly grid?: string;
  readonly portal?: string;
  readonly trade?: string;
}

/** Neighbouring countries with postal codes in their own form. */
const ABROAD = [
  { country: 206, postcode: 'A-1010', town: 'Wien', region: 'Wien' },
  { country: 90, postcode: 'DK-8000', town: 'Aarhus', region: 'Midtjylland' },
  { country: 231, postcode: 'CH-8001', town: 'Zürich', region: 'Zürich' },
  { country: 198, postcode: '1012 AB', town: 'Amsterdam', region: 'Noord-Holland' },
  { country: 169, postcode: 'L-1115', town: 'Luxembourg', region: '' },
  { country: 106, postcode: '67000', town: 'Strasbourg', region: 'Grand Est' },
];

function organisation(actor: Organisation): string {
  const { base, name, region } = actor;
  const foreign = actor.market === 2 && roll(base, 520) < 0.015 ? pick(base, 521, ABROAD) : undefined;
  const form = legalForm(name);
  const fax = roll(base, 522) < 0.3;
  const web = roll(base, 523) < 0.35;
  const tax = roll(base, 524) < 0.4;
  const acer = actor.market !== 2 && roll(base, 525) < 0.6;
  const company = actor.market !== 2;
  const delivery = roll(base, 526) < 0.06;
  const listed = form === 429 || form === 430 || form === 409 || form === 423;
  const noNumber = roll(base, 527) < 0.05;
  const domain = `beispiel-${digits(base, 528, 4)}.example`;
  const land = region.key === '' ? undefined : region;
  return (
    `<MastrNummer>${actor.number}</MastrNummer><DatumLetzeAktualisierung>${timeText(actor.updated, base)}</DatumLetzeAktualisierung>` +
    `<Personenart>${ORGANISATION}</Personenart>` +
    (roll(base, 529) < 0.004
      ? '<MarktakteurAnrede>2984</MarktakteurAnrede><MarktakteurTitel>1000</MarktakteurTitel><MarktakteurVorname>Erika</MarktakteurVorname><MarktakteurNachname>Mustermann</MarktakteurNachname>'
      : '') +
    `<Firmenname>${escapeText(name)}</Firmenname><Marktfunktion>${actor.market}</Marktfunktion><Rechtsform>${form}</Rechtsform>` +
    (form === 465 && roll(base, 530) < 0.3 ? '<SonstigeRechtsform>Körperschaft</SonstigeRechtsform>' : '') +
    element('Marktrollen', actor.roles ?? '') +
    (foreign ? `<Land>${foreign.country}</Land>${element('Region', foreign.region)}` : '<Land>84</Land>') +
    `<Strasse>${street(base)}</Strasse>` +
    (noNumber ? '' : `<Hausnummer>${1 + (bits(base, 531) % 150)}${roll(base, 532) < 0.1 ? ' a' : ''}</Hausnummer>`) +
    `<Hausnummer_nv>${noNumber ? 1 : 0}</Hausnummer_nv>` +
    (roll(base, 533) < 0.02 ? '<Adresszusatz>c/o Verwaltung&#13;&#10;2. OG</Adresszusatz>' : '') +
    (foreign
      ? `<Postleitzahl>${foreign.postcode}</Postleitzahl><Ort>${foreign.town}</Ort>`
      : land
        ? `<Postleitzahl>${land.postcode}</Postleitzahl><Ort>${escapeText(land.town)}</Ort><Bundesland>${land.actorState}</Bundesland>`
        : '<Postleitzahl>20457</Postleitzahl><Ort>Hamburg</Ort><Bundesland>338</Bundesland>') +
    element('Netz', actor.grid ?? '') +
    (roll(base, 534) < 0.1
      ? `<Nuts2>DE${'123456789ABCDEFG'[bits(base, 535) % 16]}${bits(base, 536) % 5}</Nuts2>`
      : '') +
    (roll(base, 537) < 0.6 ? `<Email>info@${domain}</Email><Telefon>+49 30 ${digits(base, 538, 7)}</Telefon>` : '') +
    (fax ? `<Fax>+49 30 ${digits(base, 541, 7)}</Fax>` : '') +
    `<Fax_nv>${fax ? 0 : 1}</Fax_nv>` +
    (web ? `<Webseite>https://www.${domain}</Webseite>` : '') +
    `<Webseite_nv>${web ? 0 : 1}</Webseite_nv>` +
    (foreign
      ? `<RegistergerichtAusland>${foreign.town}</RegistergerichtAusland><RegisternummerAusland>${digits(base, 544, 8)}</RegisternummerAusland>`
      : listed
        ? `<Registergericht>${9000001 + (bits(base, 545) % 8)}</Registergericht><RegisternummerPraefix>${form === 430 ? 1003 : form === 423 ? 1005 : 1004}</RegisternummerPraefix><Registernummer>${1000 + (bits(base, 546) % 200_000)}</Registernummer>`
        : '') +
    `<Taetigkeitsbeginn>${dayText(actor.registered - (bits(base, 547) % 4000))}</Taetigkeitsbeginn>` +
    (acer ? `<AcerCode>A00${digits(base, 548, 5)}S.DE</AcerCode>` : '') +
    `<AcerCode_nv>${acer ? 0 : 1}</AcerCode_nv>` +
    (tax ? `<Umsatzsteueridentifikationsnummer>DE${digits(base, 549, 9)}</Umsatzsteueridentifikationsnummer>` : '') +
    `<Umsatzsteueridentifikationsnummer_nv>${tax ? 0 : 1}</Umsatzsteueridentifikationsnummer_nv>` +
    (roll(base, 552) < 0.02 ? `<Taetigkeitsende>${dayText(actor.registered + 1400)}</Taetigkeitsende>` : '') +
    (company ? `<BundesnetzagenturBetriebsnummer>${digits(base, 553, 8)}</BundesnetzagenturBetriebsnummer>` : '') +
    `<BundesnetzagenturBetriebsnummer_nv>${company ? 0 : 1}</BundesnetzagenturBetriebsnummer_nv>` +
    (delivery
      ? `<LandAnZustelladresse>84</LandAnZustelladresse><PostleitzahlAnZustelladresse>${region.postcode || '20457'}</PostleitzahlAnZustelladresse><OrtAnZustelladresse>${escapeText(region.town)}</OrtAnZustelladresse>` +
        `<StrasseAnZustelladresse>${street(base ^ 9)}</StrasseAnZustelladresse><HausnummerAnZustelladresse>${1 + (bits(base, 556) % 90)}</HausnummerAnZustelladresse>`
      : '') +
    '<HausnummerAnZustelladresse_nv>0</HausnummerAnZustelladresse_nv>' +
    (delivery && roll(base, 557) < 0.5
      ? '<AdresszusatzAnZustelladresse>Postfach 12</AdresszusatzAnZustelladresse>'
      : '') +
    `<Kmu>${roll(base, 558) < 0.7 ? 1 : 0}</Kmu>` +
    `<RegistrierungsdatumMarktakteur>${timeText(actor.registered, base)}</RegistrierungsdatumMarktakteur>` +
    (roll(base, 559) < 0.5
      ? '<HauptwirtdschaftszweigAbteilung>9000012</HauptwirtdschaftszweigAbteilung><HauptwirtdschaftszweigGruppe>9000013</HauptwirtdschaftszweigGruppe><HauptwirtdschaftszweigAbschnitt>9000011</HauptwirtdschaftszweigAbschnitt>'
      : '') +
    (actor.trade ?? '') +
    element('WebportalDesNetzbetreibers', actor.portal ?? '')
  );
}

/** Operator of the site led by this unit: the first one, or its successor from the day the change was registered. */
export function siteOperatorRecord(world: World, unit: Unit, key: number, registered: number): string {
  const base = actorBase(world, key);
  const number = world.series('ABR').of(key);
  const converts = convertsOn(base);
  const renamed = renamedOn(base);
  const events = [renamed, converts].filter((day) => day <= world.day && day > registered);
  const again = world.changes.renamed.get(key);
  const updated = again ?? Math.max(registered, ...events);
  if (!isLegal(world, key) || converts <= world.day) return person(number, base, registered, updated);
  const successor = key % 2 === 1;
  const named = again !== undefined ? base ^ 0x3c : renamed <= world.day ? base ^ 0x77 : base;
  const name = firmName(unit.kind, unit.region, named, successor);
  return organisation({ number, base, name, market: 2, region: unit.region, registered, updated });
}

/** One of the large operators. */
export function poolRecord(world: World, index: number): string {
  const key = poolKey(index);
  const base = actorBase(world, key);
  const region = regionFor('solar', roll(base, 560));
  const renamed = renamedOn(base);
  const registered = date(2019, 1, 31) + (bits(base, 561) % 600);
  const updated = renamed <= world.day ? Math.max(renamed, registered) : registered;
  const name = poolName(renamed <= world.day ? base ^ 0x77 : base);
  return organisation({ number: world.series('ABR').of(key), base, name, market: 2, region, registered, updated });
}

/** Number of a role: the number of the actor and a suffix. */
function roleNumber(actor: string, suffix: string): string {
  return `${actor}${suffix}`;
}

export function gridOperatorRecord(world: World, grid: number): string {
  const base = baseOf(world.seed, STREAM.role, grid);
  const number = gridOperator(world, grid);
  const roles = [roleNumber(number, 'AN'), roleNumber(number, 'MS')];
  return organisation({
    number,
    base,
    name: gridOperatorName(world, grid),
    market: 1,
    region: seat(grid),
    registered: date(2017, 7) + (bits(base, 561) % 300),
    updated: date(2024) + (bits(base, 562) % 900),
    roles: roles.join(', '),
    grid: world.series('SNE').of(grid),
    portal: roll(base, 563) < 0.7 ? `https://portal.netz-${digits(base, 564, 3)}.example` : '',
  });
}

export function gasOperatorRecord(world: World, grid: number): string {
  const base = baseOf(world.seed, STREAM.role, 10_000 + grid);
  return organisation({
    number: world.series('GNB').of(grid),
    base,
    name: `Gasnetze ${gasSeat(grid).district} GmbH`,
    market: 8,
    region: gasSeat(grid),
    registered: date(2017, 9) + (bits(base, 561) % 300),
    updated: date(2024) + (bits(base, 562) % 900),
    grid: world.series('GNE').of(grid),
  });
}

/** Traders, market places and authorities; prefix by market function. */
const OTHERS: readonly { readonly prefix: string; readonly market: number; readonly names: readonly string[] }[] = [
  {
    prefix: 'SAM',
    market: 3,
    names: ['Stromhandel {n} GmbH', 'Direktvermarktung Nord {n} GmbH', 'Energieversorgung {n} AG'],
  },
  { prefix: 'GAM', market: 9, names: ['Gashandel {n} GmbH', 'Gasvertrieb {n} GmbH'] },
  { prefix: 'ORG', market: 4, names: ['Strombörse {n} SE'] },
  {
    prefix: 'BVI',
    market: 5,
    names: ['Landesbehörde {n}', 'Verband der Energieberater {n} e.V.', 'Institut für Energietechnik {n}'],
  },
  { prefix: 'SOM', market: 6, names: ['Dienstleister {n} GmbH'] },
];

export const OTHER_ACTORS = 120;

function otherNumber(world: World, index: number): string {
  return world.series(itemAt(OTHERS, index % OTHERS.length).prefix).of(index);
}

export function otherRecord(world: World, index: number): string {
  const base = baseOf(world.seed, STREAM.role, 20_000 + index);
  const { market, names } = itemAt(OTHERS, index % OTHERS.length);
  const number = otherNumber(world, index);
  const bit = (name: string, draw: number): string => `<${name}>${roll(base, draw) < 0.5 ? 1 : 0}</${name}>`;
  const trade =
    market === 3
      ? bit('Direktvermarktungsunternehmen', 570) +
        bit('BelieferungVonLetztverbrauchernStrom', 571) +
        bit('BelieferungHaushaltskundenStrom', 572) +
        bit('Stromgrosshaendler', 574)
      : market === 9
        ? bit('Gasgrosshaendler', 573) +
          bit('BelieferungVonLetztverbrauchernGas', 575) +
          bit('BelieferungHaushaltskundenGas', 576)
        : '';
  return organisation({
    number,
    base,
    name: pick(base, 577, names).replace('{n}', String(1 + (bits(base, 578) % 90))),
    market,
    region: regionFor('solar', roll(base, 560)),
    registered: date(2018) + (bits(base, 561) % 2500),
    updated: date(2025) + (bits(base, 562) % 600),
    roles: market === 3 ? roleNumber(number, 'EV') : '',
    trade,
  });
}

const ROLE_NAMES: Record<string, string> = {
  AN: 'Anschlussnetzbetreiber',
  MS: 'Messstellenbetreiber',
  EV: 'Einsatzverantwortlicher',
};

function role(actor: string, base: number, suffix: string): string {
  const agency = roll(base, 580) < 0.8;
  const partner = roll(base, 581) < 0.9;
  return (
    `<MarktakteurMastrNummer>${actor}</MarktakteurMastrNummer><DatumLetzteAktualisierung>${timeText(date(2024) + (bits(base, 562) % 900), base)}</DatumLetzteAktualisierung>` +
    `<MastrNummer>${roleNumber(actor, suffix)}</MastrNummer><Marktrolle>${ROLE_NAMES[suffix]}</Marktrolle>` +
    (agency ? `<BundesnetzagenturBetriebsnummer>${digits(base, 582, 8)}</BundesnetzagenturBetriebsnummer>` : '') +
    `<BundesnetzagenturBetriebsnummer_nv>${agency ? 0 : 1}</BundesnetzagenturBetriebsnummer_nv>` +
    (partner
      ? `<Marktpartneridentifikationsnummer>99${digits(base, 585, 11)}</Marktpartneridentifikationsnummer>`
      : '') +
    `<Marktpartneridentifikationsnummer_nv>${partner ? 0 : 1}</Marktpartneridentifikationsnummer_nv>` +
    (roll(base, 590) < 0.5
      ? '<KontaktdatenMarktrolle>Erika Mustermann, +49 30 1234567&#13;&#10;kontakt@netz.example</KontaktdatenMarktrolle>'
      : '')
  );
}

/** Roles: two per grid operator, one per electricity trader. */
export function roleRecords(world: World, index: number): string[] {
  if (index < POWER_GRIDS) {
    const number = gridOperator(world, index);
    const base = baseOf(world.seed, STREAM.role, index);
    return [role(number, base, 'AN'), role(number, base ^ 1, 'MS')];
  }
  const other = index - POWER_GRIDS;
  if (itemAt(OTHERS, other % OTHERS.length).market !== 3) return [];
  return [role(otherNumber(world, other), baseOf(world.seed, STREAM.role, 20_000 + other), 'EV')];
}
