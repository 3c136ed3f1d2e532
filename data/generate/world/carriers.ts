/** The kinds of units: code (part of every key), file and record names, shares of the stock. */

export const SOLAR = 0;
export const STORAGE = 1;
export const COMBUSTION = 2;
export const WIND = 3;
export const BIOMASS = 4;
export const HYDRO = 5;
export const MIXED = 6;
export const NUCLEAR = 7;
export const CONSUMER = 8;
export const GAS_PRODUCER = 9;
export const GAS_STORAGE = 10;
export const GAS_CONSUMER = 11;

export interface Carrier {
  readonly code: number;
  /** Name in summaries. */
  readonly name: string;
  readonly file: string;
  readonly record: string;
  readonly prefix: 'SEE' | 'SVE' | 'GEE' | 'GVE';
  /** Id in the list of unit types. */
  readonly unitType: number;
  /** Id in the list of location types. */
  readonly locationType: 1 | 2 | 3 | 4;
  readonly locationPrefix: 'SEL' | 'SVL' | 'GEL' | 'GVL';
  readonly growth: 'solar' | 'storage' | 'stock';
  /** Share of all electricity generation and storage units (September 2026); the rest is solar. */
  readonly share: number;
  /** Least number of units, also in small worlds. */
  readonly least: number;
}

function carrier(
  code: number,
  name: string,
  type: string,
  unitType: number,
  share: number,
  least: number,
  other: Partial<Carrier> = {},
): Carrier {
  return {
    code,
    name,
    file: `Einheiten${type}`,
    record: `Einheit${type}`,
    prefix: 'SEE',
    unitType,
    locationType: 1,
    locationPrefix: 'SEL',
    growth: code === SOLAR ? 'solar' : code === STORAGE ? 'storage' : 'stock',
    share,
    least,
    ...other,
  };
}

export const CARRIERS: readonly Carrier[] = [
  carrier(SOLAR, 'solar', 'Solar', 1, 0, 0),
  carrier(STORAGE, 'storage', 'StromSpeicher', 8, 0.2945, 0),
  carrier(COMBUSTION, 'combustion', 'Verbrennung', 6, 0.01025, 40),
  carrier(WIND, 'wind', 'Wind', 2, 0.0045, 60),
  carrier(BIOMASS, 'biomass', 'Biomasse', 3, 0.00253, 30),
  carrier(HYDRO, 'hydro', 'Wasser', 4, 0.00093, 24),
  carrier(MIXED, 'geothermal and gases', 'GeothermieGrubengasDruckentspannung', 5, 0.0000345, 24),
  carrier(NUCLEAR, 'nuclear', 'Kernkraft', 7, 0, 6),
  carrier(CONSUMER, 'electricity consumer', 'StromVerbraucher', 9, 0.00008, 12, {
    prefix: 'SVE',
    locationType: 2,
    locationPrefix: 'SVL',
  }),
  carrier(GAS_PRODUCER, 'gas producer', 'GasErzeuger', 11, 0.00005, 12, {
    prefix: 'GEE',
    locationType: 3,
    locationPrefix: 'GEL',
  }),
  carrier(GAS_STORAGE, 'gas storage', 'GasSpeicher', 12, 0.00001, 8, {
    prefix: 'GEE',
    locationType: 3,
    locationPrefix: 'GEL',
  }),
  carrier(GAS_CONSUMER, 'gas consumer', 'Gasverbraucher', 10, 0.0003, 16, {
    prefix: 'GVE',
    locationType: 4,
    locationPrefix: 'GVL',
  }),
];

/** Carriers that count as units (numbers with SEE): generation and storage of electricity. */
export const ELECTRIC: readonly Carrier[] = CARRIERS.filter(({ prefix }) => prefix === 'SEE');
