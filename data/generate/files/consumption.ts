/** Units outside electricity generation: large consumers of electricity, gas producers, stores and consumers. */

import { itemAt } from '../../../runtime/present.ts';
import { COMBUSTION } from '../world/carriers.ts';
import { unitName } from '../world/names.ts';
import { bits, pick, roll } from '../world/random.ts';
import { decimal, digits, element, flag } from '../world/text.ts';
import { type Unit, unitNumber } from '../world/unit.ts';
import type { World } from '../world/world.ts';
import { dispatcher, moved, type Order, unitHead } from './shared.ts';

const LAST: Order = { address: 'street first', planned: 'last' };
const MIDDLE: Order = { address: 'street first', planned: 'after commissioning' };

export function consumerUnit(world: World, unit: Unit, number: string): string {
  const name = unitName(unit.kind, unit.region, unit.base);
  return (
    unitHead(world, unit, LAST, number) +
    dispatcher(unit) +
    element('NameStromverbrauchseinheit', name) +
    `<AnzahlStromverbrauchseinheitenGroesser50Mw>${bits(unit.base, 290) % 4}</AnzahlStromverbrauchseinheitenGroesser50Mw>` +
    moved(unit, 0.1)
  );
}

/** Every third gas producer is linked to a gas store. */
export function gasPlantKey(index: number): number {
  return index * 16 + 10;
}

export function gasProducerUnit(world: World, unit: Unit, number: string): string {
  const { base } = unit;
  const stores = itemAt(world.counts, 10);
  const store = roll(base, 291) < 0.3 ? world.series('GSE').of(gasPlantKey(bits(base, 292) % stores)) : '';
  return (
    unitHead(world, unit, MIDDLE, number) +
    element('NameGaserzeugungseinheit', unitName(unit.kind, unit.region, base)) +
    element('SpeicherMaStRNummer', store) +
    `<Technologie>${pick(base, 293, [824, 825, 825, 825, 826, 827, 829])}</Technologie><Erzeugungsleistung>${decimal(unit.gross)}</Erzeugungsleistung>` +
    moved(unit, 0.1)
  );
}

export function gasStorageUnit(world: World, unit: Unit, number: string): string {
  const { base } = unit;
  const coded = roll(base, 294) < 0.5;
  return (
    unitHead(world, unit, MIDDLE, number) +
    element('NameGasspeicher', unitName(unit.kind, unit.region, base)) +
    `<Speicherart>${pick(base, 295, [658, 658, 659, 660])}</Speicherart>` +
    `<MaximalNutzbaresArbeitsgasvolumen>${decimal(unit.gross * 90)}</MaximalNutzbaresArbeitsgasvolumen>` +
    `<MaximaleEinspeicherleistung>${decimal(unit.gross * 0.5)}</MaximaleEinspeicherleistung>` +
    `<MaximaleAusspeicherleistung>${decimal(unit.gross)}</MaximaleAusspeicherleistung>` +
    `<DurchschnittlicherBrennwert>${decimal(10.2 + (bits(base, 296) % 160) / 100)}</DurchschnittlicherBrennwert>` +
    (coded ? `<Weic>21W0000000000${digits(base, 297, 2)}-X</Weic>` : '') +
    `<Weic_Na>${coded ? 0 : 1}</Weic_Na>` +
    `<SpeicherMaStRNummer>${world.series('GSE').of(gasPlantKey(unit.index))}</SpeicherMaStRNummer>` +
    moved(unit, 0.4, '')
  );
}

export function gasConsumerUnit(world: World, unit: Unit, number: string): string {
  const { base } = unit;
  const power = roll(base, 298) < 0.6;
  const linked = power ? unitNumber(world, COMBUSTION, bits(base, 299) % itemAt(world.counts, COMBUSTION)) : '';
  return (
    unitHead(world, unit, MIDDLE, number) +
    element('NameGasverbrauchsseinheit', unitName(unit.kind, unit.region, base)) +
    `<MaximaleGasbezugsleistung>${decimal(unit.gross)}</MaximaleGasbezugsleistung>` +
    flag('EinheitDientDerStromerzeugung', base, 298, 0.6) +
    (linked === ''
      ? '<VerknuepfteEinheitenMaStRNummern></VerknuepfteEinheitenMaStRNummern>'
      : element('VerknuepfteEinheitenMaStRNummern', linked)) +
    moved(unit, 0.1)
  );
}
