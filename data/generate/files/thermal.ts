/** Combustion, biomass, nuclear, and the mixed file of geothermal energy, mine gas, sewage sludge and pressure relief. */

import { itemAt } from '../../../runtime/present.ts';
import { BIOGAS, EMERGENCY, POWER_STATION, SMALL_ENGINE, SOLID_BIOMASS } from '../world/kinds.ts';
import { chpKey, eegKey, hasChp, hasEeg } from '../world/links.ts';
import { bits, pick, roll, weighted } from '../world/random.ts';
import { dayElement, decimal, element, flag } from '../world/text.ts';
import { type Unit, unitNumber } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { control, dispatcher, electricHead, moved, type Order, permit, reserves, unitHead } from './shared.ts';

const ORDER: Order = { address: 'street first', planned: 'last' };

function eeg(world: World, unit: Unit): string {
  return hasEeg(unit) ? `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>` : '';
}

function chp(world: World, unit: Unit): string {
  return hasChp(unit) ? `<KwkMaStRNummer>${world.series('KWK').of(chpKey(unit))}</KwkMaStRNummer>` : '';
}

/** Energy carrier and the main fuels that go with it (catalogue ids). */
const FUELS: readonly { energy: number; fuels: readonly number[]; weight: number }[] = [
  { energy: 2410, fuels: [2473], weight: 84 },
  { energy: 2409, fuels: [2466, 2467, 2469, 2472], weight: 9 },
  { energy: 2411, fuels: [2475, 2476, 2477, 2478], weight: 3 },
  { energy: 2412, fuels: [2479, 2480], weight: 2 },
  { energy: 2413, fuels: [2481, 2482, 2483], weight: 1 },
  { energy: 2407, fuels: [2457], weight: 0.6 },
  { energy: 2408, fuels: [2463, 2464], weight: 0.6 },
  { energy: 3030, fuels: [3035], weight: 0.3 },
];
const STATION_WEIGHTS = [40, 4, 8, 18, 8, 12, 14, 1];

export function combustionUnit(world: World, unit: Unit, number: string): string {
  const { base, kind, region } = unit;
  const station = kind === POWER_STATION;
  const emergency = kind === EMERGENCY;
  // The second specimen represents the lignite units that once were held in reserve.
  const fuel =
    unit.specimen === 1
      ? itemAt(FUELS, 6)
      : emergency
        ? itemAt(FUELS, 1)
        : itemAt(FUELS, weighted(unit.siteBase, 250, station ? STATION_WEIGHTS : FUELS.map(({ weight }) => weight)));
  let text = unitHead(world, unit, ORDER, number).replace(/<Adresszusatz>.*?<\/Adresszusatz>/, '');
  text += electricHead(unit, fuel.energy) + dispatcher(unit) + control(unit, station ? 0.6 : 0.2) + permit(world, unit);
  const named = station || roll(base, 251) < 0.4;
  if (named) text += `<NameKraftwerk>${station ? 'Kraftwerk' : 'BHKW'} ${region.place.slice(5, -6)}</NameKraftwerk>`;
  if (named && roll(base, 252) < 0.6)
    text += `<NameKraftwerksblock>${pick(base, 253, ['Modul', 'Block', 'BHKW', 'Motor'])} ${1 + (bits(base, 254) % 4)}</NameKraftwerksblock>`;
  const combined = unit.specimen === 1 || (station && unit.size > 1);
  text +=
    `<AnlageIstImKombibetrieb>${combined ? 1 : 0}</AnlageIstImKombibetrieb><Hauptbrennstoff>${pick(unit.siteBase, 255, fuel.fuels)}</Hauptbrennstoff>` +
    flag('BestandteilGrenzkraftwerk', base, 256, 0.002);
  if (roll(base, 257) < 0.12)
    text += `<WeitererHauptbrennstoff>${pick(base, 258, [2473, 2467, 2466, 2446])}</WeitererHauptbrennstoff>`;
  if (roll(base, 259) < 0.1)
    text += `<WeitereBrennstoffe>${pick(base, 260, ['2467, 2473', '2466', '2445, 2446, 2473', '2467, 3099'])}</WeitereBrennstoffe>`;
  text += `<Notstromaggregat>${emergency ? 1 : 0}</Notstromaggregat>${chp(world, unit)}`;
  if (emergency) text += `<Einsatzort>${pick(base, 261, [734, 736, 737, 753, 748, 743, 1531, 746])}</Einsatzort>`;
  const engine = kind === SMALL_ENGINE ? pick(base, 262, [542, 542, 542, 543, 544]) : 542;
  text += `<Technologie>${station ? pick(base, 263, [833, 836, 837, 838, 839, 840]) : engine}</Technologie>`;
  if (combined) {
    const partner = unit.index === unit.leader ? unit.index + 1 : unit.leader;
    const third = unit.size > 2 || unit.specimen === 1 ? `; ${unitNumber(world, unit.carrier, unit.leader + 2)}` : '';
    text += `<SteigerungNettonennleistungKombibetrieb>${decimal(unit.net * 0.3)}</SteigerungNettonennleistungKombibetrieb>`;
    if (unit.specimen === 1 || roll(base, 264) < 0.3) text += '<Adresszusatz>Tor 1</Adresszusatz>';
    text += `<MastrNummernKombibetrieb>${unitNumber(world, unit.carrier, partner)}${third}</MastrNummernKombibetrieb>`;
  }
  if (unit.gross > 1000) {
    const start = unit.commissioned < -25_000 ? unit.first : Math.min(unit.commissioned, unit.first);
    text += dayElement('DatumBaubeginn', start - 300);
    if (fuel.energy === 2408 && (unit.specimen === 1 || roll(base, 265) < 0.3))
      text += dayElement('SicherheitsbereitschaftAbDatum', 17_440 + (bits(base, 266) % 700));
  }
  text += `<NettonennleistungDeutschland>${decimal(unit.net)}</NettonennleistungDeutschland>`;
  if (combined) text += flag('AusschliesslicheVerwendungImKombibetrieb', base, 267, 0.4);
  return text + reserves(unit) + moved(unit, 0.01);
}

export function biomassUnit(world: World, unit: Unit, number: string): string {
  const { base, kind } = unit;
  const solid = kind === SOLID_BIOMASS;
  const fuel =
    kind === BIOGAS
      ? pick(unit.siteBase, 270, [2445, 2445, 2445, 2445, 2445, 2446, 2447, 2448])
      : solid
        ? pick(unit.siteBase, 271, [2415, 2421, 2427, 2424, 2425, 2432, 2416])
        : pick(unit.siteBase, 272, [2443, 2442, 2437]);
  return (
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, 2493) +
    dispatcher(unit) +
    control(unit, 0.85) +
    permit(world, unit) +
    `<Hauptbrennstoff>${fuel}</Hauptbrennstoff><Biomasseart>${kind === BIOGAS ? 721 : solid ? 720 : 719}</Biomasseart>` +
    `<Technologie>${solid ? pick(base, 273, [838, 833, 546, 834]) : 542}</Technologie>` +
    eeg(world, unit) +
    chp(world, unit) +
    reserves(unit) +
    moved(unit, 0.02)
  );
}

export function mixedUnit(world: World, unit: Unit, number: string): string {
  const { base } = unit;
  const energy = itemAt([2403, 2404, 2405, 2406, 2957, 2958], weighted(unit.siteBase, 275, [8, 2, 45, 33, 9, 3]));
  return (
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, energy) +
    dispatcher(unit) +
    control(unit, 0.4) +
    permit(world, unit) +
    `<Technologie>${pick(base, 276, [542, 542, 840, 546, 836, 1538])}</Technologie>` +
    chp(world, unit) +
    eeg(world, unit) +
    reserves(unit) +
    moved(unit, 0.05)
  );
}

export function nuclearUnit(world: World, unit: Unit, number: string): string {
  const { base, region } = unit;
  let head = unitHead(world, unit, ORDER, number).replace(/<Adresszusatz>.*?<\/Adresszusatz>/, '');
  // No reactor is planned; one record has the element without a value.
  if (unit.specimen === 5) {
    head = head.replace(
      '<EinheitSystemstatus>',
      '<GeplantesInbetriebnahmedatum></GeplantesInbetriebnahmedatum><EinheitSystemstatus>',
    );
  }
  const name = element('NameKraftwerk', `Kernkraftwerk ${region.place.slice(5, -6)}`);
  return (
    head +
    electricHead(unit, 2494) +
    dispatcher(unit) +
    control(unit, 1) +
    permit(world, unit) +
    `${name}<NameKraftwerksblock>Block ${unit.index + 1}</NameKraftwerksblock><Technologie>${roll(base, 277) < 0.8 ? 1444 : 1445}</Technologie>` +
    reserves(unit) +
    moved(unit, 0)
  );
}
