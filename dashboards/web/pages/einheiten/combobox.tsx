import { useId, useState } from 'preact/hooks';
import { count } from '../../format/numbers.ts';
import type { ReferenceValue, ReferenceValues } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { useDebounced } from '../../v1/use-debounced.ts';

const SUGGESTIONS = 12;

/**
 * Finds values by a part of them, and chooses one after the other.
 * @param carriers units of these count; null = all
 */
export function Combobox({
  set,
  label,
  carriers,
  onChoose,
}: {
  set: string;
  label: string;
  carriers: string | null;
  onChoose: (value: ReferenceValue) => void;
}) {
  const id = useId();
  const [typed, type] = useState('');
  const [isOpen, open] = useState(false);
  const [active, activate] = useState(0);
  const wanted = useDebounced(typed.trim());
  const loaded = useAnswer<ReferenceValues>(
    wanted === ''
      ? null
      : { path: `/v1/reference/${set}`, query: { q: wanted, limit: SUGGESTIONS, einheitTyp: carriers } },
  );
  const found = wanted === '' ? [] : (shown(loaded)?.data ?? []);
  const isListed = isOpen && found.length > 0;
  const at = Math.min(active, found.length - 1);
  const choose = (value: ReferenceValue | undefined): void => {
    if (value === undefined) return;
    onChoose(value);
    type('');
    open(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') open(false);
    else if (event.key === 'Enter' && isListed) choose(found[at]);
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      open(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate(isListed ? (at + step + found.length) % found.length : 0);
    } else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isListed ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder="Tippen und auswählen"
        value={typed}
        onInput={(event) => {
          type(event.currentTarget.value);
          activate(0);
          open(true);
        }}
        onKeyDown={press}
        onBlur={() => open(false)}
      />
      <div id={`${id}-list`} role="listbox" aria-label={`Vorschläge: ${label}`} hidden={!isListed}>
        {isListed &&
          found.map((value, index) => (
            <div
              key={value.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => {
                // The field keeps the focus, whose keys choose as well.
                event.preventDefault();
                choose(value);
              }}
            >
              <bdi>{value.value}</bdi>
              <small>{count(value.count)}</small>
            </div>
          ))}
      </div>
      <p class="note" role="status">
        {loaded.state === 'failed' && `Die Werte sind nicht bekannt: ${loaded.problem.detail ?? loaded.problem.title}`}
        {loaded.state === 'ready' && wanted !== '' && found.length === 0 && 'Kein Wert passt.'}
      </p>
    </div>
  );
}
