/** Elements that the unit files share, in the order of the field tables. */

import { itemAt } from '../../../runtime/present.ts';
import { hasPermit, locationNumber, namesLocation } from '../world/links.ts';
import { street, unitName } from '../world/names.ts';
import { isLegal } from '../world/operators.ts';
import { bits, roll } from '../world/random.ts';
import { RUNNING } from '../world/status.ts';
import { dayElement, dayText, decimal, degrees, digits, element, flag, timeText } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import { imprintKey, type World } from '../world/world.ts';
import { HIDDEN_UP_TO, has } from './optional.ts';

/** The differences between the files in the order of the shared elements. */
export interface Order {
  readonly address: 'street first' | 'parcel first';
  readonly planned: 'first' | 'after commissioning' | 'last';
}

/** Elements of a unit from its number to the change of operator. */
export function unitHead(world: World, unit: Unit, order: Order, number: string): string {
  const { base, region } = unit;
  const location = namesLocation(unit)
    ? `<LokationMaStRNummer>${locationNumber(world, unit)}</LokationMaStRNummer>`
    : '';
  const open = unit.gross > HIDDEN_UP_TO;
  const operators = world.series('ABR');
  let text =
    `<EinheitMastrNummer>${number}</EinheitMastrNummer>` +
    `<DatumLetzteAktualisierung>${timeText(unit.updated, base)}</DatumLetzteAktualisierung>${location}` +
    `<NetzbetreiberpruefungStatus>${unit.checkStatus}</NetzbetreiberpruefungStatus>` +
    dayElement('NetzbetreiberpruefungDatum', unit.checked) +
    `<AnlagenbetreiberMastrNummer>${operators.of(unit.operator)}</AnlagenbetreiberMastrNummer>${region.head}`;
  text += open
    ? address(world, unit, order)
    : has('StrasseNichtGefunden', unit)
      ? HIDDEN_ADDRESS
      : '<Hausnummer_nv>0</Hausnummer_nv>';
  text += region.place;
  if (open && roll(base, 120) < 0.97) text += coordinates(unit);
  text += `<Registrierungsdatum>${dayText(unit.registered)}</Registrierungsdatum>`;
  const planned = dayElement('GeplantesInbetriebnahmedatum', unit.planned);
  const commissioned = dayElement('Inbetriebnahmedatum', unit.commissioned);
  const ended =
    unit.status === RUNNING && unit.resumed < 0
      ? ''
      : dayElement('DatumEndgueltigeStilllegung', unit.closed) +
        dayElement('DatumBeginnVoruebergehendeStilllegung', unit.paused) +
        dayElement('DatumWiederaufnahmeBetrieb', unit.resumed);
  text +=
    order.planned === 'first'
      ? planned + commissioned + ended
      : order.planned === 'last'
        ? commissioned + ended + planned
        : commissioned + planned + ended;
  text += `<EinheitSystemstatus>${unit.systemStatus}</EinheitSystemstatus><EinheitBetriebsstatus>${unit.status}</EinheitBetriebsstatus>`;
  text += migrated(world, unit);
  if (unit.formerOperator !== 0) {
    if (unit.specimen >= 0 || roll(base, 121) < 0.7)
      text += element('AltAnlagenbetreiberMastrNummer', operators.of(unit.formerOperator));
    text += dayElement('DatumDesBetreiberwechsels', unit.change);
    text += dayElement('DatumRegistrierungDesBetreiberwechsels', unit.changeRegistered);
  }
  return text;
}

const HIDDEN_ADDRESS =
  '<StrasseNichtGefunden>0</StrasseNichtGefunden><Hausnummer_nv>0</Hausnummer_nv><HausnummerNichtGefunden>0</HausnummerNichtGefunden>';

function address(world: World, unit: Unit, order: Order): string {
  const { base, region } = unit;
  const awarded = world.imprints.get(imprintKey(unit.carrier, unit.leader))?.place ?? '';
  if (awarded !== '') return awarded + HIDDEN_ADDRESS;
  const atSea = region.key === '';
  const legal = isLegal(world, unit.operator);
  const hasStreet = legal && !atSea && roll(base, 122) < 0.55;
  const streetText = hasStreet ? `<Strasse>${street(base)}</Strasse>` : '';
  const parcel =
    !hasStreet && !atSea && roll(base, 123) < 0.8
      ? `<Gemarkung>${region.place.slice(5, -6)}</Gemarkung><FlurFlurstuecknummern>${parcels(base)}</FlurFlurstuecknummern>`
      : '';
  const noNumber = hasStreet && roll(base, 124) < 0.2;
  const extra = roll(base, 125);
  return (
    (order.address === 'street first' ? streetText + parcel : parcel + streetText) +
    `<StrasseNichtGefunden>${roll(base, 126) < 0.1 ? 1 : 0}</StrasseNichtGefunden>` +
    (hasStreet && !noNumber ? `<Hausnummer>${1 + (bits(base, 127) % 120)}</Hausnummer>` : '') +
    `<Hausnummer_nv>${noNumber ? 1 : 0}</Hausnummer_nv><HausnummerNichtGefunden>${roll(base, 128) < 0.1 ? 1 : 0}</HausnummerNichtGefunden>` +
    (extra < 0.01 || unit.specimen === 1
      ? '<Adresszusatz>Halle 2&#13;&#10;hinter dem Tor</Adresszusatz>'
      : extra < 0.03
        ? '<Adresszusatz></Adresszusatz>'
        : '')
  );
}

function parcels(base: number): string {
  const field = 1 + (bits(base, 129) % 50);
  const parcel = 1 + (bits(base, 130) % 400);
  switch (bits(base, 131) % 4) {
    case 0:
      return `Flur ${field} Flurstück ${parcel}/${1 + (parcel % 9)}`;
    case 1:
      return `Flur${field}: ${parcel}`;
    case 2:
      return `${parcel}`;
    default:
      return ` Flur${field}: ${parcel}, ${parcel + 1},&#13;&#10;${parcel + 2}.`;
  }
}

function coordinates({ base, siteBase, region }: Unit): string {
  // Units of a site are close together; very few are far outside their municipality.
  const stray = roll(base, 132) < 0.003 ? 20 : 1;
  const longitude = region.longitude + ((roll(siteBase, 133) - 0.5) * 0.06 + (roll(base, 134) - 0.5) * 0.008) * stray;
  const latitude = region.latitude + ((roll(siteBase, 135) - 0.5) * 0.04 + (roll(base, 136) - 0.5) * 0.005) * stray;
  return `<Laengengrad>${degrees(longitude)}</Laengengrad><Breitengrad>${degrees(latitude)}</Breitengrad>`;
}

function migrated(world: World, unit: Unit): string {
  const old = unit.first < 18_660 && roll(unit.base, 137) < 0.35;
  const number = old && roll(unit.base, 138) < 0.9 ? world.series('SME').of(unit.index * 16 + unit.carrier) : '';
  return (
    element('BestandsanlageMastrNummer', number) +
    (old || has('NichtVorhandenInMigriertenEinheiten', unit)
      ? `<NichtVorhandenInMigriertenEinheiten>${old ? 0 : 1}</NichtVorhandenInMigriertenEinheiten>`
      : '')
  );
}

const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Elements of generation and storage units from the name to the net rated capacity and the voltage flag. */
export function electricHead(unit: Unit, energy: number): string {
  const { base, kind, region } = unit;
  const large = unit.gross > 10_000;
  const known = (draw: number) => unit.specimen === 0 || (unit.gross > 4000 && roll(base, draw) < 0.5);
  const coded = known(140);
  const plant = known(141);
  const letters = itemAt(CODE_LETTERS, bits(base, 142) % 24) + itemAt(CODE_LETTERS, bits(base, 143) % 24);
  return (
    element('NameStromerzeugungseinheit', unitName(kind, region, base)) +
    (coded
      ? `<Weic>11WD${digits(base, 144, 1)}${letters}${digits(base, 145, 3)}-${digits(base, 146, 4)}-${letters[0]}</Weic><Weic_nv>0</Weic_nv><WeicDisplayName>${letters}_${digits(base, 147, 4)}</WeicDisplayName>`
      : `<Weic_nv>${roll(base, 148) < 0.34 ? 0 : 1}</Weic_nv>`) +
    (plant
      ? `<Kraftwerksnummer>BNA${digits(base, 149, 4)}</Kraftwerksnummer><Kraftwerksnummer_nv>0</Kraftwerksnummer_nv>`
      : `<Kraftwerksnummer_nv>${roll(base, 150) < 0.1 ? 0 : 1}</Kraftwerksnummer_nv>`) +
    `<Energietraeger>${energy}</Energietraeger><Bruttoleistung>${decimal(unit.gross)}</Bruttoleistung>` +
    `<Nettonennleistung>${decimal(unit.net)}</Nettonennleistung>` +
    (has('AnschlussAnHoechstOderHochSpannung', unit)
      ? `<AnschlussAnHoechstOderHochSpannung>${unit.gross > 20_000 || (large && roll(base, 151) < 0.6) ? 1 : 0}</AnschlussAnHoechstOderHochSpannung>`
      : '')
  );
}

/** Party responsible for dispatch; only large units name one. */
export function dispatcher(unit: Unit): string {
  return unit.specimen === 0 || (unit.gross > 5000 && roll(unit.base, 152) < 0.5)
    ? `<Einsatzverantwortlicher>99${digits(unit.base, 153, 11)}</Einsatzverantwortlicher>`
    : '';
}

/** Remote control and feed-in. */
export function control(unit: Unit, full: number): string {
  const { base } = unit;
  const remote = unit.gross > 100 ? 0.92 : unit.gross > 25 ? 0.6 : 0.08;
  const controls = has('FernsteuerbarkeitNb', unit)
    ? flag('FernsteuerbarkeitNb', base, 154, remote) +
      flag('FernsteuerbarkeitDv', base, 155, unit.gross > 100 ? 0.8 : 0.01)
    : '';
  return `${controls}<Einspeisungsart>${roll(base, 156) < full ? 688 : 689}</Einspeisungsart>`;
}

export function permit(world: World, unit: Unit): string {
  return hasPermit(unit) ? `<GenMastrNummer>${world.series('SGE').of(unit.siteKey)}</GenMastrNummer>` : '';
}

/** Grid reserve and capacity reserve, and the commissioning day at the present site. */
export function reserves(unit: Unit): string {
  const { base, kind } = unit;
  if (unit.gross <= 1000) {
    return has('NetzreserveZugeordnet', unit)
      ? '<NetzreserveZugeordnet>0</NetzreserveZugeordnet><KapazitaetsreserveZugeordnet>0</KapazitaetsreserveZugeordnet>'
      : '';
  }
  const power = kind.name === 'power station' || kind.name === 'reactor' ? 0.12 : 0.03;
  const grid = unit.specimen === 0 || roll(base, 161) < power;
  const capacity = !grid && (unit.specimen === 1 || roll(base, 162) < power);
  return (
    `<NetzreserveZugeordnet>${grid ? 1 : 0}</NetzreserveZugeordnet>` +
    (grid ? `<DatumNetzreserve>${dayText(unit.first)}T00:00:00</DatumNetzreserve>` : '') +
    `<KapazitaetsreserveZugeordnet>${capacity ? 1 : 0}</KapazitaetsreserveZugeordnet>` +
    (capacity ? `<DatumKapazitaetsreserve>${dayText(unit.first)}T00:00:00</DatumKapazitaetsreserve>` : '')
  );
}

/** Commissioning day at the present site, for units that were moved. */
export function moved(unit: Unit, share: number, time = 'T00:00:00'): string {
  if (unit.commissioned < -36_000 || (unit.specimen !== 0 && roll(unit.base, 163) >= share)) return '';
  const day = Math.min(unit.commissioned + 400, unit.registered);
  return `<InbetriebnahmedatumAmAktuellenStandort>${dayText(Math.max(day, unit.commissioned))}${time}</InbetriebnahmedatumAmAktuellenStandort>`;
}
