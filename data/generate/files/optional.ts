/** Shares of the records that have an element which the register writes for some units only. */
import { SOLAR, STORAGE } from '../world/carriers.ts';
import { roll } from '../world/random.ts';
import type { Unit } from '../world/unit.ts';

/** Largest gross capacity in kW for which the register hides address and coordinates. */
export const HIDDEN_UP_TO = 30;

interface Rate {
  /** Share among solar and storage units up to 30 kW, which are most units of the register, and their plants. */
  readonly home: number;
  /** Share among all other units and their plants. */
  readonly other: number;
}

/** Share by element; elements that come together are named by the first of them. */
const RATES = {
  // Units
  StrasseNichtGefunden: { home: 0.28, other: 1 },
  NichtVorhandenInMigriertenEinheiten: { home: 0.25, other: 1 },
  AnschlussAnHoechstOderHochSpannung: { home: 0.05, other: 1 },
  FernsteuerbarkeitNb: { home: 0.25, other: 1 },
  NetzreserveZugeordnet: { home: 0.03, other: 0.3 },
  EegAnlagentyp: { home: 0.85, other: 1 },
  Notstromaggregat: { home: 0.7, other: 1 },
  GemeinsamRegistrierteSolareinheitMastrNummer: { home: 0.1, other: 0.1 },
  // Plants
  AnlagenkennzifferAnlagenregister_nv: { home: 0.2, other: 1 },
  RegistrierungsnummerPvMeldeportal_nv: { home: 0.2, other: 1 },
  MieterstromZugeordnet: { home: 0.3, other: 1 },
  AusschreibungZuschlag: { home: 0.2, other: 1 },
  AnlageBetriebsstatus: { home: 0.15, other: 1 },
  // Connection points and locations
  NameDerTechnischenLokation: { home: 0.2, other: 0.5 },
  NetzanschlusspunktBezeichnung: { home: 0.15, other: 0.66 },
  Messlokation: { home: 0.35, other: 0.7 },
  Nettoengpassleistung: { home: 0.4, other: 0.95 },
  Netzanschlusskapazitaet: { home: 0.15, other: 0.6 },
  NochInPlanung: { home: 0.15, other: 1 },
} as const satisfies Record<string, Rate>;

const DRAW = 600;

/**
 * Returns true when a record of the unit has the element. The answer is the same on every day. One draw decides for all elements of
 * a record: detailed registrations have them all, brief ones none.
 */
export function has(name: keyof typeof RATES, unit: Unit, base = unit.base): boolean {
  const { home, other }: Rate = RATES[name];
  const isHome = (unit.carrier === SOLAR || unit.carrier === STORAGE) && unit.gross <= HIDDEN_UP_TO;
  return unit.specimen >= 0 || roll(base, DRAW) < (isHome ? home : other);
}
