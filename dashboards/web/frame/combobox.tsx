import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';

export interface ComboboxProps<Option> {
  readonly label: string;
  /** True: the label is heard, and not seen, because a title stands there already. */
  readonly isLabelHidden?: boolean;
  /** The text of the field while nobody types. */
  readonly text?: string;
  readonly placeholder?: string;
  /** A sentence for those who hear the field: what can be typed. */
  readonly hint: string;
  readonly options: readonly Option[];
  /** True: the options are those of what is typed; false: they are of an earlier text, or are still looked for. */
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  /** The line beneath the list; empty = none. */
  readonly remark: string;
  idOf(option: Option): string;
  show(option: Option): ComponentChildren;
  /** @param typed the text for which options are wanted; null = none are, as the list is closed */
  onType(typed: string | null): void;
  onChoose(option: Option): void;
  /** Escape in the closed field. */
  onEscape?(): void;
}

/**
 * A field that offers options while somebody types: the combobox of the WAI-ARIA practices, with a list whose first option
 * is taken by Enter. Enter before the options are there takes the first one that comes.
 */
export function Combobox<Option>(props: ComboboxProps<Option>) {
  const { label, isLabelHidden = false, text = '', placeholder, hint, options, isCurrent, isBusy, remark } = props;
  const { idOf, show, onType, onChoose, onEscape } = props;
  const id = useId();
  // Null = nobody types.
  const [typed, type] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [isEager, setEager] = useState(false);
  const chosen = options[active];
  const isShown = isOpen && (options.length > 0 || remark !== '');

  const open = (wanted: string | null): void => {
    setOpen(true);
    onType(wanted ?? '');
  };
  const close = (): void => {
    setOpen(false);
    type(null);
    setActive(-1);
    setEager(false);
    onType(null);
  };
  const choose = (option: Option): void => {
    close();
    onChoose(option);
  };
  // A typed text makes its first option the active one.
  useEffect(() => {
    if (isCurrent) setActive(typed === null || typed === '' ? -1 : 0);
  }, [isCurrent, typed]);
  useEffect(() => {
    const [first] = options;
    if (isEager && isCurrent && first !== undefined) choose(first);
  }, [isEager, isCurrent]);
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, active]);

  const move = (by: number): void => {
    open(typed);
    if (options.length > 0) setActive((at) => (at + by + options.length + (at < 0 && by < 0 ? 1 : 0)) % options.length);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && isOpen) {
      if (isCurrent && chosen !== undefined) choose(chosen);
      else if (!isCurrent) setEager(true);
    } else if (event.key === 'Escape') {
      if (isOpen) close();
      else onEscape?.();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <label for={`${id}-input`} class={isLabelHidden ? 'visually-hidden' : ''}>
        {label}
      </label>
      <input
        id={`${id}-input`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-describedby={`${id}-help`}
        {...(isShown && chosen !== undefined ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        placeholder={placeholder}
        value={typed ?? text}
        onInput={(event) => {
          type(event.currentTarget.value);
          open(event.currentTarget.value);
          setEager(false);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => open(typed)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <span id={`${id}-help`} class="visually-hidden">
        {hint}
      </span>
      {isShown && (
        // A click must not take the focus from the field, which would close the list before the click is done.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens here but that the focus stays
        <div class="hits" onMouseDown={(event) => event.preventDefault()}>
          <div role="listbox" class="list" id={`${id}-list`} aria-label={label} aria-busy={isBusy}>
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a listbox are those of its combobox
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, which names the active option
              <div
                key={idOf(option)}
                id={`${id}-${index}`}
                role="option"
                class="hit"
                aria-selected={index === active}
                onClick={() => choose(option)}
              >
                {show(option)}
              </div>
            ))}
          </div>
          <p class="note">{remark}</p>
        </div>
      )}
      <p role="status" class="visually-hidden">
        {isShown &&
          isCurrent &&
          (options.length === 0
            ? say('Keine Treffer', 'No hits')
            : say(`${count(options.length)} Treffer`, `${count(options.length)} hits`))}
      </p>
    </div>
  );
}
