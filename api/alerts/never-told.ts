import type { AlertRow } from '../../sql/org/alerts/alerts.ts';
import type { Hint } from '../hints/hints.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { AlertHolder } from './question.ts';

/**
 * Finds out which units that an alert names are served already: NEW_UNIT tells of a unit in the version in which it comes, so
 * the alert says nothing of those.
 */

/** The units that an alert from NEW_UNIT names by number. */
interface NamedUnits {
  readonly named: number;
  /** Those that the current version serves; null = it could not be asked. */
  readonly served: number | null;
}

/** The numbers that an alert names; null for one that names none, watches for more than new units, or is disabled. */
function numbersNamedBy(
  { template, criteria, savedFilterId, enabled }: AlertRow,
  { filters }: AlertHolder,
): ReadonlySet<string> | null {
  const asked = savedFilterId === null ? criteria : filters.get(savedFilterId)?.criteria;
  const written = asked?.mastrNummern;
  if (!enabled || template !== 'NEW_UNIT' || !Array.isArray(written) || written.length === 0) return null;
  return new Set(written.map(String));
}

/** Returns a hint where some of the units that an alert names are served already, and null otherwise. */
export async function neverToldHint(
  alert: AlertRow,
  holder: AlertHolder,
  dataset: Call['dataset'],
): Promise<Hint | null> {
  const numbers = numbersNamedBy(alert, holder);
  if (numbers === null) return null;
  const named = numbers.size;
  const served = await servedOf([...numbers], dataset);
  const hinweis = neverToldNote({ named, served });
  if (hinweis === '') return null;
  const meant = served === named ? { vorschlag: 'SIGNAL_CHANGE' } : {};
  return { parameter: 'template', wert: alert.template, hinweis, ...meant };
}

/** Counts the units that are served; none while no version was published. The alert is made also while the register is away. */
async function servedOf(numbers: readonly string[], dataset: Call['dataset']): Promise<number | null> {
  try {
    return (await dataset().units.existing(numbers)).size;
  } catch (error) {
    return error instanceof Problem && error.code === 'DATASET_NOT_READY' ? 0 : null;
  }
}

/** Says of which units the alert will never tell; an empty text when there is nothing to say. */
function neverToldNote(units: NamedUnits): string {
  if (units.served === 0) return '';
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
