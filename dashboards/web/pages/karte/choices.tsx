import { CARRIERS, type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { Legend, toggled } from '../../frame/legend.tsx';
import type { Boundaries } from '../../map/boundaries.ts';
import type { Division } from '../../map/classes.ts';
import { KEY_DIGITS, type MapLevel } from '../../map/level.ts';
import { DayInput } from '../../periods/day-input.tsx';
import type { Region, RegionOrCountry } from '../../regions/region.ts';
import { OwnSwitch } from '../../units/own-switch.tsx';
import type { MapChoices } from './map-choices.ts';
import { MEASURE, MEASURE_GROUPS, MEASURES, type MeasureId } from './measures.ts';
import { stateKey } from './scope.ts';

const LEVEL_NAMES: Readonly<Record<MapLevel, string>> = {
  bundesland: say('Bundesländer', 'States'),
  landkreis: say('Landkreise', 'Districts'),
  gemeinde: say('Gemeinden', 'Municipalities'),
};

export function Choices({
  values: { ebene, region, wert, traeger, klassen, portfolio, anteilAn },
  period: { von, bis },
  wholes,
  level,
  states,
  districts,
  onChange,
}: {
  values: MapChoices;
  /** The days between which something has changed. */
  period: { readonly von: string; readonly bis: string };
  /** The carriers of the whole of shares. */
  wholes: readonly Carrier[];
  /** The level that is shown: not every level goes with every region. */
  level: MapLevel;
  states: Boundaries;
  /** Null while they are not there: nothing of the country is chosen, or they are being loaded. */
  districts: Boundaries | null;
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
  const { kind } = MEASURE[wert];
  const [only, ...more] = wholes;
  return (
    <>
      <div class="choices map-choices">
        <label>
          {say('Wert', 'Value')}
          <select value={wert} onChange={(event) => onChange({ wert: event.currentTarget.value as MeasureId })}>
            {MEASURE_GROUPS.map(({ name, kinds }) => (
              <optgroup key={name} label={name}>
                {MEASURES.filter((id) => kinds.includes(MEASURE[id].kind)).map((id) => (
                  <option key={id} value={id}>
                    {MEASURE[id].name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        {kind === 'anteil' && (
          <label>
            {say('Anteil an', 'Share of')}
            <select
              value={anteilAn === 'traeger' && only !== undefined && more.length === 0 ? only : anteilAn}
              onChange={(event) => {
                const { value } = event.currentTarget;
                const carrier = CARRIERS.find((one) => one === value);
                if (carrier === undefined) onChange({ anteilAn: value as MapChoices['anteilAn'] });
                else onChange({ anteilAn: 'traeger', traeger: [carrier] });
              }}
            >
              {(wholes.length > 1 || traeger.length === 1) && (
                <option value="traeger">{say('allen Anlagen der Energieträger', 'all units of the carriers')}</option>
              )}
              <option value="alle">{say('allen Anlagen', 'all units')}</option>
              {CARRIERS.map((carrier) => (
                <option key={carrier} value={carrier}>
                  {carrierName(carrier)}
                </option>
              ))}
            </select>
          </label>
        )}
        {kind === 'zuwachs' && (
          <>
            <DayInput label={say('Von', 'From')} value={von} onChange={(next) => onChange({ von: next })} />
            <DayInput label={say('Bis', 'To')} value={bis} onChange={(next) => onChange({ bis: next })} />
          </>
        )}
        <label>
          {say('Land', 'State')}
          <select value={state ?? ''} onChange={(event) => choose(stateRegion(event.currentTarget.value))}>
            <option value="">{say('Deutschland', 'Germany')}</option>
            {sortedByName(states).map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {state !== null && state !== '' && districts !== null && (
          <label>
            {say('Kreis', 'District')}
            <select
              value={district}
              onChange={(event) => {
                const { value } = event.currentTarget;
                choose(value === '' ? stateRegion(state) : { level: 'landkreis', value });
              }}
            >
              <option value="">{say('alle', 'all')}</option>
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
          {say('Gebiete', 'Areas')}
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
          {say('Klassen', 'Classes')}
          <select value={klassen} onChange={(event) => onChange({ klassen: event.currentTarget.value as Division })}>
            <option value="anzahl">{say('gleich viele Gebiete', 'equal numbers of areas')}</option>
            <option value="faktor">{say('gleiche Vielfache', 'equal ratios')}</option>
          </select>
        </label>
        <OwnSwitch value={portfolio} onChange={(next) => onChange({ portfolio: next })} />
      </div>
      <Legend
        label={say('Energieträger', 'Carriers')}
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
