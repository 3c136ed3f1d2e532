import { useState } from 'preact/hooks';
import type { ReferenceValue, ReferenceValues } from '../v1/answers.ts';
import { useAnswer } from '../v1/use-answer.ts';
import type { RegionOrCountry } from './region.ts';
import { useRegionName } from './use-region-name.ts';

/** Chooses a part of the country by typing its name. */
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
  const [typed, type] = useState('');
  const found = useAnswer<ReferenceValues>(
    typed.length < 2 ? null : { path: '/v1/reference/landkreis', query: { q: typed, limit: 8 } },
  );
  return (
    <div class="region-picker">
      <label>
        {label}
        <input value={typed} placeholder={name} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      <ul>
        {found.state === 'ready' &&
          found.value.data.map((place: ReferenceValue) => (
            <li key={place.value}>
              <button
                type="button"
                onClick={() => onChange({ level: 'landkreis', value: place.schluessel ?? place.value })}
              >
                {place.value}
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}
