/** Explanations write figures and numbers of units in these forms. */

export const kilowatts = (value: number): string => `${value} kW`;

export const cents = (value: number): string => `${value.toFixed(2)} ct/kWh`;

/** Units that are named. */
const NAMED = 5;

export const someOf = (numbers: readonly string[]): string =>
  numbers.length > NAMED
    ? `${numbers.slice(0, NAMED).join(', ')} and ${numbers.length - NAMED} more`
    : numbers.join(', ');
