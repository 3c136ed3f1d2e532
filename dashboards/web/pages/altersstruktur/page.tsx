import { oneOf, ownFlag, someOf, useChoices } from '../../address/address.ts';
import { CARRIERS, type Carrier, carrierColor, carrierName, chosenCarriers } from '../../charts/carriers.ts';
import { today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { toggled } from '../../frame/legend.tsx';
import { Segmented } from '../../frame/segmented.tsx';
import { placeWatchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { analysisQuery, region } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, OwnSwitch, ownName } from '../../units/own-switch.tsx';
import type { AgeStructure } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { CohortFigure } from './cohort-figure.tsx';
import { carriersIn } from './cohorts.ts';
import { PyramidFigure } from './pyramid-figure.tsx';
import { ShareFigure } from './share-figure.tsx';

export const CHOICES = {
  region,
  traeger: someOf(CARRIERS),
  wert: oneOf(['mw', 'anzahl']),
  pyramide: oneOf(['zusammen', 'getrennt']),
  portfolio: ownFlag,
} as const;

export function Page() {
  const [{ region: place, traeger, wert, pyramide, portfolio }, change] = useChoices(CHOICES);
  const placeName = useRegionName(place);
  const name = ownName(placeName, portfolio);
  const areAll = traeger.length === CARRIERS.length;
  // All carriers are asked for at once; the request beside the figures has those that are shown.
  const whole: ApiRequest = { path: '/v1/region/altersstruktur', query: analysisQuery(place, portfolio) };
  const request: ApiRequest = {
    path: whole.path,
    query: { ...analysisQuery(place, portfolio), energietraeger: areAll ? [] : traeger },
  };
  const loaded = useAnswer<AgeStructure>(whole);
  const answer = shown(loaded);
  const present = answer === null ? null : carriersIn(answer.data);
  const toggle = (id: Carrier): void => change({ traeger: toggled(id, traeger, CARRIERS) });
  const figure = { loaded, request, carriers: traeger, measure: wert, name };
  return (
    <KeptPage
      title={say('Altersstruktur', 'Age structure')}
      about={[place === null ? null : placeName, chosenCarriers(traeger), portfolio ? OWN_PORTFOLIO : null]}
      watchables={[placeWatchable(place, placeName, { carriers: traeger, own: portfolio })]}
      lead={say(
        'Wie alt die Anlagen in Betrieb sind, nach Energieträger und Jahr.',
        'How old the units in operation are, by carrier and year.',
      )}
    >
      <div class="choices">
        <RegionPicker label="Region" value={place} onChange={(next) => change({ region: next })} />
        <Segmented
          label={say('Wert der Altersgruppen', 'Value of the age groups')}
          value={wert}
          words={[
            { value: 'mw', name: say('Leistung', 'Power') },
            { value: 'anzahl', name: say('Anzahl', 'Number') },
          ]}
          onChange={(next) => change({ wert: next })}
        />
        <Segmented
          label={say('Pyramide', 'Pyramid')}
          value={pyramide}
          words={[
            { value: 'zusammen', name: 'zusammen' },
            { value: 'getrennt', name: say('je Energieträger', 'by carrier') },
          ]}
          onChange={(next) => change({ pyramide: next })}
        />
        <OwnSwitch value={portfolio} onChange={(next) => change({ portfolio: next })} />
      </div>
      <div class="ages">
        <div>
          <CohortFigure
            {...figure}
            legend={{
              entries: (present ?? CARRIERS).map((id) => ({
                id,
                name: carrierName(id),
                color: carrierColor(id),
                on: traeger.includes(id),
              })),
              onToggle: (id) => toggle(id as Carrier),
            }}
          />
          <ShareFigure {...figure} />
        </div>
        <PyramidFigure
          place={place}
          own={portfolio}
          name={name}
          carriers={areAll ? null : traeger}
          present={present}
          isByCarrier={pyramide === 'getrennt'}
          today={answer?.meta.stichtag ?? today()}
          onToggle={toggle}
        />
      </div>
    </KeptPage>
  );
}
