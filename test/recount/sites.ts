import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import type { Value } from './values.ts';

/** What stands beside each unit: for each the carriers of all units with its location, and with its connection point. */

const FIELDS = {
  standortEnergietraeger: 'lokationMastrNummer',
  netzanschlussEnergietraeger: 'netzanschlusspunktMastrNummer',
} as const;

const FINALLY_DECOMMISSIONED = 38;

interface Standing {
  readonly fields: Readonly<Record<string, Value>>;
  readonly statusId: number | null;
}

export function sitesOf(units: ReadonlyMap<string, Standing>): Map<string, Record<string, Value>> {
  const found = new Map<string, Record<string, Value>>([...units.keys()].map((number) => [number, {}]));
  for (const [field, place] of Object.entries(FIELDS)) {
    const sets = new Map<Value, Set<Value | undefined>>();
    for (const { fields, statusId } of units.values()) {
      const number = fields[place] ?? null;
      if (number === null || statusId === FINALLY_DECOMMISSIONED) continue;
      sets.set(number, (sets.get(number) ?? new Set()).add(fields.einheitTyp));
    }
    for (const [number, { fields }] of units) {
      const carriers = sets.get(fields[place] ?? null);
      found.get(number)![field] = carriers === undefined ? null : CARRIERS.filter((one) => carriers.has(one));
    }
  }
  return found;
}

/** The fields as they are stored: of a set the sum of a number for each carrier, 1, 2, 4, … in the order of the interface. */
export const asStored = (fields: Standing['fields']): Record<string, Value> => ({
  ...fields,
  ...Object.fromEntries(
    Object.keys(FIELDS).map((field) => {
      const carriers = fields[field];
      return [
        field,
        Array.isArray(carriers) ? carriers.reduce((sum, one) => sum + 2 ** CARRIERS.indexOf(one), 0) : null,
      ];
    }),
  ),
});
