import type { SignalId } from '../../sql/catalogue/signals.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { isOpenToAll } from '../dumps/published.ts';
import type { Call } from '../operation/operation.ts';
import { resolveConditions } from './conditions.ts';
import type { UnitsQuery } from './query.ts';
import { chosenFields, type SortTerm, sortKeys } from './selection.ts';

/**
 * A question about units, resolved: as plain values of JSON, in one form however it was written, and without a trace of who
 * asks. Rights have become the fields and signals to be shown, saved filters and own texts have become conditions.
 */

/** A condition as a value of JSON. */
export interface AskedCondition {
  /** Name of the filter. */
  readonly filter: string;
  readonly value: Condition['value'];
  /** The words that texts of the organisation have, each with the numbers of the units. */
  readonly own?: readonly (readonly [word: string, numbers: readonly string[]])[];
}

/** Writes conditions as values of JSON; words that no text of the organisation has leave no trace. */
export const asked = (conditions: readonly Condition[]): AskedCondition[] =>
  conditions.map(({ filter, value, own = new Map() }) => {
    const found = [...own].filter(([, numbers]) => numbers.length > 0);
    return { filter: filter.name, value, ...(found.length === 0 ? {} : { own: found }) };
  });

/** Returns the conditions that `asked` has written. */
export const conditionsOf = (conditions: readonly AskedCondition[]): Condition[] =>
  conditions.map(({ filter, value, own }) => {
    const entry = UNIT_FILTERS.get(filter);
    if (entry === undefined) throw new Error(`There is no filter ${filter}`);
    return { ...entry, value, ...(own === undefined ? {} : { own: new Map(own) }) };
  });

/** A page of a list of units. */
export interface UnitsQuestion extends Pick<UnitsQuery, 'cursor' | 'limit' | 'stand' | 'syncToken' | 'updatedSince'> {
  readonly conditions: readonly AskedCondition[];
  /** True when the answer may repeat values of the conditions: the criteria of a saved filter can be asked for, but not read. */
  readonly repeatsValues: boolean;
  /** With mastrNummer, so that no two units tie. */
  readonly sort: readonly SortTerm[];
  /** Names of the fields to show. */
  readonly fields: readonly string[];
  /** True when a table has the links as columns. */
  readonly linkColumns: boolean;
  readonly expand: readonly string[];
  /** True when the caller may read dumps, which a list that ends at its ceiling then leads to. */
  readonly dumps: boolean;
  /** Signals that may be shown; none where no field has signals. */
  readonly signals: readonly SignalId[];
}

/**
 * Resolves a validated query.
 * @throws Problem as resolveConditions and chosenFields do
 */
export async function unitsQuestion(
  query: UnitsQuery,
  { caller, records, service }: Pick<Call, 'caller' | 'records' | 'service'>,
): Promise<UnitsQuestion> {
  const { cursor, limit, stand, syncToken, updatedSince, expand = [] } = query;
  const conditions = await resolveConditions(query, { caller, records, service });
  const shown = chosenFields(query, caller);
  return {
    conditions: asked(conditions),
    repeatsValues: query.savedFilterId === undefined,
    sort: sortKeys(query.sort ?? []).map(({ field, direction }) => ({ field: field.name, direction })),
    fields: shown.map(({ name }) => name),
    dumps: service.settings.DUMPS_DIR !== null && (caller.organisation.limits.dumps || isOpenToAll(service.settings)),
    linkColumns: query.fields?.includes('links') === true,
    expand,
    signals: shown.some(({ kind }) => kind === 'signals') ? [...caller.organisation.signals].sort() : [],
    limit,
    cursor,
    stand,
    syncToken,
    updatedSince,
  };
}
