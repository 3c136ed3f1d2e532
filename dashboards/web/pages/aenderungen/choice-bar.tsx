import { say } from '../../format/language.ts';
import { Segmented } from '../../frame/segmented.tsx';
import { DayInput } from '../../periods/day-input.tsx';
import type { RegionOrCountry } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import type { Measure } from '../../sums/causes.ts';
import { OwnSwitch } from '../../units/own-switch.tsx';
import { ValueSearch } from '../../units/value-search.tsx';
import { within } from './span.ts';

const MEASURE_WORDS = [
  { value: 'mw', name: say('Leistung', 'Power') },
  { value: 'anzahl', name: say('Anzahl', 'Number') },
] as const;

interface Choices {
  readonly region: RegionOrCountry;
  readonly wert: Measure;
  readonly portfolio: boolean;
  readonly von: string | null;
  readonly bis: string | null;
}

export function ChoiceBar({
  choices,
  onChange,
  days,
  operator,
  onOperator,
}: {
  choices: Choices;
  onChange: (changes: Partial<Choices>) => void;
  /** The days that are compared, and those of the first and the newest state; null = not known. */
  days: { readonly von: string; readonly bis: string; readonly first: string; readonly newest: string } | null;
  /** Name of the operator; '' = all. */
  operator: string;
  onOperator: (name: string) => void;
}) {
  return (
    <div class="choices">
      <RegionPicker label="Region" value={choices.region} onChange={(region) => onChange({ region })} />
      <div class="region-picker">
        <ValueSearch
          set="betreiber"
          label={say('Betreiber', 'Operator')}
          carriers={null}
          text={operator}
          onChoose={({ value }) => onOperator(value)}
          onEscape={() => operator !== '' && onOperator('')}
        />
        {operator !== '' && (
          <button
            type="button"
            class="clear"
            aria-label={say('Betreiber: zurück zu allen', 'Operator: back to all')}
            onClick={() => onOperator('')}
          >
            ×
          </button>
        )}
      </div>
      {days !== null && (
        <>
          <DayInput
            label={say('von', 'from')}
            value={days.von}
            onChange={(value) => {
              const von = within(value, days.first, days.newest);
              onChange({ von, ...(von > days.bis ? { bis: von } : {}) });
            }}
          />
          <DayInput
            label={say('bis', 'to')}
            value={days.bis}
            onChange={(value) => {
              const bis = within(value, days.first, days.newest);
              onChange({ bis, ...(choices.von !== null && choices.von > bis ? { von: bis } : {}) });
            }}
          />
        </>
      )}
      <Segmented
        label={say('Wert', 'Value')}
        value={choices.wert}
        words={MEASURE_WORDS}
        onChange={(wert) => onChange({ wert })}
      />
      <OwnSwitch value={choices.portfolio} onChange={(portfolio) => onChange({ portfolio })} />
    </div>
  );
}
