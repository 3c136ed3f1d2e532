import type { RuleId } from '../../sql/catalogue/plausibility.ts';
import type { Seen } from './seen.ts';

/** The values that are plainly meant instead of those in the register, a second time, in plain code with bounds of its own. */

/** Field and value, by the rule that applies. */
type Meant = readonly [field: string, value: number | string, rule: RuleId];

const isIn = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** Powers have three digits, of which half of one is rounded up. */
const rounded = (value: number): number => Math.round(Number(`${value}e3`)) / 1000;

const MEANT: Partial<Record<RuleId, (seen: Seen) => [field: string, value: number | string][]>> = {
  modulleistung_hoch({ unit, kind, gross, net, modules }) {
    const isBuilding = kind === 853;
    const saysKilowatts = isIn(net * 1000, 0.4 * gross, 1.15 * gross);
    const isLarge = isBuilding && gross > 20_000;
    const isPrivate = isBuilding && unit.betreiberName === null && gross < 30_000 && isIn(net, 0.4 * gross, gross);
    const perModule = gross / modules;
    if (isIn(perModule, 200, 800) && (saysKilowatts || isLarge || isPrivate))
      return [['bruttoleistungKw', gross / 1000]];
    if (isIn(gross, 200, 800) && isIn((net * 1000) / modules, 0.4 * gross, 1.15 * gross))
      return [['bruttoleistungKw', (gross * modules) / 1000]];
    return [];
  },
  speicher_privat_hoch({ gross, energy }) {
    const isEnergy = isIn(energy, 1000, 100_000);
    const isPower = gross !== energy && isIn(gross, 600, 30_000) && isIn(energy / gross, 0.5, 5);
    return [
      ...(isEnergy ? [['speicherkapazitaetKwh', energy / 1000] as [string, number]] : []),
      ...(isPower ? [['bruttoleistungKw', gross / 1000] as [string, number]] : []),
    ];
  },
  speicher_stunden_hoch: ({ hours, energy }) =>
    isIn(hours, 250, 10_000) ? [['speicherkapazitaetKwh', energy / 1000]] : [],
  wind_leistung_rotor: ({ gross, rotor }) =>
    rotor <= 30 && isIn(gross / (0.7854 * rotor ** 2), 100, 700) ? [['bruttoleistungKw', gross / 1000]] : [],
  gemeindeschluessel_frueher: ({ key: { today } }) => (today === null ? [] : [['gemeindeschluessel', today]]),
  gemeinde_passt_nicht_zu_ort: ({ outside }) =>
    (outside?.keys ?? []).map((key): [string, string] => ['gemeindeschluessel', key]),
};

/** @param rules those that apply */
export const meantInstead = (seen: Seen, rules: readonly RuleId[]): Meant[] =>
  rules.flatMap((rule) =>
    (MEANT[rule]?.(seen) ?? []).map(
      ([field, value]): Meant => [field, typeof value === 'number' ? rounded(value) : value, rule],
    ),
  );
