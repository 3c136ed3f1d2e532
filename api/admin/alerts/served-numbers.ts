import type { Settings } from '../../../runtime/settings.ts';
import type { AlertRow } from '../../../sql/org/alerts/alerts.ts';
import { askedUnits, servedStatement, signalsRow } from '../../../sql/query/changes.ts';
import { digitsOf } from '../../../sql/register/mastr-number.ts';
import type { AlertHolder } from '../../alerts/question.ts';

/**
 * Finds out how many of the units that an alert names are served already: NEW_UNIT tells of a unit in the version in which it
 * comes, so the alert says nothing of those.
 */

/** The units that an alert from NEW_UNIT names by number. */
export interface NamedUnits {
  readonly named: number;
  /** Those that the current version serves; null = it could not be asked. */
  readonly served: number | null;
}

/** The metrics of the service are about its callers. */
export const UNMETERED = { statementEnded: () => {}, unitsRead: () => {} };

/** @returns null for an alert that names no units, watches for more than new ones, or is disabled */
export async function namedUnits(
  { template, criteria, savedFilterId, enabled }: AlertRow,
  { filters }: AlertHolder,
  settings: Settings,
): Promise<NamedUnits | null> {
  const asked = savedFilterId === null ? criteria : filters.get(savedFilterId)?.criteria;
  const written = asked?.mastrNummern;
  if (!enabled || template !== 'NEW_UNIT' || !Array.isArray(written) || written.length === 0) return null;
  const numbers = new Set(written.map(String));
  // Numbers of something else are those of no unit.
  const units = [...numbers].map(digitsOf).filter((digits) => !Number.isNaN(digits));
  const served =
    units.length === 0
      ? 0
      : await servedOf(
          units.toSorted((one, other) => one - other),
          settings,
        );
  return { named: numbers.size, served };
}

async function servedOf(units: readonly number[], settings: Settings): Promise<number | null> {
  // Only commands with such an alert start the engine of the register.
  const { publishedVersions } = await import('../../engines/open-warehouse.ts');
  try {
    const versions = await publishedVersions(settings, UNMETERED);
    try {
      const current = (await versions.publications()).at(-1)?.version;
      if (current === undefined) return 0;
      const version = await versions.openBeside(current, { operation: 'alerts.named', request: null, trace: null });
      try {
        return (await version.query(signalsRow, servedStatement(askedUnits(units), version.dialects))).length;
      } finally {
        version.close();
      }
    } finally {
      versions.close();
    }
  } catch {
    // The alert is made all the same: the register may be away while organisations are looked after.
    return null;
  }
}

/** Says of which units the alert will never tell; an empty text when there is nothing to say. */
export function namedUnitsNote(units: NamedUnits | null): string {
  if (units === null || units.served === 0) return '';
  const rule = 'NEW_UNIT tells of units that the version before did not serve';
  const { named, served } = units;
  if (served === null) {
    return `${rule}; which of the units that it names are served already could not be found out.`;
  }
  const advice = 'To be told of changes of units that are there, use SIGNAL_CHANGE.';
  if (served === named) {
    const all = named === 1 ? 'the one that it names is' : `all ${named} that it names are`;
    return `It can never fire: ${rule}, and ${all} served already. ${advice}`;
  }
  return `${served} of the ${named} units that it names are served already, and it says nothing of these: ${rule}. ${advice}`;
}
