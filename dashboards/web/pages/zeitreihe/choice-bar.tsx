import { say } from '../../format/language.ts';
import { Segmented } from '../../frame/segmented.tsx';
import { DayInput } from '../../periods/day-input.tsx';
import { firstDay, lastDay, type PeriodKind, periodOfDay, type Range } from '../../periods/periods.ts';
import { KIND_WORDS } from '../../periods/words.ts';
import type { RegionOrCountry } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { OwnSwitch } from '../../units/own-switch.tsx';
import { type Measure, SERIES, type Series } from './growth.ts';
import { SPAN_ENTRIES, type Span } from './range.ts';

export interface Choices {
  readonly region: RegionOrCountry;
  readonly zeitraum: Span;
  readonly von: string | null;
  readonly bis: string | null;
  readonly periode: PeriodKind;
  readonly wert: Measure;
  readonly kumuliert: boolean;
  readonly anordnung: 'gestapelt' | 'nebeneinander';
  readonly reihen: readonly Series[];
  /** Only units of the own portfolio. */
  readonly portfolio: boolean;
}

const SPAN_WORDS = (['12monate', '5jahre', '10jahre', 'alles'] as const).map((value) => ({
  value,
  name: SPAN_ENTRIES[value].name,
}));

const MEASURE_WORDS = [
  { value: 'mw', name: say('Leistung', 'Power') },
  { value: 'anzahl', name: say('Anzahl', 'Number') },
  { value: 'mwh', name: say('Speicherkapazität', 'Storage capacity') },
] as const;

const ORDER_WORDS = [
  { value: 'gestapelt', name: say('gestapelt', 'stacked') },
  { value: 'nebeneinander', name: say('nebeneinander', 'side by side') },
] as const;

const SERIES_NAMES: Readonly<Record<Series, string>> = {
  zubau: say('Zubau', 'Added'),
  abbau: say('Abbau', 'Removed'),
  netto: say('Netto', 'Net'),
  pipeline: 'Pipeline',
};

/** @param range what is shown; it is whole periods, whatever days the address has */
export function ChoiceBar({
  choices,
  change,
  range,
  onRange,
}: {
  choices: Choices;
  change: (changes: Partial<Choices>) => void;
  range: Range;
  onRange: (range: Range) => void;
}) {
  const { periode } = choices;
  const ownDays = choices.von !== null || choices.bis !== null;
  const toggle = (series: Series): void => {
    const next = SERIES.filter((one) => choices.reihen.includes(one) !== (one === series));
    // Without any series there would be no chart.
    if (next.length > 0) change({ reihen: next });
  };
  return (
    <div class="choices">
      <RegionPicker label="Region" value={choices.region} onChange={(next) => change({ region: next })} />
      <Segmented
        label={say('Zeitraum', 'Time span')}
        value={ownDays ? null : choices.zeitraum}
        words={SPAN_WORDS}
        onChange={(zeitraum) => change({ zeitraum, periode: SPAN_ENTRIES[zeitraum].kind, von: null, bis: null })}
      />
      <DayInput
        label={say('von', 'from')}
        value={firstDay(periode, range.first)}
        onChange={(value) => {
          const first = periodOfDay(periode, value);
          onRange({ first, last: Math.max(first, range.last) });
        }}
      />
      <DayInput
        label={say('bis', 'to')}
        value={lastDay(periode, range.last)}
        onChange={(value) => {
          const last = periodOfDay(periode, value);
          onRange({ first: Math.min(range.first, last), last });
        }}
      />
      <Segmented
        label={say('Periode', 'Period')}
        value={periode}
        words={KIND_WORDS}
        onChange={(next) => change({ periode: next })}
      />
      <Segmented
        label={say('Wert', 'Value')}
        value={choices.wert}
        words={MEASURE_WORDS}
        onChange={(wert) => change({ wert })}
      />
      <Segmented
        label={say('Energieträger', 'Carrier')}
        value={choices.anordnung}
        words={ORDER_WORDS}
        onChange={(anordnung) => change({ anordnung })}
      />
      <fieldset class="checks">
        <legend>{say('Zeigen', 'Show')}</legend>
        <div>
          {SERIES.map((series) => (
            <label key={series}>
              <input
                type="checkbox"
                checked={choices.reihen.includes(series)}
                onChange={(event) => {
                  toggle(series);
                  // The last one stays chosen.
                  event.currentTarget.checked = choices.reihen.includes(series) && choices.reihen.length === 1;
                }}
              />
              {SERIES_NAMES[series]}
            </label>
          ))}
          <label>
            <input
              type="checkbox"
              checked={choices.kumuliert}
              onChange={(event) => change({ kumuliert: event.currentTarget.checked })}
            />
            {say('kumuliert', 'cumulated')}
          </label>
        </div>
      </fieldset>
      <OwnSwitch value={choices.portfolio} onChange={(portfolio) => change({ portfolio })} />
    </div>
  );
}
