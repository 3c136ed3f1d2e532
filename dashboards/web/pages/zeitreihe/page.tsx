import { useMemo, useState } from 'preact/hooks';
import { dayOf, flag, oneOf, ownFlag, someOf, useChoices } from '../../address/address.ts';
import { CARRIERS, chosenCarriers } from '../../charts/carriers.ts';
import { today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { useDayOfRegister } from '../../frame/source.ts';
import { placeWatchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import {
  FIRST_YEAR,
  firstDay,
  LAST_YEAR,
  lastDay,
  PERIOD_KINDS,
  periodOfDay,
  type Range,
} from '../../periods/periods.ts';
import { analysisQuery, region } from '../../regions/region.ts';
import { useRegionName } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, ownName } from '../../units/own-switch.tsx';
import type { TimeSeries } from '../../v1/answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { ChoiceBar } from './choice-bar.tsx';
import { MEASURES, SERIES, spanOf } from './growth.ts';
import { GrowthFigure } from './growth-figure.tsx';
import { SPANS, shownRange, stripRange } from './range.ts';

export const CHOICES = {
  region,
  zeitraum: oneOf(SPANS),
  von: dayOf(FIRST_YEAR, LAST_YEAR),
  bis: dayOf(FIRST_YEAR, LAST_YEAR),
  periode: oneOf(PERIOD_KINDS),
  wert: oneOf(MEASURES),
  kumuliert: flag,
  anordnung: oneOf(['gestapelt', 'nebeneinander']),
  traeger: someOf(CARRIERS),
  reihen: someOf(SERIES),
  portfolio: ownFlag,
} as const;

/**
 * Growth, shutdowns and plans over time. All periods are asked for once; range, carriers and arrangement are cut out of
 * that answer, so that dragging costs no request. The request beside the figure asks for what is shown, and gives the same.
 */
export function Page() {
  const [choices, change] = useChoices(CHOICES);
  const { region: place, zeitraum, von, bis, periode, portfolio } = choices;
  const placeName = useRegionName(place);
  const name = ownName(placeName, portfolio);
  const asOf = useDayOfRegister() ?? today();
  const [draft, setDraft] = useState<Range | null>(null);
  const loaded = useAnswer<TimeSeries>({
    path: '/v1/region/zeitreihe',
    query: { ...analysisQuery(place, portfolio), periode },
  });

  const answered = loaded.state === 'ready' ? loaded.value : null;
  const data = useMemo(() => (answered === null ? null : spanOf(periode, answered.data)), [answered, periode]);
  const now = periodOfDay(periode, asOf);
  const known = data ?? { first: now, last: now };
  const hasPlans = choices.reihen.includes('pipeline');
  const chosen = shownRange(periode, { span: zeitraum, from: von, to: bis, hasPlans }, asOf, known);
  const range = draft ?? chosen;
  const choose = (next: Range): void => {
    setDraft(null);
    if (next.first === chosen.first && next.last === chosen.last) return;
    change({ von: firstDay(periode, next.first), bis: lastDay(periode, next.last) });
  };
  return (
    <KeptPage
      title={say('Zeitreihe', 'Time series')}
      about={[place === null ? null : placeName, chosenCarriers(choices.traeger), portfolio ? OWN_PORTFOLIO : null]}
      watchables={[placeWatchable(place, placeName, { carriers: choices.traeger, own: portfolio })]}
      lead={say(
        'Was in Betrieb ging, was stillgelegt wurde und was geplant ist.',
        'What went into operation, what was shut down and what is planned.',
      )}
    >
      <ChoiceBar choices={choices} change={change} range={chosen} onRange={choose} />
      <GrowthFigure
        loaded={loaded}
        choices={choices}
        name={name}
        asOf={asOf}
        range={range}
        span={stripRange(periode, chosen, zeitraum, asOf, known)}
        onCarriers={(traeger) => change({ traeger })}
        onDraft={setDraft}
        onRange={choose}
      />
    </KeptPage>
  );
}
