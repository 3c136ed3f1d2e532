import { CARRIERS, type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { Legend, toggled } from '../../frame/legend.tsx';
import type { Boundaries } from '../../map/boundaries.ts';
import type { Division } from '../../map/classes.ts';
import { KEY_DIGITS, type MapLevel } from '../../map/level.ts';
import type { Region, RegionOrCountry } from '../../regions/region.ts';
import { OwnSwitch } from '../../units/own-switch.tsx';
import { MEASURE, MEASURES, type MeasureId } from './measures.ts';
import { stateKey } from './scope.ts';

/** The choices on the page of the map. */
export interface MapChoices {
  readonly ebene: MapLevel;
  readonly region: RegionOrCountry;
  readonly wert: MeasureId;
  readonly traeger: readonly Carrier[];
  readonly klassen: Division;
  /** Only units of the own portfolio. */
  readonly portfolio: boolean;
}

const LEVEL_NAMES: Readonly<Record<MapLevel, string>> = {
  bundesland: 'Bundesländer',
  landkreis: 'Landkreise',
  gemeinde: 'Gemeinden',
};

export function Choices({
  values: { ebene, region, wert, traeger, klassen, portfolio },
  level,
  states,
  districts,
  onChange,
}: {
  values: MapChoices;
  /** The level that is shown: not every level goes with every region. */
  level: MapLevel;
  states: Boundaries;
  districts: Boundaries;
  onChange: (changes: Partial<MapChoices>) => void;
}) {
  const district = region?.level === 'landkreis' ? region.value : '';
  const state =
    region?.level === 'bundesland' ? stateKey(region.value, states) : district.slice(0, KEY_DIGITS.bundesland);
  const stateRegion = (key: string): Region | null => {
    const name = states.byKey.get(key)?.name;
    return name === undefined ? null : { level: 'bundesland', value: name };
  };
  const choose = (next: RegionOrCountry): void =>
    onChange({ region: next, ...(next === null && ebene === 'gemeinde' ? { ebene: 'landkreis' as const } : {}) });
  return (
    <>
      <div class="choices map-choices">
        <label>
          Wert
          <select value={wert} onChange={(event) => onChange({ wert: event.currentTarget.value as MeasureId })}>
            {MEASURES.map((id) => (
              <option key={id} value={id}>
                {MEASURE[id].name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Land
          <select value={state ?? ''} onChange={(event) => choose(stateRegion(event.currentTarget.value))}>
            <option value="">Deutschland</option>
            {sortedByName(states).map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {state !== null && state !== '' && (
          <label>
            Kreis
            <select
              value={district}
              onChange={(event) => {
                const { value } = event.currentTarget;
                choose(value === '' ? stateRegion(state) : { level: 'landkreis', value });
              }}
            >
              <option value="">alle</option>
              {sortedByName(districts)
                .filter(({ key }) => key.startsWith(state))
                .map(({ key, label }) => (
                  <option key={key} value={key}>
                    {label}
                  </option>
                ))}
            </select>
          </label>
        )}
        <label>
          Gebiete
          <select
            value={level}
            disabled={district !== ''}
            onChange={(event) => onChange({ ebene: event.currentTarget.value as MapLevel })}
          >
            {(Object.keys(LEVEL_NAMES) as MapLevel[]).map((id) => (
              <option key={id} value={id} disabled={(id === 'bundesland') === (region !== null) && id !== 'landkreis'}>
                {LEVEL_NAMES[id]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Klassen
          <select value={klassen} onChange={(event) => onChange({ klassen: event.currentTarget.value as Division })}>
            <option value="anzahl">gleich viele Gebiete</option>
            <option value="faktor">gleiche Vielfache</option>
          </select>
        </label>
        <OwnSwitch value={portfolio} onChange={(next) => onChange({ portfolio: next })} />
      </div>
      <Legend
        label="Energieträger"
        entries={CARRIERS.map((id) => ({
          id,
          name: carrierName(id),
          color: carrierColor(id),
          on: traeger.includes(id),
        }))}
        onToggle={(id) => onChange({ traeger: toggled(id as Carrier, traeger, CARRIERS) })}
      />
    </>
  );
}

const collator = new Intl.Collator('de');

const sortedByName = ({ areas }: Boundaries) => areas.toSorted((a, b) => collator.compare(a.name, b.name));
