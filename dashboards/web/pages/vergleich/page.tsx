import { useChoices } from '../../address/address.ts';
import { chosenCarriers } from '../../charts/carriers.ts';
import { today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Page as Frame } from '../../frame/page.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { periodOfDay } from '../../periods/periods.ts';
import { ComparedPlaces, eachOnce, placeColor } from '../../regions/compared-places.tsx';
import { loadedPart, MissingPlaces, useEachPlace } from '../../regions/each-place.tsx';
import { analysisQuery, type RegionOrCountry } from '../../regions/region.ts';
import { useRegionNames } from '../../regions/use-region-name.ts';
import type { SeriesPerPlace } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import { CHOICES, ChoiceBar, MOST_PLACES } from './choices.tsx';
import { type ComparedPlace, ComparisonFigure } from './comparison-figure.tsx';
import { comparedRange, knownRange } from './series.ts';

export { CHOICES };

/** Up to eight places in one chart. All periods of a place are asked for once; whatever is chosen is cut out of that answer. */
export function Page() {
  const [choices, change] = useChoices(CHOICES);
  const { traeger, periode, bezug } = choices;
  const orte = eachOnce(choices.orte);
  const isExample = choices.orte === CHOICES.orte.initial;
  const names = useRegionNames(orte);
  const day = useDayOfRegister();
  const asOf = day ?? today();
  const isCountryNeeded = bezug === 'deutschland' && !orte.includes(null);
  const asked: readonly RegionOrCountry[] = isCountryNeeded ? [...orte, null] : orte;
  const loads = useEachPlace(asked, periode, (place, ask) =>
    ask<SeriesPerPlace>({ path: '/v1/region/zeitreihe', query: { ...analysisQuery(place), periode } }),
  );
  const places = orte.map((region, index) => ({ region, name: names[index] ?? '' }));
  const ready = places.flatMap(({ region, name }, index): readonly ComparedPlace[] => {
    const load = loads[index];
    const answer = load === undefined ? null : shown(load);
    return answer === null ? [] : [{ region, name, color: placeColor(index, region === null), answer }];
  });
  const country = loads[asked.indexOf(null)];
  const known = knownRange(
    ready.map(({ answer }) => answer),
    periode,
    traeger,
  );
  const range = comparedRange(periode, choices, asOf, known);
  return (
    <Frame
      title={say('Vergleich', 'Comparison')}
      about={isExample ? [] : [...names, chosenCarriers(traeger)]}
      lead={say(
        'Bis zu acht Orte nebeneinander: Länder, Kreise, Gemeinden, Postleitzahlen und Deutschland.',
        'Up to eight places side by side: states, districts, municipalities, postal codes and Germany.',
      )}
    >
      <div class="choices">
        <ComparedPlaces
          label={say('Orte', 'Places')}
          places={places}
          most={MOST_PLACES}
          before={0}
          isCountryOffered
          onAdd={(place) => change({ orte: isExample ? [place] : [...orte, place] })}
          onChange={(next) => change({ orte: next, ohne: choices.ohne.filter((one) => next.includes(one)) })}
        />
      </div>
      {isExample && (
        <p class="note">
          {say(
            'Ein Beispiel: Der erste Ort, der gewählt wird, tritt an die Stelle dieser drei.',
            'An example: the first place that is chosen takes the place of these three.',
          )}
        </p>
      )}
      <ChoiceBar choices={choices} range={range} change={change} />
      <MissingPlaces names={[...names, say('Deutschland', 'Germany')]} loads={loads} />
      <ComparisonFigure
        loaded={loadedPart(ready, loads)}
        choices={choices}
        ohne={choices.ohne}
        names={names}
        window={{ kind: periode, range, now: periodOfDay(periode, asOf) }}
        asOf={asOf}
        country={country === undefined ? null : shown(country)}
        change={change}
      />
    </Frame>
  );
}
