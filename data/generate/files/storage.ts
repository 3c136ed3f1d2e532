/** Storage units of electricity. Their capacity in kWh belongs to the storage plant. */
import { SOLAR } from '../world/carriers.ts';
import { LARGE_BATTERY, OTHER_STORAGE, PUMPED_HYDRO } from '../world/kinds.ts';
import { eegKey, hasEeg, storagePlantKey } from '../world/links.ts';
import { pick, roll, weighted } from '../world/random.ts';
import { decimal, flag } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { has } from './optional.ts';
import { control, dispatcher, electricHead, moved, type Order, permit, reserves, unitHead } from './shared.ts';
import { solarNumber } from './solar.ts';

const ORDER: Order = { address: 'parcel first', planned: 'after commissioning' };

export function storageUnit(world: World, unit: Unit, number: string): string {
  const { base, kind } = unit;
  const pumped = kind === PUMPED_HYDRO;
  const battery = !pumped && kind !== OTHER_STORAGE;
  let text =
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, 2496) +
    dispatcher(unit) +
    control(unit, kind === LARGE_BATTERY || pumped ? 0.9 : 0.03) +
    permit(world, unit);
  const emergency = roll(base, 200) < 0.04;
  if (emergency) text += `<Einsatzort>${pick(base, 201, [2399, 2399, 749, 737, 2400])}</Einsatzort>`;
  if (battery) {
    text +=
      `<AcDcKoppelung>${roll(base, 202) < 0.42 ? 693 : 694}</AcDcKoppelung>` +
      `<Batterietechnologie>${[727, 728, 732, 729, 731][weighted(base, 203, [95, 2.2, 2.3, 0.3, 0.2])]}</Batterietechnologie>`;
  }
  if (pumped) {
    text +=
      `<PumpbetriebLeistungsaufnahme>${decimal(unit.gross * 1.04)}</PumpbetriebLeistungsaufnahme>` +
      flag('PumpbetriebKontinuierlichRegelbar', base, 204, 0.3) +
      `<Pumpspeichertechnologie>${roll(base, 205) < 0.7 ? 2920 : 2921}</Pumpspeichertechnologie>`;
  }
  if (emergency || has('Notstromaggregat', unit)) text += `<Notstromaggregat>${emergency ? 1 : 0}</Notstromaggregat>`;
  if (pumped) {
    const border = roll(base, 206) < 0.2;
    text +=
      `<BestandteilGrenzkraftwerk>${border ? 1 : 0}</BestandteilGrenzkraftwerk>` +
      `<NettonennleistungDeutschland>${decimal(border ? unit.net / 2 : unit.net)}</NettonennleistungDeutschland>`;
  } else
    text += `<ZugeordnenteWirkleistungWechselrichter>${decimal(unit.inverter)}</ZugeordnenteWirkleistungWechselrichter>`;
  if (roll(base, 207) < 0.9995)
    text += `<SpeMastrNummer>${world.series('SSE').of(storagePlantKey(unit))}</SpeMastrNummer>`;
  if (hasEeg(unit)) text += `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>`;
  if (has('EegAnlagentyp', unit)) text += '<EegAnlagentyp>8</EegAnlagentyp>';
  text += `<Technologie>${technology(unit)}</Technologie>`;
  if (unit.siteCarrier === SOLAR && has('GemeinsamRegistrierteSolareinheitMastrNummer', unit)) {
    const solar = world.solarBeside(unit.index);
    text += `<GemeinsamRegistrierteSolareinheitMastrNummer>${solarNumber(world, solar)}</GemeinsamRegistrierteSolareinheitMastrNummer>`;
  }
  return text + reserves(unit) + moved(unit, 0.002);
}

function technology({ base, kind }: Unit): number {
  if (kind === PUMPED_HYDRO) return 1537;
  return kind === OTHER_STORAGE ? pick(base, 209, [525, 526, 784, 3067]) : 524;
}
