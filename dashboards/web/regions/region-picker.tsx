import { say } from '../format/language.ts';
import { PlaceSearch } from './place-search.tsx';
import type { RegionOrCountry } from './region.ts';
import { useRegionName } from './use-region-name.ts';

/**
 * Chooses a part of the country by typing its name, its official key, or the beginning of a postal code. A click on the
 * cross leads back to the country, and so does Escape.
 */
export function RegionPicker({
  label,
  value,
  onChange,
}: {
  label: string;
  value: RegionOrCountry;
  onChange: (region: RegionOrCountry) => void;
}) {
  const name = useRegionName(value);
  const leave = (): void => {
    if (value !== null) onChange(null);
  };
  return (
    <div class="region-picker">
      <PlaceSearch label={label} name={name} onChoose={onChange} onEscape={leave} />
      {value !== null && (
        <button
          type="button"
          class="clear"
          aria-label={say(`${label}: zurück zu Deutschland`, `${label}: back to Germany`)}
          onClick={leave}
        >
          ×
        </button>
      )}
    </div>
  );
}
