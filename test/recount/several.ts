import type { Recount, RecountedUnit } from './recount.ts';
import { idOf, type TypedRow, type Value } from './values.ts';

/** What units have to do with others, for the rules of plausibility: each compared with all that may be alike. */

export interface Compared {
  /** Capacities of the EEG plant: the one that it has of its own, and that of its units; NaN where it is not known. */
  readonly plantKw: number;
  readonly unitsKw: number;
  /** Another turbine in operation stands within 30 metres. */
  readonly isAtAnother: boolean;
  /** A unit that the grid operator has checked is the same plant of another operator. */
  readonly isSecondEntry: boolean;
}

const IN_OPERATION = 35;
const PLANNED = 31;
const GONE = 38;

/** Tells of units by number. */
export function comparisons({ units, served, plants }: Recount): (number: string) => Compared {
  const membersOf = Map.groupBy(served, ([, { values }]) => values.EegMaStRNummer ?? null);
  const running = Map.groupBy(
    [...units].filter(([, { fields, statusId }]) => fields.latitude !== null && statusId === IN_OPERATION),
    ([, { fields }]) => fields.einheitTyp,
  );
  return (number) => {
    const unit = units.get(number)!;
    const record = served.get(number)!;
    const { fields } = unit;
    const plant = plants.get(String(record.values.EegMaStRNummer));
    const isRunning = unit.statusId === IN_OPERATION && fields.latitude !== null;
    const others = (isRunning ? (running.get(fields.einheitTyp) ?? []) : []).flatMap(([other, there]) =>
      other !== number && metresBetween(fields, there.fields) <= 30 ? [there] : [],
    );
    const fits = (one: TypedRow): boolean => one.kind === plant?.kind.replace('AnlagenEeg', 'Einheiten');
    const naming = membersOf.get(record.values.EegMaStRNummer ?? null) ?? [];
    const members = naming.flatMap(([, one]) => (fits(one) ? [one] : []));
    return {
      plantKw: plant !== undefined && fits(record) ? numberOf(plant.values.InstallierteLeistung) : Number.NaN,
      unitsKw: naming.length === 1 ? capacityOf(record) : capacityOfSeveral(members),
      isAtAnother: fields.einheitTyp === 'wind' && others.length > 0,
      isSecondEntry: others.some((other) => isSecondEntryOf(unit, other)),
    };
  };
}

const numberOf = (value: Value | undefined): number => (value == null ? Number.NaN : Number(value));

function capacityOf({ kind, values: { Bruttoleistung: gross, Nettonennleistung: net } }: TypedRow): number {
  const [first, second] = kind === 'EinheitenSolar' ? [gross, net] : [net, gross];
  return numberOf(first ?? second);
}

/** Those that stand count, and planned ones only where all are. */
function capacityOfSeveral(members: readonly TypedRow[]): number {
  const statusOf = (one: TypedRow): number | null => idOf(one, 'EinheitBetriebsstatus');
  const isPlanned = members.every((one) => statusOf(one) === PLANNED);
  const counted = members.filter((one) => statusOf(one) !== GONE && (isPlanned || statusOf(one) !== PLANNED));
  return counted.length === 0 ? Number.NaN : counted.reduce((sum, one) => sum + capacityOf(one), 0);
}

function metresBetween(one: RecountedUnit['fields'], other: RecountedUnit['fields']): number {
  const scale = Math.cos((Number(one.latitude) * Math.PI) / 180);
  const north = Number(one.latitude) - Number(other.latitude);
  return Math.hypot(north, (Number(one.longitude) - Number(other.longitude)) * scale) * 111_320;
}

const ALIKE = [
  'latitude',
  'longitude',
  'bruttoleistungKw',
  'nettonennleistungKw',
  'solarAnzahlModule',
  'inbetriebnahmedatum',
] as const;

const isSecondEntryOf = ({ fields: one }: RecountedUnit, { fields: other }: RecountedUnit): boolean =>
  one.einheitTyp === 'solar' &&
  ALIKE.every((name) => one[name] !== null && one[name] === other[name]) &&
  one.netzbetreiberpruefung === 'In Prüfung' &&
  other.netzbetreiberpruefung === 'Geprüft' &&
  one.betreiberMastrNummer !== null &&
  other.betreiberMastrNummer !== null &&
  one.betreiberMastrNummer !== other.betreiberMastrNummer;
