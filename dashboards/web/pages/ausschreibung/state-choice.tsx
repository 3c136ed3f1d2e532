import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import type { Award } from '../../v1/tender-answers.ts';

interface StateCount {
  readonly state: string;
  readonly awards: number;
}

/** The states in which there are awards, by name. */
export function statesOf(awards: readonly Award[]): readonly StateCount[] {
  const counts = new Map<string, number>();
  for (const { bundesland } of awards) {
    if (bundesland !== null) counts.set(bundesland, (counts.get(bundesland) ?? 0) + 1);
  }
  return [...counts]
    .map(([state, awards]) => ({ state, awards }))
    .sort((one, other) => one.state.localeCompare(other.state, 'de'));
}

export function StateChoice({
  states,
  value,
  onChange,
}: {
  states: readonly StateCount[];
  value: string;
  onChange: (state: string) => void;
}) {
  const isKnown = value === '' || states.some(({ state }) => state === value);
  return (
    <div class="choices">
      <label>
        {say('Bundesland', 'State')}
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{say('Alle', 'All')}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {states.map(({ state, awards }) => (
            <option key={state} value={state}>
              {state} ({count(awards)})
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
