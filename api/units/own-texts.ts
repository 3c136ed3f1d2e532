import { setImmediate as othersTurn } from 'node:timers/promises';
import { itemAt } from '../../runtime/present.ts';
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
import type { Session } from '../../sql/org/store.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Booked } from '../access/booked.ts';
import { Problem } from '../problem/problem.ts';
import { quoted } from '../wire/quoted.ts';

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
