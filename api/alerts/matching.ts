import { setImmediate as othersTurn } from 'node:timers/promises';
import { entryOf, itemAt } from '../../runtime/present.ts';
import type { AlertTemplate } from '../../sql/org/rights.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import {
  type AskedUnits,
  answersRow,
  askedUnits,
  foundRow,
  holdingOf,
  questionsStatement,
  wordAmongStatement,
} from '../../sql/query/changes.ts';
import { type Condition, searchWords } from '../../sql/query/conditions.ts';
import type { SearchWord } from '../../sql/query/suche.ts';
import type { Watch } from '../../sql/query/watched.ts';
import { digitsOf } from '../../sql/register/mastr-number.ts';
import { Problem } from '../problem/problem.ts';
import { withOwnTexts } from '../units/conditions.ts';
import { Unanswerable, type VersionBeside } from '../warehouse/version.ts';
import type { ChangedUnit } from './changes.ts';

/** Finds out which alerts the units of a comparison meet, many alerts in one statement. */

/** An alert as it is asked. */
export interface AskedAlert {
  readonly id: string;
  readonly organisationId: string;
  readonly template: AlertTemplate;
  /** The signals that a SIGNAL_CHANGE watches, as a mask; 0 for other templates. */
  readonly signals: number;
  /** What it watches of fields; none for other templates. */
  readonly watches: readonly Watch[];
  /** A unit has to meet all of them; none = every unit does. */
  readonly conditions: readonly Condition[];
  /** The only units that it is about, by digits; null = any. */
  readonly among: ReadonlySet<number> | null;
  /** True when words are also searched for in the organisation's own texts. */
  readonly ownTexts: boolean;
}

export interface Matching {
  /** The later version. */
  readonly current: VersionBeside;
  readonly store: OrgStore;
  /** Calendar day that counts as today, YYYY-MM-DD. */
  readonly today: string;
  /** Receives the units that an alert matches, in the order of their numbers. */
  matched(alert: AskedAlert, units: readonly ChangedUnit[]): Promise<void>;
  /** Receives the reason why an alert cannot be asked, once. */
  faulty(alert: AskedAlert, fault: string): void;
  /** Called before each statement; throws to end the work. */
  keepOn(): void;
}

/** Alerts of one statement. */
const QUESTIONS_TOGETHER = 150;

/** Units that are looked at before other work gets its turn. */
const MANY = 1000;

/** Alerts with the same conditions, apart from free text; the text of the conditions identifies them. */
interface Question {
  readonly conditions: readonly Condition[];
  readonly alerts: AskedAlert[];
}

/** @param units in the order of their numbers, at least one */
export async function matchAlerts(
  units: readonly ChangedUnit[],
  alerts: readonly AskedAlert[],
  matching: Matching,
): Promise<void> {
  const asked = askedUnits(units.map(({ digits }) => digits));
  const places = new Map(units.map(({ digits }, place) => [digits, place]));
  const searches = searchesOver(asked, places, matching);
  const { unconditional, questions } = distinctQuestions(alerts);
  const everywhere = [...units.keys()];
  await othersTurn();
  for (const alert of unconditional) await report(alert, everywhere);
  for (let from = 0; from < questions.length; from += QUESTIONS_TOGETHER) {
    await ask(questions.slice(from, from + QUESTIONS_TOGETHER));
  }

  /** Asks some questions together, or one after the other where they are too much for one statement. */
  async function ask(together: readonly Question[]): Promise<void> {
    const { current, today, keepOn } = matching;
    keepOn();
    try {
      const conditions = together.map((question) => question.conditions);
      const rows = await current.query(answersRow, questionsStatement(asked, conditions, today, current.dialects));
      const holding: number[][] = together.map(() => []);
      for (const [index, row] of rows.entries()) {
        const place = places.get(row.digits ?? -1);
        if (place !== undefined) for (const question of holdingOf(row)) holding[question]?.push(place);
        if (index % MANY === MANY - 1) await othersTurn();
      }
      for (const [place, question] of together.entries()) {
        for (const alert of question.alerts) await report(alert, holding[place] ?? []);
      }
    } catch (error) {
      if (!(error instanceof Unanswerable)) throw error;
      const half = Math.ceil(together.length / 2);
      if (together.length > 1) {
        await ask(together.slice(0, half));
        await ask(together.slice(half));
        return;
      }
      for (const { alerts: unanswered } of together)
        for (const alert of unanswered) matching.faulty(alert, error.message);
    }
    await othersTurn();
  }

  /** @param met places of the units that meet all conditions but those of free text */
  async function report(alert: AskedAlert, met: readonly number[]): Promise<void> {
    const concerned = met.filter((place) => concerns(alert, itemAt(units, place)));
    const found = concerned.length === 0 ? null : await searches(alert);
    if (found === 'faulty') return;
    const matches = found === null ? concerned : concerned.filter((place) => found[place] === 1);
    if (matches.length > 0) {
      await matching.matched(
        alert,
        matches.map((place) => itemAt(units, place)),
      );
    }
    if (met.length > MANY) await othersTurn();
  }
}

/** Returns true when what has changed of a unit is what an alert watches. */
function concerns({ template, signals, watches, among }: AskedAlert, unit: ChangedUnit): boolean {
  if (among !== null && !among.has(unit.digits)) return false;
  switch (template) {
    case 'NEW_UNIT':
      return unit.isNew;
    case 'SIGNAL_CHANGE':
      return ((unit.signals ^ unit.signalsBefore) & signals) !== 0;
    default:
      return watches.some(({ key }) => unit.watched.has(key));
  }
}

const isSearch = ({ filter }: Condition): boolean => filter.compare === 'search';

function distinctQuestions(alerts: readonly AskedAlert[]) {
  const unconditional: AskedAlert[] = [];
  const questions = new Map<string, Question>();
  for (const alert of alerts) {
    const conditions = alert.conditions.filter((condition) => !isSearch(condition));
    if (conditions.length === 0) {
      unconditional.push(alert);
      continue;
    }
    const text = JSON.stringify(conditions.map(({ filter, value }) => [filter.name, value]));
    const question = questions.get(text) ?? { conditions, alerts: [] };
    question.alerts.push(alert);
    questions.set(text, question);
  }
  return { unconditional, questions: [...questions.values()] };
}

/**
 * Returns a function that finds the units with the words of an alert, as a 1 at their places: null = it searches for none,
 * or every unit has them; `faulty` = it cannot be asked, which is reported. Equal searches are asked once.
 * @param places of the units, by digits
 */
function searchesOver(
  units: AskedUnits,
  places: ReadonlyMap<number, number>,
  { current, store, faulty, keepOn }: Matching,
) {
  const asked = new Map<string, Uint8Array | null | Problem>();
  const words = new Map<string, Uint8Array | null>();

  const marked = (rows: readonly { readonly digits: number }[]): Uint8Array => {
    const marks = new Uint8Array(places.size);
    for (const { digits } of rows) marks[entryOf(places, digits)] = 1;
    return marks;
  };
  /** The units with a word, as a 1 at their places; null = all. Alerts with different words often share one. */
  const unitsWith = async (word: SearchWord, ownedBy: string | null): Promise<Uint8Array | null> => {
    const key = JSON.stringify([word.text, ownedBy]);
    const known = words.get(key);
    if (known !== undefined) return known;
    keepOn();
    const statement = wordAmongStatement(units, word, current.dialects);
    const found = statement === null ? null : marked(await current.query(foundRow, statement));
    words.set(key, found);
    return found;
  };
  /** The search with the units of these that have its words in own texts: whoever else has them does not matter here. */
  const withOwn = async (search: Condition, organisationId: string): Promise<Condition> => {
    const { own, ...whole } = await store.asOperator((session) => withOwnTexts(session, organisationId, search));
    const kept = [...(own ?? [])].map(
      ([word, numbers]) => [word, numbers.filter((one) => places.has(digitsOf(one)))] as const,
    );
    return { ...whole, own: new Map(kept) };
  };
  const find = async (search: Condition, ownedBy: string | null): Promise<Uint8Array | null> => {
    const complete = ownedBy === null ? search : await withOwn(search, ownedBy);
    let found: Uint8Array | null = null;
    for (const word of searchWords(complete)) {
      const having = await unitsWith(word, ownedBy);
      found = found === null ? having : bothOf(found, having);
    }
    return found;
  };
  return async (alert: AskedAlert): Promise<Uint8Array | null | 'faulty'> => {
    const search = alert.conditions.find(isSearch);
    if (search === undefined) return null;
    const ownedBy = alert.ownTexts ? alert.organisationId : null;
    const key = JSON.stringify([search.value, ownedBy]);
    const known = asked.has(key) ? asked.get(key) : await find(search, ownedBy).catch(asFault);
    asked.set(key, known ?? null);
    if (!(known instanceof Problem)) return known ?? null;
    faulty(alert, known.message);
    return 'faulty';
  };
}

/** @param other null = all */
const bothOf = (marks: Uint8Array, other: Uint8Array | null): Uint8Array =>
  other === null ? marks : marks.map((mark, place) => mark & (other[place] ?? 0));

/** Makes a fault of words that too many texts have, and of a statement that the version cannot answer; other errors may pass. */
function asFault(error: unknown): Problem {
  if (error instanceof Unanswerable || (error instanceof Problem && error.code === 'INVALID_PARAMETER')) return error;
  throw error;
}
