import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { count, plural } from '../format/numbers.ts';
import { type Loaded, shown } from '../v1/loaded.ts';
import { useLoad } from '../v1/use-answer.ts';
import { useDebounced } from '../v1/use-debounced.ts';
import { PlaceFinder, type Places } from './find-places.ts';
import type { Hit } from './hits.ts';
import { type RegionOrCountry, regionText } from './region.ts';
import { readTyped } from './typed.ts';

export interface PlaceSearchProps {
  readonly label: string;
  /** The text of the field while nobody types. */
  readonly name: string;
  readonly placeholder?: string;
  /** Default: true. */
  readonly isCountryOffered?: boolean;
  onChoose(region: RegionOrCountry): void;
  /** Escape in the closed field. */
  onEscape?(): void;
}

/**
 * A field that finds places while somebody types: the combobox of the WAI-ARIA practices, with a list whose first hit is
 * taken by Enter. An empty field offers the country and its states.
 */
export function PlaceSearch(props: PlaceSearchProps) {
  const { label, name, placeholder, isCountryOffered = true, onChoose, onEscape } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Null = nobody types: the field shows the name of what is chosen.
  const [typed, type] = useState<string | null>(null);
  const [isOpen, open] = useState(false);
  const [active, setActive] = useState(-1);
  // Enter came before the hits: the first is taken as soon as it is there.
  const [isEager, setEager] = useState(false);
  const finder = useRef(new PlaceFinder());

  const text = JSON.stringify(readTyped(typed ?? ''));
  const asked = useDebounced(text);
  const loaded = useLoad<Places>(isOpen ? asked : null, (loading) => finder.current.find(JSON.parse(asked), loading));
  // Hits of a text before this one may still be there.
  const isCurrent = loaded.state === 'ready' && JSON.stringify(loaded.value.typed) === text;
  const hits = (shown(loaded)?.hits ?? []).filter(({ region }) => isCountryOffered || region !== null);
  const chosen = hits[active];

  const close = (): void => {
    open(false);
    type(null);
    setActive(-1);
    setEager(false);
  };
  const choose = (hit: Hit): void => {
    close();
    onChoose(hit.region);
  };
  // What was typed makes its first hit the active one.
  useEffect(() => {
    if (isCurrent) setActive(typed === null || typed === '' ? -1 : 0);
  }, [isCurrent, asked]);
  useEffect(() => {
    const [first] = hits;
    if (isEager && isCurrent && first !== undefined) choose(first);
  }, [isEager, isCurrent]);
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, active]);

  const move = (by: number): void => {
    open(true);
    if (hits.length > 0) setActive((at) => (at + by + hits.length + (at < 0 && by < 0 ? 1 : 0)) % hits.length);
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
    <div class="place-search">
      <label for={`${id}-input`}>{label}</label>
      <input
        ref={input}
        id={`${id}-input`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-describedby={`${id}-help`}
        {...(isOpen && chosen !== undefined ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        placeholder={placeholder}
        value={typed ?? name}
        onInput={(event) => {
          type(event.currentTarget.value);
          open(true);
          setEager(false);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => open(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <span id={`${id}-help`} class="visually-hidden">
        Name, Postleitzahl oder Schlüssel tippen, mit den Pfeiltasten wählen.
      </span>
      {isOpen && (
        // A click must not take the focus from the field, which would close the list before the click is done.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens here but that the focus stays
        <div class="hits" onMouseDown={(event) => event.preventDefault()}>
          <div
            role="listbox"
            class="list"
            id={`${id}-list`}
            aria-label={label}
            aria-busy={!isCurrent && loaded.state !== 'failed'}
          >
            {hits.map((hit, index) => (
              <HitOption
                key={hit.region === null ? '' : regionText(hit.region)}
                id={`${id}-${index}`}
                hit={hit}
                isActive={index === active}
                onChoose={() => choose(hit)}
              />
            ))}
          </div>
          <p class="note">{remark(loaded, isCurrent)}</p>
        </div>
      )}
      <p role="status" class="visually-hidden">
        {isOpen && isCurrent ? said(hits) : ''}
      </p>
    </div>
  );
}

function HitOption({ id, hit, isActive, onChoose }: { id: string; hit: Hit; isActive: boolean; onChoose: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of a listbox are those of its combobox
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, which names the active option
    <div id={id} role="option" class="hit" aria-selected={isActive} onClick={onChoose}>
      <span class="name">
        <bdi>{hit.name}</bdi>
        <small>
          <bdi>{hit.detail}</bdi>
        </small>
      </span>
      {hit.count !== null && <span class="count">{plural(hit.count, 'Einheit', 'Einheiten')}</span>}
    </div>
  );
}

/** The line beneath the list, for those who see it. */
function remark(loaded: Loaded<Places>, isCurrent: boolean): string {
  if (loaded.state === 'failed') return `Die Suche geht gerade nicht: ${loaded.problem.detail ?? loaded.problem.title}`;
  if (loaded.state === 'loading' && loaded.waitingUntil !== null) {
    return 'Das Limit für Anfragen ist erreicht. Die Suche geht gleich von selbst weiter.';
  }
  if (loaded.state === 'loading' || !isCurrent) return 'Wird gesucht …';
  const { hits, hasMore } = loaded.value;
  if (hits.length === 0)
    return 'Kein Ort heißt so. Namen, Schlüssel und Postleitzahlen finden Orte, an denen Einheiten stehen.';
  return hasMore ? 'Es gibt weitere Treffer: mehr tippen, um sie zu finden.' : '';
}

/** The same for those who hear it. */
const said = (hits: readonly Hit[]): string => (hits.length === 0 ? 'Keine Treffer' : `${count(hits.length)} Treffer`);
