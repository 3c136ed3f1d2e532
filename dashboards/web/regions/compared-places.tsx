import { say } from '../format/language.ts';
import type { Place } from './place.ts';
import { PlaceSearch } from './place-search.tsx';
import { placeText, type RegionOrCountry } from './region.ts';

const COLORS = ['var(--accent)', ...Array.from({ length: 7 }, (_, index) => `var(--place-${index + 1})`)];

/** The colour of a place by its place in the order of the page, from 0; the country is always grey. */
export const placeColor = (index: number, isCountry: boolean): string =>
  isCountry ? 'var(--faint)' : (COLORS[index] ?? 'var(--faint)');

/** A place stands once, also where an address has it twice. */
export const eachOnce = (places: readonly RegionOrCountry[]): readonly RegionOrCountry[] => [
  ...new Map(places.map((place) => [placeText(place), place])).values(),
];

/**
 * Chooses the places of a comparison.
 * @param before places that stand before these in the order of colours
 * @param isCountryOffered false: the country is part of the comparison anyway
 */
export function ComparedPlaces({
  label,
  places,
  most,
  before,
  isCountryOffered,
  onAdd,
  onChange,
}: {
  label: string;
  places: readonly Place[];
  most: number;
  before: number;
  isCountryOffered: boolean;
  onAdd: (place: RegionOrCountry) => void;
  onChange: (places: readonly RegionOrCountry[]) => void;
}) {
  return (
    <>
      {places.length < most && (
        <div class="region-picker">
          <PlaceSearch
            label={label}
            name=""
            placeholder={
              places.length === 0
                ? say('Ort hinzufügen', 'Add a place')
                : say('Weiteren Ort hinzufügen', 'Add another place')
            }
            isCountryOffered={isCountryOffered}
            onChoose={(place) => (place !== null || isCountryOffered) && onAdd(place)}
          />
        </div>
      )}
      {places.length > 0 && (
        <ul class="compared" aria-label={say('Verglichene Orte', 'Compared places')}>
          {places.map(({ region, name }, index) => (
            <li key={placeText(region)}>
              <i class="swatch" style={{ background: placeColor(index + before, region === null) }} />
              <bdi>{name}</bdi>
              <button
                type="button"
                aria-label={say(`${name} aus dem Vergleich nehmen`, `Take ${name} out of the comparison`)}
                onClick={() => onChange(places.map((one) => one.region).filter((other) => other !== region))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
