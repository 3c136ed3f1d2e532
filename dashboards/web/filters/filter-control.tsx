import { useId, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { isOnePlace, type UnitFilter } from '../units/filters.ts';
import { type NameOf, ROUND_FILTER, useMayReadRounds } from '../units/value-names.ts';
import { ValueSearch } from '../units/value-search.tsx';
import { listItems, listText } from '../v1/request.ts';
import { Bounds } from './bounds.tsx';
import type { Changes } from './filter-address.ts';
import { RoundList, SetList } from './value-list.tsx';

export interface FilterControlProps {
  readonly filter: UnitFilter;
  readonly values: ReadonlyMap<string, string>;
  readonly nameOf: NameOf;
  onChange(changes: Changes): void;
}

/** The form of one filter. */
export function FilterControl(props: FilterControlProps) {
  const { filter, values, nameOf, onChange } = props;
  const mayReadRounds = useMayReadRounds();
  const { id, title, kind } = filter;
  const chosen = listItems(values.get(id) ?? '');
  const put = (items: readonly string[]): void => onChange({ [id]: items.length === 0 ? null : listText(items) });
  const carriers = values.get('einheitTyp') ?? null;
  switch (kind) {
    case 'choice':
      return (
        <SetList
          set={id}
          label={title}
          chosen={chosen}
          others={new Map([...values].filter(([name]) => name !== id))}
          nameOf={(value) => nameOf(id, value)}
          onChange={put}
        />
      );
    case 'search':
      return (
        <ValueSearch
          set={id}
          label={title}
          carriers={carriers}
          onChoose={({ value, schluessel }) => {
            if (isOnePlace(id)) onChange({ [id]: schluessel ?? value });
            else if (!chosen.includes(value)) put([...chosen, value]);
          }}
        />
      );
    case 'numbers':
    case 'days':
      return <Bounds filter={filter} values={values} onChange={onChange} />;
    case 'flag':
      return <Flag filter={filter} value={values.get(id) ?? ''} onChange={(value) => onChange({ [id]: value })} />;
    case 'codes':
    case 'words':
      if (id === ROUND_FILTER && mayReadRounds) {
        return <RoundList label={title} chosen={chosen} nameOf={(value) => nameOf(id, value)} onChange={put} />;
      }
      return <Words filter={filter} value={values.get(id) ?? ''} onChange={(value) => onChange({ [id]: value })} />;
  }
}

/** `false` also finds units that state nothing; that a value is there, is stated by each. */
const answersOf = ({ field }: UnitFilter) => [
  { value: '', name: say('egal', 'either') },
  { value: 'true', name: say('ja', 'yes') },
  {
    value: 'false',
    name:
      field.typ === 'boolean' && field.lesbar ? say('nein oder keine Angabe', 'no or not stated') : say('nein', 'no'),
  },
];

function Flag({
  filter,
  value,
  onChange,
}: {
  filter: UnitFilter;
  value: string;
  onChange: (value: string | null) => void;
}) {
  return (
    <fieldset class="flag">
      <legend class="visually-hidden">{filter.title}</legend>
      {answersOf(filter).map((answer) => (
        <label key={answer.value}>
          <input
            type="radio"
            name={filter.id}
            checked={value === answer.value}
            onChange={() => onChange(answer.value === '' ? null : answer.value)}
          />
          {answer.name}
        </label>
      ))}
    </fieldset>
  );
}

/** Numbers or words that are typed or pasted: blanks, commas and lines part numbers. */
function Words({
  filter: { title, kind },
  value,
  onChange,
}: {
  filter: UnitFilter;
  value: string;
  onChange: (value: string | null) => void;
}) {
  const id = useId();
  const [typed, type] = useState<string | null>(null);
  const commit = (): void => {
    if (typed === null) return;
    const text =
      kind === 'codes'
        ? typed
            .split(/[\s,;]+/)
            .filter(Boolean)
            .join(',')
        : typed.trim();
    type(null);
    if (text !== value) onChange(text === '' ? null : text);
  };
  return (
    <>
      <textarea
        aria-label={title}
        {...(kind === 'codes' ? { 'aria-describedby': id } : {})}
        rows={2}
        spellcheck={false}
        value={typed ?? value}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          commit();
        }}
      />
      {kind === 'codes' && (
        <small id={id} class="note">
          {say('Mehrere durch Kommas oder Leerzeichen getrennt', 'Several, separated by commas or blanks')}
        </small>
      )}
    </>
  );
}
