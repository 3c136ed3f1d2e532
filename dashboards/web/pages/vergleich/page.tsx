import { useChoices } from '../../address/address.ts';
import { CARRIERS, type Carrier, chosenCarriers } from '../../charts/carriers.ts';
import { today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { useDayOfRegister } from '../../frame/source.ts';
import { placeWatchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { periodOfDay } from '../../periods/periods.ts';
import { ComparedPlaces, eachOnce, placeColor } from '../../regions/compared-places.tsx';
import { loadedPart, MissingPlaces, useEach, useLevels } from '../../regions/each-place.tsx';
import { levelQuery, type RegionOrCountry } from '../../regions/region.ts';
import { useRegionNames } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, OwnSwitch } from '../../units/own-switch.tsx';
import type { SeriesOfPlaces } from '../../v1/answers.ts';
import { shown } from '../../v1/loaded.ts';
import { listItems } from '../../v1/request.ts';
import { useVisit } from '../../v1/use-answer.ts';
import { CHOICES, ChoiceBar, MOST_PLACES } from './choices.tsx';
import { type ComparedPlace, ComparisonFigure } from './comparison-figure.tsx';
import { FilterAdder } from './filter-adder.tsx';
import {
  type FilteredSeries,
  ownQuery,
  seriesRequest,
  useFilterNames,
  useFilters,
  watchableOf,
  withoutPlace,
} from './filter-series.ts';
import { type Basis, comparedRange, knownRange, seriesOfEach } from './series.ts';

export { CHOICES };

const NO_PLACES: readonly RegionOrCountry[] = [];

/** Up to eight places in one chart. All periods of a place are asked for once; whatever is chosen is cut out of that answer. */
export function Page() {
  const { isShared } = useVisit();
  const [choices, change] = useChoices(CHOICES);
  const { traeger, periode, bezug, filter, portfolio } = choices;
  // Filters take the place of the example, as a place does.
  const isExample = choices.orte === CHOICES.orte.initial && filter.length === 0;
  const orte = choices.orte === CHOICES.orte.initial && filter.length > 0 ? NO_PLACES : eachOnce(choices.orte);
  const placeNames = useRegionNames(orte);
  const filterNames = useFilterNames(filter);
  const filters = useFilters(filter.length > 0);
  const names = [...placeNames, ...filterNames];
  const day = useDayOfRegister();
  const asOf = day ?? today();
  const isCountryNeeded = bezug === 'deutschland' && !orte.includes(null);
  const asked: readonly RegionOrCountry[] = isCountryNeeded ? [...orte, null] : orte;
  const loads = useLevels(asked, `${periode} ${portfolio}`, async (places, ask) =>
    seriesOfEach(
      places,
      await ask<SeriesOfPlaces>({
        path: '/v1/region/zeitreihe',
        query: { ...levelQuery(places, portfolio), periode },
      }),
    ),
  );
  const filtered = useEach(filter, String, `${periode} ${portfolio}`, async (query, ask) =>
    withoutPlace(await ask<FilteredSeries>(seriesRequest(query, { periode, ...ownQuery(portfolio) }))),
  );
  const places = orte.map((region, index) => ({ region, name: placeNames[index] ?? '' }));
  const readyPlaces = places.flatMap(({ region, name }, index): readonly ComparedPlace[] => {
    const load = loads[index];
    const answer = load === undefined ? null : shown(load);
    return answer === null ? [] : [{ region, name, color: placeColor(index, region === null), answer }];
  });
  const readyFilters = filter.flatMap((query, index): readonly ComparedPlace[] => {
    const load = filtered[index];
    const answer = load === undefined ? null : shown(load);
    const color = placeColor(orte.length + index, false);
    return answer === null ? [] : [{ region: null, filter: query, name: filterNames[index] ?? '', color, answer }];
  });
  const ready = [...readyPlaces, ...readyFilters];
  const country = loads[asked.indexOf(null)];
  const known = knownRange(
    ready.map(({ answer }) => answer),
    periode,
    traeger,
  );
  const range = comparedRange(periode, choices, asOf, known);
  const watchables = [
    ...orte.map((place, index) =>
      placeWatchable(place, placeNames[index] ?? '', { carriers: traeger, own: portfolio }),
    ),
    ...filter.map((query, index) =>
      watchableOf(portfolio ? `${query}&portfolio=true` : query, filterNames[index] ?? '', filters ?? [], traeger),
    ),
  ];
  return (
    <KeptPage
      title={say('Vergleich', 'Comparison')}
      watchables={watchables}
      canBeKept={filter.length === 0 || filters !== null}
      about={[...(isExample ? [] : [...names, chosenCarriers(traeger)]), portfolio ? OWN_PORTFOLIO : null]}
      lead={say(
        'Bis zu acht Reihen nebeneinander: Orte, Deutschland, und was ein Filter der Liste auswählt.',
        'Up to eight series side by side: places, Germany, and what a filter of the list selects.',
      )}
    >
      <div class="choices">
        <ComparedPlaces
          label={say('Orte', 'Places')}
          places={places}
          most={MOST_PLACES - filter.length}
          before={0}
          isCountryOffered
          onAdd={(place) => change({ orte: isExample ? [place] : [...orte, place] })}
          onChange={(next) => change({ orte: next, ohne: choices.ohne.filter((one) => next.includes(one)) })}
        />
        {!isShared && (
          <FilterAdder
            series={filter}
            names={filterNames}
            before={orte.length}
            isFull={orte.length + filter.length >= MOST_PLACES && !isExample}
            onChange={(next, added) =>
              change({
                filter: next,
                ohneFilter: choices.ohneFilter.filter((one) => next.includes(one)),
                ...choicesFor(added, traeger, bezug),
              })
            }
          />
        )}
      </div>
      {!isShared && <OwnSwitch value={portfolio} onChange={(next) => change({ portfolio: next })} />}
      {isExample && (
        <p class="note">
          {say(
            'Ein Beispiel: Der erste Ort, der gewählt wird, tritt an die Stelle dieser drei.',
            'An example: the first place that is chosen takes the place of these three.',
          )}
        </p>
      )}
      <ChoiceBar choices={choices} range={range} change={change} />
      <MissingPlaces
        names={[...placeNames, ...(isCountryNeeded ? [say('Deutschland', 'Germany')] : []), ...filterNames]}
        loads={[...loads, ...filtered]}
      />
      <ComparisonFigure
        loaded={loadedPart(ready, [...loads, ...filtered])}
        choices={choices}
        ohne={choices.ohne}
        ohneFilter={choices.ohneFilter}
        names={names}
        window={{ kind: periode, range, now: periodOfDay(periode, asOf) }}
        asOf={asOf}
        country={country === undefined ? null : shown(country)}
        change={change}
      />
    </KeptPage>
  );
}

/** A filter that was added shall be seen: its carriers are chosen, and it has no inhabitants and no area. */
function choicesFor(added: ReadonlyMap<string, string>, traeger: readonly Carrier[], bezug: Basis) {
  if (added.size === 0) return {};
  const named = listItems(added.get('einheitTyp') ?? '');
  return {
    traeger: named.length === 0 ? CARRIERS : CARRIERS.filter((one) => traeger.includes(one) || named.includes(one)),
    ...(bezug === 'kopf' || bezug === 'flaeche' ? { bezug: 'absolut' as const } : {}),
  };
}
