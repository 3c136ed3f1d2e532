import { useState } from 'preact/hooks';
import { dayOf, flag, oneOf, ownFlag, someOf } from '../../address/address.ts';
import { CARRIERS, type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { Legend, toggled } from '../../frame/legend.tsx';
import { Segmented } from '../../frame/segmented.tsx';
import { DayInput } from '../../periods/day-input.tsx';
import {
  FIRST_YEAR,
  firstDay,
  LAST_YEAR,
  lastDay,
  type PeriodKind,
  periodOfDay,
  type Range,
} from '../../periods/periods.ts';
import { KIND_WORDS } from '../../periods/words.ts';
import { places, type Region } from '../../regions/region.ts';
import { queries } from './filter-series.ts';
import { BASES, type Basis, SERIES, type Series, SPANS, type Span, VALUES, type Value } from './series.ts';
import { BASIS_NAMES, SERIES_NAMES, VALUE_NAMES } from './words.ts';

export const MOST_PLACES = 8;

/** Shown where no place is chosen: states in which much is built, of which each is another one. */
const EXAMPLES = ['Bayern', 'Brandenburg', 'Niedersachsen'].map((value): Region => ({ level: 'bundesland', value }));

const FORMS = ['linien', 'balken', 'gestapelt', 'tabelle', 'karte'] as const;

type Form = (typeof FORMS)[number];

export const CHOICES = {
  orte: places(MOST_PLACES, EXAMPLES),
  reihe: oneOf(SERIES),
  wert: oneOf(VALUES),
  bezug: oneOf(BASES),
  traeger: someOf(CARRIERS, ['solar']),
  /** Each carrier by itself. */
  einzeln: flag,
  periode: oneOf(['jahr', 'quartal', 'monat']),
  zeitraum: oneOf(SPANS),
  von: dayOf(FIRST_YEAR, LAST_YEAR),
  bis: dayOf(FIRST_YEAR, LAST_YEAR),
  form: oneOf(FORMS),
  /** What is no place: whatever units meet filters of the list, or a saved filter. */
  filter: queries(MOST_PLACES),
  portfolio: ownFlag,
  /** Places, and filters, that were clicked away in the legend. */
  ohne: places(MOST_PLACES),
  ohneFilter: queries(MOST_PLACES),
} as const;

export interface ComparisonChoices {
  readonly reihe: Series;
  readonly wert: Value;
  readonly bezug: Basis;
  readonly traeger: readonly Carrier[];
  readonly einzeln: boolean;
  readonly periode: PeriodKind;
  readonly zeitraum: Span;
  readonly von: string | null;
  readonly bis: string | null;
  readonly form: Form;
  readonly portfolio: boolean;
}

const wordsOf = <Word extends string>(words: readonly Word[], names: Readonly<Record<Word, string>>) =>
  words.map((value) => ({ value, name: names[value] }));

const FORM_NAMES: Readonly<Record<Form, string>> = {
  linien: say('Linien', 'Lines'),
  balken: say('Balken', 'Bars'),
  gestapelt: say('gestapelt', 'stacked'),
  tabelle: say('Tabelle', 'Table'),
  karte: say('Karte', 'Map'),
};

const SPAN_NAMES: Readonly<Record<Span, string>> = {
  '5jahre': say('5 Jahre', '5 years'),
  '10jahre': say('10 Jahre', '10 years'),
  '20jahre': say('20 Jahre', '20 years'),
  alles: say('Alles', 'All'),
};

const SPLIT_WORDS = [
  { value: 'zusammen', name: say('zusammen', 'together') },
  { value: 'einzeln', name: say('einzeln', 'each') },
] as const;

/** @param range what is shown; it is whole periods, whatever days the address has */
export function ChoiceBar({
  choices,
  range,
  change,
}: {
  choices: ComparisonChoices;
  range: Range;
  change: (changes: Partial<ComparisonChoices>) => void;
}) {
  // A telephone would be full of choices before anything is seen: there they unfold.
  const [isShown, show] = useState(false);
  const { reihe, wert, bezug, traeger, einzeln, periode, zeitraum, von, bis, form } = choices;
  return (
    <>
      <div class="choices">
        <button type="button" class="choices-switch" aria-expanded={isShown} onClick={() => show(!isShown)}>
          {isShown
            ? say('Auswahl schließen', 'Close the choices')
            : say('Reihe, Wert, Bezug und Zeitraum', 'Series, value, basis and time span')}
        </button>
        <div class={isShown ? 'choices-body shown' : 'choices-body'}>
          <Segmented
            label={say('Reihe', 'Series')}
            value={reihe}
            words={wordsOf(SERIES, SERIES_NAMES)}
            onChange={(next) => change({ reihe: next })}
          />
          <Segmented
            label={say('Wert', 'Value')}
            value={wert}
            words={wordsOf(VALUES, VALUE_NAMES)}
            // Energy is what storage has, and nothing else.
            onChange={(next) => change({ wert: next, ...(next === 'mwh' ? { traeger: ['storage'] } : {}) })}
          />
          <label>
            {say('Bezug', 'Basis')}
            <select value={bezug} onChange={({ currentTarget }) => change({ bezug: currentTarget.value as Basis })}>
              {wordsOf(BASES, BASIS_NAMES).map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <Segmented
            label={say('Periode', 'Period')}
            value={periode}
            words={KIND_WORDS}
            onChange={(next) => change({ periode: next })}
          />
          <Segmented
            label={say('Zeitraum', 'Time span')}
            value={von === null && bis === null ? zeitraum : null}
            words={wordsOf(['5jahre', '10jahre', '20jahre', 'alles'], SPAN_NAMES)}
            onChange={(next) => change({ zeitraum: next, von: null, bis: null })}
          />
          <DayInput
            label={say('von', 'from')}
            value={firstDay(periode, range.first)}
            onChange={(next) => change({ von: firstDay(periode, periodOfDay(periode, next)) })}
          />
          <DayInput
            label={say('bis', 'to')}
            value={lastDay(periode, range.last)}
            onChange={(next) => change({ bis: lastDay(periode, periodOfDay(periode, next)) })}
          />
        </div>
        <Segmented
          label={say('Darstellung', 'Shown as')}
          value={form}
          words={wordsOf(FORMS, FORM_NAMES)}
          onChange={(next) => change({ form: next })}
        />
        {traeger.length > 1 && (
          <Segmented
            label={say('Energieträger', 'Carrier')}
            value={einzeln ? 'einzeln' : 'zusammen'}
            words={SPLIT_WORDS}
            onChange={(next) => change({ einzeln: next === 'einzeln' })}
          />
        )}
      </div>
      <Legend
        label={say('Energieträger', 'Carrier')}
        entries={CARRIERS.map((id) => ({
          id,
          name: carrierName(id),
          color: carrierColor(id),
          on: traeger.includes(id),
        }))}
        onToggle={(id) => change({ traeger: toggled(id as Carrier, traeger, CARRIERS) })}
      />
    </>
  );
}
