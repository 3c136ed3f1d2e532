import { DAY_RULES } from './rules-days.ts';
import { PLACE_RULES } from './rules-place.ts';
import { POWER_RULES } from './rules-power.ts';
import { SEVERAL_RULES } from './rules-several.ts';
import { STORAGE_RULES } from './rules-storage.ts';
import { WIND_RULES } from './rules-wind.ts';

/**
 * The rules of plausibility by their ids. Every build computes them for the day of its export into the column `auffaelligkeiten` of
 * `units`, one bit for each (anomalies.ts). No rule hides a unit or changes a value. How often each is right: decision 22.
 */
export const RULES = {
  ...POWER_RULES,
  ...STORAGE_RULES,
  ...WIND_RULES,
  ...PLACE_RULES,
  ...DAY_RULES,
  ...SEVERAL_RULES,
} as const;

export type RuleId = keyof typeof RULES;
