import { useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';
import { ALL_ROUNDS, isAhead, roundName } from '../tenders/rounds.ts';
import { COUNTED, countedAnew } from '../units/facets.ts';
import type { Aggregation, ReferenceValues } from '../v1/answers.ts';
import { type Loaded, mapLoaded, shown } from '../v1/loaded.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import type { TenderRounds } from '../v1/tender-answers.ts';
import { useAnswer } from '../v1/use-answer.ts';

/** From so many values on, a field above them narrows the list. */
const MANY = 12;

interface ListProps {
  readonly label: string;
  readonly chosen: readonly string[];
  /** How a value is written for people where the list has no name for it. */
  nameOf(value: string): string;
  onChange(values: readonly string[]): void;
}

/**
 * Chooses some of the values of a set, with the number of units that have each among those that other filters leave.
 * @param others values of the other filters by their parameters
 */
export function SetList({ set, others, ...list }: ListProps & { set: string; others: ReadonlyMap<string, string> }) {
  const narrowing = others.get('einheitTyp') ?? null;
  const loaded = useAnswer<ReferenceValues>({ path: `/v1/reference/${set}`, query: { einheitTyp: narrowing } });
  // The set itself tells the numbers by carrier.
  const isNarrowed = [...others.keys()].some((name) => name !== 'einheitTyp') && COUNTED.includes(set);
  const counted = useAnswer<Aggregation>(
    // Units of an event are listed, and not counted by anything.
    isNarrowed && !others.has('eventId')
      ? { path: '/v1/aggregations', query: { ...Object.fromEntries(others), groupBy: set } }
      : null,
  );
  const groups = counted.state === 'ready' ? counted.value.data.groups : null;
  return (
    <ValueList {...list} loaded={mapLoaded(loaded, ({ data }) => (isNarrowed ? countedAnew(data, groups) : data))} />
  );
}

/** Chooses some bid dates, the newest first: the interface knows them by numbers. */
export function RoundList(list: ListProps) {
  const loaded = useAnswer<TenderRounds>(ALL_ROUNDS);
  const rounds = mapLoaded(loaded, ({ data }) =>
    data
      .filter((round) => !isAhead(round))
      .toSorted((one, other) => (one.datum < other.datum ? 1 : -1))
      .map((round) => ({ value: String(round.id), name: roundName(round), count: null })),
  );
  return <ValueList {...list} loaded={rounds} />;
}

interface ListedValue {
  readonly value: string;
  readonly name?: string | null | undefined;
  /** Units that have it; null = not known. */
  readonly count: number | null;
}

function ValueList({
  loaded,
  label,
  chosen,
  nameOf,
  onChange,
}: ListProps & { loaded: Loaded<readonly ListedValue[]> }) {
  const [typed, type] = useState('');
  const listed = shown(loaded) ?? [];
  // The interface names values that nobody can read without knowing what they mean.
  const names = new Map(listed.map(({ value, name }) => [value, name]));
  const labelOf = (value: string): string => names.get(value) ?? nameOf(value);
  const missing = chosen.filter((value) => !listed.some((one) => one.value === value));
  const values = [...missing.map((value) => ({ value, count: null })), ...listed];
  const wanted = typed.toLowerCase();
  const visible = values.filter(({ value }) => labelOf(value).toLowerCase().includes(wanted) || chosen.includes(value));
  const flip = (value: string): void =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset class="values" aria-busy={loaded.state === 'loading'}>
      <legend class="visually-hidden">{label}</legend>
      {loaded.state === 'failed' && (
        <p role="alert">
          {say('Die Werte sind nicht bekannt: ', 'The values are not known: ')}
          {sentenceOf(loaded.problem)}
        </p>
      )}
      {loaded.state === 'loading' && listed.length === 0 && <p class="note">{say('Wird geladen …', 'Loading …')}</p>}
      {values.length > MANY && (
        <input
          type="search"
          placeholder={say('Werte eingrenzen', 'Narrow the values down')}
          aria-label={say(`Werte eingrenzen: ${label}`, `Narrow the values down: ${label}`)}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
      )}
      <ul>
        {visible.map(({ value, count: units }) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => flip(value)} />
              <bdi>{labelOf(value)}</bdi>
              {units !== null && <small>{count(units)}</small>}
            </label>
            <button
              type="button"
              class="only"
              aria-label={say(`Nur dieser Wert: ${labelOf(value)}`, `Only this value: ${labelOf(value)}`)}
              onClick={() => onChange([value])}
            >
              {say('nur', 'only')}
            </button>
          </li>
        ))}
      </ul>
      {loaded.state === 'ready' && visible.length === 0 && (
        <p class="note">{say('Kein Wert passt.', 'No value fits.')}</p>
      )}
    </fieldset>
  );
}
