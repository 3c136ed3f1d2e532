import { setImmediate as othersTurn } from 'node:timers/promises';
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
 * Finds the units that have a term in a text of the organisation's own fields, retired ones excepted.
 * @param term folded, without blanks
 * @throws Problem INVALID_PARAMETER when so many texts have it that reading them would keep others waiting
 */
export async function unitsWithOwnText(session: Session, organisationId: string, term: string): Promise<string[]> {
  const words = await session.row(wordKeysRow, wordsWith(organisationId, term, MOST_WORDS));
  const keys = words?.keys ?? [];
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
 * @throws Problem INVALID_PARAMETER like unitsWithOwnText
 */
export async function withOwnTexts(session: Session, organisationId: string, condition: Condition): Promise<Condition> {
  if (condition.filter.compare !== 'search') return condition;
  const own = new Map<string, readonly string[]>();
  for (const word of condition.value as readonly string[]) {
    own.set(word, await unitsWithOwnText(session, organisationId, word));
  }
  return { ...condition, own };
}

/** Custom fields are part of the module workspace. */
export const searchesOwnTexts = ({ modules }: Booked): boolean => modules.has('workspace');

const tooCommon = (term: string): Problem =>
  new Problem(
    'INVALID_PARAMETER',
    `suche: too many texts of your own fields have ${quoted(term)} to search them all; write more of the word`,
  );
