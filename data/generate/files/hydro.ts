/** Hydro units without pumped storage. */
import { RESERVOIR } from '../world/kinds.ts';
import { eegKey, hasEeg } from '../world/links.ts';
import { pick, roll } from '../world/random.ts';
import { decimal, flag } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { control, dispatcher, electricHead, moved, type Order, permit, reserves, unitHead } from './shared.ts';

const ORDER: Order = { address: 'street first', planned: 'after commissioning' };

export function hydroUnit(world: World, unit: Unit, number: string): string {
  const { siteBase, kind, region } = unit;
  const border = roll(siteBase, 280) < 0.02;
  let text =
    unitHead(world, unit, ORDER, number) +
    electricHead(unit, 2498) +
    dispatcher(unit) +
    control(unit, 0.7) +
    permit(world, unit);
  if (roll(siteBase, 281) < 0.7) text += `<NameKraftwerk>Wasserkraftwerk ${region.place.slice(5, -6)}</NameKraftwerk>`;
  text +=
    `<ArtDerWasserkraftanlage>${kind === RESERVOIR ? 891 : pick(siteBase, 282, [890, 890, 890, 890, 890, 890, 894, 895, 896])}</ArtDerWasserkraftanlage>` +
    flag('MinderungStromerzeugung', siteBase, 283, 0.15) +
    `<BestandteilGrenzkraftwerk>${border ? 1 : 0}</BestandteilGrenzkraftwerk>` +
    `<NettonennleistungDeutschland>${decimal(border ? unit.net / 2 : unit.net)}</NettonennleistungDeutschland>` +
    `<ArtDesZuflusses>${pick(siteBase, 284, [724, 726, 726, 725])}</ArtDesZuflusses>`;
  if (hasEeg(unit)) text += `<EegMaStRNummer>${world.series('EEG').of(eegKey(unit))}</EegMaStRNummer>`;
  return text + reserves(unit) + moved(unit, 0.005);
}
