import { isSignal, type SignalId } from '../../sql/catalogue/signals.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { isModule, type Module } from '../../sql/org/rights.ts';

/** What an organisation has booked: it decides on the questions of its callers, and on those of its alerts. */
export interface Booked {
  readonly id: string;
  /** Modules that count as booked now: none once a trial has ended. */
  readonly modules: ReadonlySet<Module>;
  readonly signals: ReadonlySet<SignalId>;
  readonly alertTemplates: readonly string[];
  /** RFC 3339; null = no trial. */
  readonly trialEndsAt: string | null;
  readonly trialEnded: boolean;
}

/** Reads it from the row of an organisation. Names that this release does not know are left out. */
export function bookedBy({
  id,
  modules,
  signals,
  alertTemplates,
  trialEndsAt,
}: Pick<OrganisationRow, 'id' | 'modules' | 'signals' | 'alertTemplates' | 'trialEndsAt'>): Booked {
  const trialEnded = trialEndsAt !== null && Date.parse(trialEndsAt) <= Date.now();
  return {
    id,
    modules: new Set(trialEnded ? [] : modules.filter(isModule)),
    signals: new Set(signals.filter(isSignal)),
    alertTemplates,
    trialEndsAt,
    trialEnded,
  };
}
