import { normalised, type TypedRow, type Value } from './values.ts';

/**
 * The energy of storage units by plain loops over plants. The register gives a plant's energy once: its units share it by gross
 * power in whole watt hours, and the unit of most power, of equal ones that of the smallest number, has what is left.
 */
export function storageOf(
  served: ReadonlyMap<string, TypedRow>,
  plants: ReadonlyMap<string, TypedRow>,
): Map<string, Record<string, Value>> {
  const found = new Map<string, Record<string, Value>>();
  const members = new Map<string, string[]>();
  const plantOf = plantFinder(plants);
  for (const [number, { kind, values }] of served) {
    if (kind !== 'EinheitenStromSpeicher') continue;
    const plant = plantOf(number, values.SpeMastrNummer ?? null);
    if (plant !== null) members.set(plant, [...(members.get(plant) ?? []), number]);
    if (values.Technologie === 'Pumpspeicher') found.set(number, { speichersegment: 'pumpspeicher' });
  }
  for (const [plant, numbers] of members) {
    const energy = thousandthsOf(plants.get(plant)!.values.NutzbareSpeicherkapazitaet);
    const powers = new Map(numbers.map((number) => [number, powerOf(served.get(number)!)]));
    const power = [...powers.values()].reduce((sum, one) => sum + one, 0n);
    for (const number of numbers) found.set(number, { speicherMastrNummer: plant, ...found.get(number) });
    if (energy === null) continue;
    const shares = sharesOf(energy, powers);
    for (const number of numbers) {
      found.set(number, {
        speicherkapazitaetKwh: decimalOf(energy),
        speicherkapazitaetAnteilKwh: decimalOf(shares.get(number)!),
        speicherdauerStunden:
          power === 0n || energy <= 0n ? null : Math.round(Number((energy * 10_000n) / power) / 10) / 1000,
        speichersegment: segmentOf(Number(energy) / 1000),
        ...found.get(number),
      });
    }
  }
  return found;
}

/** Finds the plant that a unit names, or else the first that names the unit. */
function plantFinder(plants: ReadonlyMap<string, TypedRow>): (unit: string, named: Value) => string | null {
  const naming = new Map<string, string>();
  for (const plant of [...plants.keys()].sort().reverse()) {
    for (const unit of (plants.get(plant)!.values.VerknuepfteEinheitenMaStRNummern as readonly string[] | null) ?? []) {
      naming.set(normalised(unit), plant);
    }
  }
  return (unit, named) => (typeof named === 'string' && plants.has(named) ? named : (naming.get(unit) ?? null));
}

function sharesOf(energy: bigint, powers: ReadonlyMap<string, bigint>): Map<string, bigint> {
  const isKnown = [...powers.values()].some((one) => one > 0n);
  const weights = new Map([...powers].map(([number, power]) => [number, isKnown ? power : 1n]));
  const total = [...weights.values()].reduce((sum, one) => sum + one, 0n);
  const shares = new Map([...weights].map(([number, weight]) => [number, (energy * weight) / total]));
  const left = [...shares.values()].reduce((rest, share) => rest - share, energy);
  const [largest = ''] = [...powers.keys()].sort(
    (one, other) => Number(powers.get(other)! - powers.get(one)!) || (one < other ? -1 : 1),
  );
  return shares.set(largest, shares.get(largest)! + left);
}

const segmentOf = (kwh: number): string | null => {
  if (kwh <= 0) return null;
  if (kwh <= 30) return 'heim';
  return kwh <= 1000 ? 'gewerbe' : 'gross';
};

/** Gross power in watts; less than none counts as none. */
function powerOf({ values }: TypedRow): bigint {
  const watts = thousandthsOf(values.Bruttoleistung) ?? 0n;
  return watts > 0n ? watts : 0n;
}

const thousandthsOf = (value: Value | undefined): bigint | null =>
  value == null ? null : BigInt(Math.round(Number(value) * 1000));

const decimalOf = (thousandths: bigint): number => Number(thousandths) / 1000;
