import { isSignal } from '../../sql/catalogue/signals.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Booked } from '../access/booked.ts';
import { mustHaveModule } from '../access/module.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Refuses filters by fields that the organisation may not see, because their results would reveal the values.
 * @throws Problem MISSING_MODULE for a field whose module is not booked
 * @throws Problem SIGNAL_NOT_ENTITLED for a signal that is not granted
 */
export function mustBeEntitledTo(conditions: readonly Condition[], caller: { readonly organisation: Booked }): void {
  for (const { field, filter, value } of conditions) {
    if (field.module !== null) mustHaveModule(caller, field.module, `The filter ${filter.name}`);
    if (filter.compare === 'signals') mustHaveSignals(value as readonly string[], caller.organisation);
  }
}

/** @throws Problem SIGNAL_NOT_ENTITLED naming those that are not granted */
export function mustHaveSignals(ids: readonly string[], { signals }: Booked): void {
  const missing = ids.filter((id) => !(isSignal(id) && signals.has(id)));
  if (missing.length === 0) return;
  const granted = [...signals].sort().join(', ') || 'no signal at all';
  throw new Problem(
    'SIGNAL_NOT_ENTITLED',
    `The organisation is not entitled to ${missing.join(', ')}; it is entitled to ${granted}`,
  );
}
