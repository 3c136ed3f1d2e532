import type { Place } from '../../figures/place.ts';
import { PlaceSearch } from '../../regions/place-search.tsx';
import { type Region, regionText } from '../../regions/region.ts';
import { placeColor } from './compared.ts';

/** Chooses the places that the region is compared with. The country is always among them. */
export function ComparisonPicker({
  places,
  most,
  onChange,
}: {
  places: readonly (Place & { readonly region: Region })[];
  most: number;
  onChange: (regions: readonly Region[]) => void;
}) {
  const regions = places.map(({ region }) => region);
  return (
    <>
      {places.length < most && (
        <div class="region-picker">
          <PlaceSearch
            label="Vergleichen mit"
            name=""
            placeholder={places.length === 0 ? 'Ort hinzufügen' : 'Weiteren Ort hinzufügen'}
            isCountryOffered={false}
            onChoose={(region) => region !== null && onChange([...regions, region])}
          />
        </div>
      )}
      {places.length > 0 && (
        <ul class="compared" aria-label="Verglichene Orte">
          {places.map(({ region, name }, index) => (
            <li key={regionText(region)}>
              <i class="swatch" style={{ background: placeColor(index + 1, false) }} />
              <bdi>{name}</bdi>
              <button
                type="button"
                aria-label={`${name} aus dem Vergleich nehmen`}
                onClick={() => onChange(regions.filter((other) => other !== region))}
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
