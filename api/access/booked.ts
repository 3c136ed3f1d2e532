import { isSignal, type SignalId } from '../../sql/catalogue/signals.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { isModule, type Module } from '../../sql/org/rights.ts';

/** The modules, signals and templates of alerts that an organisation has booked. They decide what callers and alerts may ask. */
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

/** Reads from the row of an organisation what it has booked. Names that this release does not know are left out. */
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
