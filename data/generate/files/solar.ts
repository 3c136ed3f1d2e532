/** Solar units. */

import { itemAt } from '../../../runtime/present.ts';
import { SOLAR } from '../world/carriers.ts';
import { GROUND, HOME_ROOF, LARGE_ROOF, MEDIUM_ROOF, PLUG_IN } from '../world/kinds.ts';
import { eegKey, hasEeg } from '../world/links.ts';
import { freeText } from '../world/names.ts';
import { bits, pick, roll, weighted } from '../world/random.ts';
import { decimal, element, NONE } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { control, dispatcher, electricHead, moved, type Order, permit, unitHead } from './shared.ts';

const ORDER: Order = { address: 'street first', planned: 'last' };

/** Land uses before construction (catalogue ids); 3299 is in no catalogue. */
const FORMER_USES = [3187, 3187, 3187, 3187, 3188, 3188, 3194, 3202, 3203, 3205, 3200, 3299];
const FEATURES = [
  '709',
  '710',
  '711',
  '712',
  '812',
  '813',
  '3183',
  '813, 3186',
  '709, 812',
  '711, 3183',
  '3186',
  '3181, 3057',
];
const DIRECTIONS = [699, 704, 700, 698, 701, 697, 702, 696, 695, 703];
const DIRECTION_WEIGHTS = [46, 15, 11, 10, 7, 6, 2, 1.5, 1, 0.5];
const TILTS = [809, 808, 810, 807, 806, 811, 3179];
const TILT_WEIGHTS = [55, 20, 17, 3, 2, 0.5, 2.5];

export function solarUnit(world: World, unit: Unit, number: string): string {
  const { base, kind } = unit;
  const ground = kind === GROUND;
  const full =
    ground || kind === LARGE_ROOF ? 0.75 : unit.commissioned !== NONE && unit.commissioned < 14_600 ? 0.85 : 0.06;
  let text =
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, 2495) +
    (kind === PLUG_IN ? '<Einspeisungsart>689</Einspeisungsart>' : control(unit, full)) +
    (unit.inverter > 0
      ? `<ZugeordneteWirkleistungWechselrichter>${decimal(unit.inverter)}</ZugeordneteWirkleistungWechselrichter>`
      : '') +
    `<AnzahlModule>${unit.modules}</AnzahlModule><ArtDerSolaranlage>${siting(unit)}</ArtDerSolaranlage>`;
  // Plug-in units are registered with few statements.
  if (kind !== PLUG_IN || roll(base, 169) < 0.1) text += orientation(unit, ground);
  if (!ground) text += `<Nutzungsbereich>${use(unit)}</Nutzungsbereich>`;
  if (unit.gross > 100) text += `<Buergerenergie>${roll(base, 176) < 0.05 ? 1 : 0}</Buergerenergie>`;
  if (hasEeg(unit)) text += `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>`;
  if (ground) {
    text +=
      `<GroesseDerInAnspruchGenommenenFlaecheInHektar>${decimal(unit.gross / 900)}</GroesseDerInAnspruchGenommenenFlaecheInHektar>` +
      (roll(base, 177) < 0.8
        ? `<UeberwiegendeNutzungsartDerFlaecheVorErrichtung>${pick(base, 178, FORMER_USES)}</UeberwiegendeNutzungsartDerFlaecheVorErrichtung>`
        : '');
  }
  text += dispatcher(unit) + permit(world, unit);
  const storage = roll(base, 179);
  const hasStorage = world.storageBeside(unit.index) >= 0;
  if (hasStorage ? storage < 0.6 : storage < 0.2)
    text += `<SpeicherAmGleichenOrt>${hasStorage ? 1 : 0}</SpeicherAmGleichenOrt>`;
  if (ground) {
    text += element('NameDesSolarparks', roll(base, 180) < 0.7 ? freeText(`Solarpark ${unit.region.town}`) : '');
    if (roll(base, 181) < 0.6)
      text += `<VorherigerNutzungsartenbereichDerFlaeche>${pick(base, 182, [3220, 3220, 3221, 3222])}</VorherigerNutzungsartenbereichDerFlaeche>`;
    text += `<ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung>${pick(base, 183, FEATURES)}</ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung>`;
    if (roll(base, 184) < 0.15) text += `<LichteHoehe>${decimal(0.8 + (bits(base, 185) % 30) / 10)}</LichteHoehe>`;
  }
  return text + moved(unit, 0.002);
}

function orientation(unit: Unit, ground: boolean): string {
  const { base } = unit;
  const uniform = roll(base, 170) < 0.8;
  const direction = ground && roll(base, 171) < 0.6 ? 699 : itemAt(DIRECTIONS, weighted(base, 172, DIRECTION_WEIGHTS));
  return (
    `<Leistungsbegrenzung>${limit(unit)}</Leistungsbegrenzung>` +
    `<EinheitlicheAusrichtungUndNeigungswinkel>${uniform ? 1 : 0}</EinheitlicheAusrichtungUndNeigungswinkel>` +
    `<Hauptausrichtung>${direction}</Hauptausrichtung><HauptausrichtungNeigungswinkel>${TILTS[weighted(base, 173, TILT_WEIGHTS)]}</HauptausrichtungNeigungswinkel>` +
    (uniform
      ? ''
      : `<Nebenausrichtung>${pick(base, 174, DIRECTIONS)}</Nebenausrichtung>` +
        `<NebenausrichtungNeigungswinkel>${TILTS[weighted(base, 175, TILT_WEIGHTS)]}</NebenausrichtungNeigungswinkel>`)
  );
}

function siting({ base, kind }: Unit): number {
  if (kind === GROUND) return roll(base, 186) < 0.01 ? 3002 : 852;
  if (kind === PLUG_IN) return 2961;
  if (kind === HOME_ROOF || kind === MEDIUM_ROOF) return roll(base, 186) < 0.985 ? 853 : 2484;
  if (kind === LARGE_ROOF) return roll(base, 186) < 0.03 ? 3058 : 853;
  return roll(base, 186) < 0.6 ? 2484 : 853;
}

/** Feed-in limit: 70 percent was usual between 2012 and 2022. */
function limit({ base, commissioned }: Unit): number {
  const seventy = commissioned > 15_340 && commissioned < 19_250;
  const chance = roll(base, 187);
  if (seventy && chance < 0.55) return 803;
  if (chance > 0.97) return 804 + Math.floor((chance - 0.97) * 66);
  return chance > 0.965 ? 1535 : 802;
}

function use({ base, kind }: Unit): number {
  if (kind === PLUG_IN || kind === HOME_ROOF) return roll(base, 188) < 0.95 ? 713 : 716;
  if (roll(base, 189) < 0.0008) return 719;
  return itemAt([713, 714, 715, 716, 717, 718], weighted(base, 188, [22, 26, 8, 32, 8, 4]));
}

/** MaStR number of the solar unit with this index. */
export function solarNumber(world: World, index: number): string {
  return world.series('SEE').of(index * 16 + SOLAR);
}
