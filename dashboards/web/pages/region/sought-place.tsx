import { useEffect } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { PlaceFinder, type Places } from '../../regions/find-places.ts';
import type { RegionOrCountry } from '../../regions/region.ts';
import { readTyped } from '../../regions/typed.ts';
import { sentenceOf } from '../../v1/problem-words.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** A place that somebody has typed on another page, as the address has it: the best of what is found is shown. */
export function SoughtPlace({ typed, onFound }: { typed: string; onFound: (region: RegionOrCountry) => void }) {
  const loaded = useLoad<Places>(typed, (loading) => new PlaceFinder().find(readTyped(typed), loading));
  const best = loaded.state === 'ready' ? loaded.value.hits[0] : undefined;
  const found = best === undefined || loaded.state !== 'ready' || loaded.value.typed.kind === 'nothing' ? null : best;
  useEffect(() => {
    if (found !== null) onFound(found.region);
  }, [found]);
  if (loaded.state === 'loading')
    return <p role="status">{say(`„${typed}“ wird gesucht …`, `Searching for “${typed}” …`)}</p>;
  if (loaded.state === 'failed')
    return (
      <p role="alert">
        {say('Die Suche geht gerade nicht: ', 'The search does not work now: ')}
        {sentenceOf(loaded.problem)}
      </p>
    );
  return found === null ? (
    <p class="note" role="alert">
      {say(
        `Kein Ort heißt „${typed}“. Das Feld „Region“ findet Namen, Postleitzahlen und Schlüssel, an denen Einheiten stehen.`,
        `No place is called “${typed}”. The field “Region” finds names, postal codes and keys where there are units.`,
      )}
    </p>
  ) : null;
}
