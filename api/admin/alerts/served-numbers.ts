import type { Settings } from '../../../runtime/settings.ts';
import type { AlertRow } from '../../../sql/org/alerts/alerts.ts';
import { askedUnits, servedStatement, signalsRow } from '../../../sql/query/changes.ts';
import { digitsOf } from '../../../sql/register/mastr-number.ts';
import { type NamedUnits, numbersNamedBy } from '../../alerts/never-told.ts';
import type { AlertHolder } from '../../alerts/question.ts';

/** Asks the register, beside the service, for the units that an alert names. */

/** The metrics of the service are about its callers. */
export const UNMETERED = { statementEnded: () => {}, unitsRead: () => {} };

/** @returns null for an alert that names no units, watches for more than new ones, or is disabled */
export async function namedUnits(alert: AlertRow, holder: AlertHolder, settings: Settings): Promise<NamedUnits | null> {
  const numbers = numbersNamedBy(alert, holder);
  if (numbers === null) return null;
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
