import { setImmediate as othersTurn } from 'node:timers/promises';
import { itemAt } from '../../runtime/present.ts';
import { isSignal } from '../../sql/catalogue/signals.ts';
import { EVENT_RETENTION_DAYS, unitsOfEvent } from '../../sql/org/alerts/events.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import {
  closeUnitsWithWords,
  fieldIdRow,
  fieldsToSearch,
  nextUnitsWithWords,
  openUnitsWithWords,
  unitNumberRow,
  wordKeysRow,
  wordsWith,
} from '../../sql/org/records/custom-field-search.ts';
import { savedFilterRow, tableFilter } from '../../sql/org/records/saved-filters.ts';
import type { Session } from '../../sql/org/store.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Booked } from '../access/booked.ts';
import type { Caller } from '../access/caller.ts';
import { mustHaveModule } from '../access/rights.ts';
import type { Call } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import { quoted } from '../wire/quoted.ts';
import { filterConditions, numbersCondition } from './filters.ts';
import { asksPortfolio, portfolioUnits } from './portfolio.ts';
import { filterCriteria } from './query.ts';

/** Turns the query of a request into conditions, with the saved filters and texts of the organisation itself. */

type CallerRecords = Pick<Call, 'caller' | 'records'> & { readonly service: Pick<Service, 'withoutOwnTexts'> };

/**
 * Returns the conditions of a validated query: those of its saved filter, or its own, and the units of its event and of the portfolio.
 * @throws Problem NOT_FOUND for a saved filter that the organisation does not have, or that is one of the map, and for an
 * event that it does not have, or no longer
 * @throws Problem MISSING_MODULE, SIGNAL_NOT_ENTITLED: see mustBeEntitledTo; MISSING_SCOPE, FILTER_CONFLICT: see portfolioUnits
 */
export async function resolveConditions(
  query: Readonly<Record<string, unknown>>,
  call: CallerRecords,
): Promise<Condition[]> {
  const { savedFilterId, eventId } = query;
  const filters = savedFilterId === undefined ? query : await savedCriteria(String(savedFilterId), call);
  const conditions = filterConditions(filters);
  if (asksPortfolio(query)) conditions.push(numbersCondition(await portfolioUnits(query, call)));
  if (eventId !== undefined) conditions.push(numbersCondition(await eventUnits(String(eventId), call)));
  mustBeEntitledTo(conditions, call.caller);
  const { organisation } = call.caller;
  const asked = ({ filter }: Condition) => filter.compare === 'search';
  if (!searchesOwnTexts(organisation) || !conditions.some(asked)) return conditions;
  if (await call.service.withoutOwnTexts(organisation.id)) return conditions;
  return call.records(async (session) => {
    const resolved: Condition[] = [];
    for (const condition of conditions) resolved.push(await withOwnTexts(session, organisation.id, condition));
    return resolved;
  });
}

/** Returns true when the answer depends on records of the organisation, not on the register alone. */
export const dependsOnRecords = (query: Readonly<Record<string, unknown>>, caller: Caller): boolean =>
  query.savedFilterId !== undefined ||
  query.eventId !== undefined ||
  asksPortfolio(query) ||
  (query.suche !== undefined && searchesOwnTexts(caller.organisation));

async function savedCriteria(
  id: string,
  { caller, records }: Pick<Call, 'caller' | 'records'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { organisation } = caller;
  const found = isUuid(id)
    ? await records((session) => session.row(savedFilterRow, tableFilter(organisation.id, id)))
    : null;
  if (found === null) {
    throw new Problem(
      'NOT_FOUND',
      'There is no saved filter with this id among those that GET /v1/saved-filters lists',
    );
  }
  const { data } = filterCriteria.safeParse(found.criteria);
  if (data !== undefined) return data;
  throw new Problem('FILTER_CONFLICT', `The saved filter ${found.name} holds criteria that this release does not know`);
}

async function eventUnits(
  id: string,
  { caller, records }: Pick<Call, 'caller' | 'records'>,
): Promise<readonly string[]> {
  const { organisation } = caller;
  const found = isUuid(id) ? await records((session) => unitsOfEvent(session, organisation.id, id)) : null;
  if (found !== null) return found;
  throw new Problem(
    'NOT_FOUND',
    `There is no event with this id among those that GET /v1/events lists; they are kept for ${EVENT_RETENTION_DAYS} days`,
  );
}

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

/** Distinct words of own texts that one search term may lie in, and places where they may stand: units times fields. */
const MOST_WORDS = 20_000;
const MOST_PLACES = 250_000;

/**
 * Finds the units that have a term in a text of the organisation's own fields, retired ones excepted, for each of these terms.
 * @param terms folded, without blanks
 * @throws Problem INVALID_PARAMETER when so many texts have one that reading them would keep others waiting
 */
export async function unitsWithOwnTexts(
  session: Session,
  organisationId: string,
  terms: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const words = await session.rows(wordKeysRow, wordsWith(organisationId, terms, MOST_WORDS));
  const units = new Map<string, readonly string[]>();
  for (const [place, term] of terms.entries()) {
    units.set(term, await unitsWithWords(session, organisationId, term, itemAt(words, place).keys));
  }
  return units;
}

/** @param keys of the words that contain the term */
async function unitsWithWords(
  session: Session,
  organisationId: string,
  term: string,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  if (keys.length > MOST_WORDS) throw tooCommon(term);
  const fields = await session.rows(fieldIdRow, fieldsToSearch(organisationId));
  const ids = fields.map(({ id }) => id);
  await session.run(openUnitsWithWords(organisationId, keys, ids));
  const units = new Set<string>();
  let places = 0;
  while (true) {
    const rows = await session.rows(unitNumberRow, nextUnitsWithWords);
    if (rows.length === 0) break;
    for (const { mastrNumber } of rows) units.add(mastrNumber);
    places += rows.length;
    if (places > MOST_PLACES) break;
    // Postgres inside this process answers without ever yielding to other work.
    await othersTurn();
  }
  // The cursor is closed also before a refusal: the transaction may go on to search for something else.
  await session.run(closeUnitsWithWords);
  if (places > MOST_PLACES) throw tooCommon(term);
  return [...units];
}

/**
 * Returns a condition as the organisation asks it: free text is also searched for in the organisation's own fields.
 * @throws Problem INVALID_PARAMETER like unitsWithOwnTexts
 */
export async function withOwnTexts(session: Session, organisationId: string, condition: Condition): Promise<Condition> {
  if (condition.filter.compare !== 'search') return condition;
  return { ...condition, own: await unitsWithOwnTexts(session, organisationId, condition.value as readonly string[]) };
}

/** Custom fields are part of the module workspace. */
export const searchesOwnTexts = ({ modules }: Booked): boolean => modules.has('workspace');

const tooCommon = (term: string): Problem =>
  new Problem(
    'INVALID_PARAMETER',
    `suche: too many texts of your own fields have ${quoted(term)} to search them all; write more of the word`,
  );
