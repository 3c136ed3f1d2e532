/** Wind units. */
import { AT_SEA, SMALL_WIND } from '../world/kinds.ts';
import { eegKey, hasEeg } from '../world/links.ts';
import { freeText } from '../world/names.ts';
import { bits, pick, roll } from '../world/random.ts';
import { decimal, element, flag } from '../world/text.ts';
import { smallMaker } from '../world/turbines.ts';
import type { Unit } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { control, dispatcher, electricHead, moved, type Order, permit, unitHead } from './shared.ts';

const ORDER: Order = { address: 'parcel first', planned: 'first' };
const PARKS = [
  'Windpark {t}',
  'WP {t}',
  'Windpark  {t} II',
  'Bürgerwindpark {t}',
  '{t}',
  'Repowering {t}',
  'Windfeld {t} ＆ Umgebung',
];

export function windUnit(world: World, unit: Unit, number: string): string {
  const { base, siteBase, kind, region, model } = unit;
  const sea = kind === AT_SEA;
  const airborne = kind === SMALL_WIND && (unit.index === 32 || roll(base, 220) < 0.05);
  let text =
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, 2497) +
    dispatcher(unit) +
    control(unit, kind === SMALL_WIND ? 0.1 : 0.97) +
    permit(world, unit);
  if (kind !== SMALL_WIND)
    text += element('NameWindpark', freeText(pick(siteBase, 221, PARKS).replace('{t}', region.town)));
  text += `<WindAnLandOderAufSee>${sea ? 889 : 888}</WindAnLandOderAufSee>`;
  if (sea) {
    const baltic = region.longitude > 12;
    text += `<Seelage>${baltic ? 639 : 640}</Seelage>`;
    text += baltic
      ? `<GebietNachDemFlaechenentwicklungsplanOstsee>${1540 + (bits(siteBase, 222) % 5)}</GebietNachDemFlaechenentwicklungsplanOstsee>`
      : `<GebietNachDemFlaechenentwicklungsplanNordsee>${roll(siteBase, 222) < 0.1 ? 2963 : 1546 + (bits(siteBase, 223) % 10)}</GebietNachDemFlaechenentwicklungsplanNordsee>`;
  }
  if (model !== undefined) {
    text +=
      `<Hersteller>${model.maker}</Hersteller><Technologie>691</Technologie>` +
      element('Typenbezeichnung', pick(siteBase, 224, model.names)) +
      `<Nabenhoehe>${decimal(pick(siteBase, 225, model.hubs))}</Nabenhoehe><Rotordurchmesser>${decimal(model.rotor)}</Rotordurchmesser>`;
  } else {
    text +=
      `<Hersteller>${smallMaker(base)}</Hersteller><Technologie>${airborne ? 3102 : pick(base, 226, [691, 692])}</Technologie>` +
      `<Nabenhoehe>${decimal(6 + (bits(base, 227) % 24))}</Nabenhoehe><Rotordurchmesser>${decimal(1.5 + (bits(base, 228) % 120) / 10)}</Rotordurchmesser>`;
  }
  text +=
    flag('Rotorblattenteisungssystem', siteBase, 229, 0.25) +
    flag('AuflageAbschaltungLeistungsbegrenzung', siteBase, 230, 0.3) +
    flag('AuflagenAbschaltungSchallimmissionsschutzNachts', siteBase, 231, 0.35) +
    flag('AuflagenAbschaltungSchallimmissionsschutzTagsueber', siteBase, 232, 0.03) +
    flag('AuflagenAbschaltungSchattenwurf', siteBase, 233, 0.5) +
    flag('AuflagenAbschaltungTierschutz', siteBase, 234, 0.35) +
    flag('AuflagenAbschaltungEiswurf', siteBase, 235, 0.3) +
    flag('AuflagenAbschaltungSonstige', siteBase, 236, 0.06) +
    flag('Nachtkennzeichnung', siteBase, 237, 0.6) +
    flag('Buergerenergie', siteBase, 238, 0.06);
  if (sea) {
    text +=
      `<Wassertiefe>${decimal(15 + (bits(base, 239) % 290) / 10)}</Wassertiefe>` +
      `<Kuestenentfernung>${decimal(15 + (bits(siteBase, 240) % 900) / 10)}</Kuestenentfernung>`;
  }
  if (hasEeg(unit)) text += `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>`;
  if (airborne) {
    text +=
      `<TechnologieFlugwindenergieanlage>${3163 + (bits(base, 241) % 4)}</TechnologieFlugwindenergieanlage>` +
      `<Flughoehe>${decimal(200 + (bits(base, 242) % 200))}</Flughoehe><Flugradius>${decimal(80 + (bits(base, 243) % 70))}</Flugradius>`;
  }
  text += moved(unit, 0.01);
  if (unit.first > 20_000 && !sea) {
    text +=
      `<GroesseDerInAnspruchGenommenenFlaeche>${decimal(0.3 + (bits(base, 244) % 90) / 100)}</GroesseDerInAnspruchGenommenenFlaeche>` +
      `<UeberwiegendeNutzungsartDerFlaecheVorErrichtung>${pick(base, 245, [3187, 3188, 3195, 3246, 3247, 3205])}</UeberwiegendeNutzungsartDerFlaecheVorErrichtung>` +
      '<VorherigerNutzungsartenbereichDerFlaeche>3220</VorherigerNutzungsartenbereichDerFlaeche>';
  }
  return text;
}
