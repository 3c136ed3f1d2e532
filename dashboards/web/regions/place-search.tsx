import { useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { unitCount } from '../format/numbers.ts';
import { Combobox } from '../frame/combobox.tsx';
import { type Loaded, shown } from '../v1/loaded.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import { useLoad } from '../v1/use-answer.ts';
import { useDebounced } from '../v1/use-debounced.ts';
import { PlaceFinder, type Places } from './find-places.ts';
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

/** A field that finds places while somebody types. An empty field offers the country and its states. */
export function PlaceSearch(props: PlaceSearchProps) {
  const { label, name, placeholder, isCountryOffered = true, onChoose, onEscape } = props;
  const [typed, type] = useState<string | null>(null);
  const finder = useRef(new PlaceFinder());
  const text = JSON.stringify(readTyped(typed ?? ''));
  const asked = useDebounced(text);
  const loaded = useLoad<Places>(typed === null ? null : asked, (loading) =>
    finder.current.find(JSON.parse(asked), loading),
  );
  // Hits of a text before this one may still be there.
  const isCurrent = loaded.state === 'ready' && JSON.stringify(loaded.value.typed) === text;
  return (
    <Combobox
      label={label}
      text={name}
      {...(placeholder === undefined ? {} : { placeholder })}
      hint={say(
        'Name, Postleitzahl oder Schlüssel tippen, mit den Pfeiltasten wählen.',
        'Type a name, postal code or key, and choose with the arrow keys.',
      )}
      options={(shown(loaded)?.hits ?? []).filter(({ region }) => isCountryOffered || region !== null)}
      isCurrent={isCurrent}
      isBusy={!isCurrent && loaded.state !== 'failed'}
      remark={remark(loaded, isCurrent)}
      idOf={({ region }) => (region === null ? '' : regionText(region))}
      show={(hit) => (
        <>
          <span class="name">
            <bdi>{hit.name}</bdi>
            <small>
              <bdi>{hit.detail}</bdi>
            </small>
          </span>
          {hit.count !== null && <span class="count">{unitCount(hit.count)}</span>}
        </>
      )}
      onType={type}
      onChoose={({ region }) => onChoose(region)}
      {...(onEscape === undefined ? {} : { onEscape })}
    />
  );
}

/** The line beneath the list, for those who see it. */
function remark(loaded: Loaded<Places>, isCurrent: boolean): string {
  if (loaded.state === 'failed')
    return say(
      `Die Suche geht gerade nicht: ${sentenceOf(loaded.problem)}`,
      `The search does not work now: ${sentenceOf(loaded.problem)}`,
    );
  if (loaded.state === 'loading' && loaded.waitingUntil !== null) {
    return say(
      'Das Limit für Anfragen ist erreicht. Die Suche geht gleich von selbst weiter.',
      'The limit of requests is reached. The search goes on by itself in a moment.',
    );
  }
  if (loaded.state === 'loading' || !isCurrent) return say('Wird gesucht …', 'Searching …');
  const { hits, hasMore } = loaded.value;
  if (hits.length === 0)
    return say(
      'Kein Ort heißt so. Namen, Schlüssel und Postleitzahlen finden Orte, an denen Einheiten stehen.',
      'No place is called so. Names, keys and postal codes find places where there are units.',
    );
  return hasMore
    ? say('Es gibt weitere Treffer: mehr tippen, um sie zu finden.', 'There are more hits: type more to find them.')
    : '';
}
