import { useMemo, useState } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { Chips } from '../../filters/chips.tsx';
import { FilterPanel } from '../../filters/filter-panel.tsx';
import type { PageFilters } from '../../filters/page-filters.ts';
import { say } from '../../format/language.ts';
import { Failed } from '../../frame/state.tsx';
import type { Boundaries } from '../../map/boundaries.ts';
import type { MapLevel } from '../../map/level.ts';
import type { Seen } from '../../map/seen.ts';
import { useBoundaries } from '../../map/use-boundaries.ts';
import type { Box } from '../../map/view.ts';
import { type RegionOrCountry, unitQuery } from '../../regions/region.ts';
import { ownName } from '../../units/own-switch.tsx';
import type { NameOf } from '../../units/value-names.ts';
import { shown } from '../../v1/loaded.ts';
import { type ApiRequest, listText, type Query } from '../../v1/request.ts';
import { useLoad, useVisit } from '../../v1/use-answer.ts';
import { AreasFigure } from './areas-figure.tsx';
import { Choices } from './choices.tsx';
import { type AreaData, type AreaQuestion, areaRequests, loadAreas } from './load-areas.ts';
import { aboutPoints, boxOf, listRequest, loadTiles, marksSeen, type PlacedMark } from './load-tiles.ts';
import { useMapChoices } from './map-choices.ts';
import { hasYears, MEASURE, UNITS } from './measures.ts';
import { PointsBar } from './points-bar.tsx';
import { dayOfYear, headingOf, lastYear, periodOf, questionOf, wholeCarriers, yearOf } from './question.ts';
import { type Scope, scopeOf } from './scope.ts';
import { SeenList } from './seen-list.tsx';
import { useSoughtUnit } from './sought-unit.ts';
import { TimeLine } from './time-line.tsx';

const DISTRICTS: readonly MapLevel[] = ['landkreis'];
const FILTERS = say('Filter', 'Filters');
const NO_LEVEL: readonly MapLevel[] = [];

/** The map with everything that chooses what it shows. */
export function PlacedMap({
  states,
  filters,
  nameOf,
  words,
  asOf,
  isChoosing,
  onChoosing,
}: {
  states: Boundaries;
  filters: PageFilters;
  nameOf: NameOf;
  /** The filters in words. */
  words: readonly string[];
  /** Day of the register; null = not known yet. */
  asOf: string | null;
  /** True: the filters are open. */
  isChoosing: boolean;
  onChoosing: (isChoosing: boolean) => void;
}) {
  const { go, at } = useNavigation();
  const { isShared } = useVisit();
  const [choices, change] = useMapChoices();
  const { ebene, wert, klassen, alle, punkte, einheit, eventId, portfolio } = choices;
  const sought = useSoughtUnit(einheit || null);
  // A link to a unit names no place: the map shows its district.
  const place = choices.region ?? sought.region;
  const scope = useMemo(() => scopeOf(ebene, place, states), [ebene, place, states]);
  // Districts are chosen from within a state; elsewhere the map itself loads what it draws.
  const loadedDistricts = useBoundaries(place === null ? NO_LEVEL : DISTRICTS);
  const districts = loadedDistricts.state === 'ready' ? (loadedDistricts.value.get('landkreis') ?? null) : null;
  const measure = MEASURE[wert];
  const year = asOf === null ? null : yearOf(choices, asOf);
  const question = asOf === null || filters.waiting !== null ? null : questionOf(choices, filters.query, asOf);
  const isReady = scope !== null && question !== null && !sought.isLoading;
  const loaded = useLoad<AreaData>(isReady ? JSON.stringify([scope, question, alle]) : null, (loading) =>
    loadAreas(scope as Scope, question as AreaQuestion, alle, loading),
  );
  // Points are those of today.
  const canHavePoints = year === null && measure.kind !== 'zuwachs' && scope !== null;
  const pointFilters: Query | null =
    eventId !== ''
      ? { eventId }
      : punkte && canHavePoints && question !== null
        ? { ...question.filters, ...unitQuery(scope.region) }
        : null;
  const [seen, see] = useState<Seen | null>(null);
  const [opened, openBox] = useState<Box | null>(null);
  const areSeen = pointFilters !== null && seen !== null;
  const points = useLoad<readonly PlacedMark[]>(areSeen ? JSON.stringify([pointFilters, seen]) : null, (loading) =>
    loadTiles(pointFilters as Query, seen as Seen, loading),
  );
  const drawn = pointFilters === null ? null : shown(points);
  const inView = useMemo(() => (drawn === null || seen === null ? [] : marksSeen(drawn, seen)), [drawn, seen]);
  const marks = useMemo(
    () => [...(drawn ?? []).filter(({ id }) => id !== einheit), ...(sought.mark === null ? [] : [sought.mark])],
    [drawn, sought.mark, einheit],
  );
  const requests: ApiRequest[] = isReady
    ? [...areaRequests(scope, question), ...(areSeen ? [listRequest(pointFilters, seen)] : [])]
    : [];
  const changeAll = (changes: Partial<typeof choices>): void => {
    openBox(null);
    change({ ...changes, ...('region' in changes ? { alle: false, einheit: '' } : {}) });
  };
  const number = filters.filters.filter((filter) =>
    filter.parameters.some(({ name }) => filters.values.has(name)),
  ).length;
  return (
    <>
      <Choices
        values={{ ...choices, region: place }}
        period={asOf === null ? { von: '', bis: '' } : periodOf(choices, asOf)}
        wholes={wholeCarriers(choices, filters.query)}
        level={scope?.level ?? ebene}
        states={states}
        districts={districts}
        onChange={changeAll}
      />
      <div class="map-tools">
        {!isShared && (
          <button type="button" aria-expanded={isChoosing} onClick={() => onChoosing(!isChoosing)}>
            {isChoosing ? say('Filter schließen', 'Close filters') : number === 0 ? FILTERS : `${FILTERS} (${number})`}
          </button>
        )}
        {!isShared && asOf !== null && hasYears(measure) && year === null && (
          <button type="button" onClick={() => change({ jahr: lastYear(asOf) })}>
            {say('Zeitleiste', 'Time line')}
          </button>
        )}
        {question !== null && !isShared && measure.kind !== 'zuwachs' && year === null && (
          <a href={at('einheiten', textsOf({ ...question.filters, ...unitQuery(place) }))}>
            {say('Als Liste', 'As a list')}
          </a>
        )}
        <Chips list={filters} filters={filters.filters} nameOf={nameOf} savedFilters={[]} />
      </div>
      {sought.failure !== null && <Failed {...sought.failure} shows={say('die Einheit', 'the unit')} />}
      {sought.about !== null && (
        <p class="note">
          {sought.about} <a href={at(`einheiten/${einheit}`)}>{say('Zur Einheit', 'To the unit')}</a>
        </p>
      )}
      <PointsBar
        canShow={canHavePoints && !isShared}
        isShown={punkte}
        onToggle={() => change({ punkte: !punkte })}
        points={pointFilters === null ? null : points}
        about={drawn === null ? null : aboutPoints(inView)}
        eventId={eventId}
        onLeaveEvent={() => change({ eventId: '' })}
      />
      <div class={isChoosing ? 'units-page' : undefined}>
        {isChoosing && !isShared && (
          <FilterPanel
            list={
              question === null
                ? filters
                : { ...filters, values: new Map([...filters.values, ...alsoChosen(question, place)]) }
            }
            filters={filters.filters}
            nameOf={nameOf}
            savedFilters={[]}
            filtersOnly
          />
        )}
        <div class="units-list">
          {filters.waiting?.state === 'failed' ? (
            <Failed {...filters.waiting} shows={say('die Karte', 'the map')} />
          ) : scope === null ? (
            <p class="state empty">
              {say(
                'Gemeinden werden für ein Land oder einen Kreis gezeigt: Bitte oben ein Land wählen.',
                'Municipalities are shown for a state or district: please choose a state above.',
              )}
            </p>
          ) : asOf === null ? (
            <p class="state waiting">{say('Wird geladen …', 'Loading …')}</p>
          ) : (
            <AreasFigure
              loaded={loaded}
              scope={scope}
              measure={measure}
              division={klassen}
              {...headingOf(
                choices,
                filters.query,
                words,
                scope,
                ownName(placeName(scope, districts), portfolio),
                asOf,
              )}
              day={year === null ? null : dayOfYear(year, asOf)}
              requests={requests}
              points={
                marks.length === 0 && pointFilters === null
                  ? undefined
                  : {
                      marks,
                      noun: UNITS,
                      selected: einheit,
                      onSee: see,
                      onChooseMark: ({ id }) => go(at(`einheiten/${id}`)),
                      onChooseMany: (some) =>
                        go(
                          at(
                            'einheiten',
                            textsOf({
                              ...pointFilters,
                              bbox: boxOf(drawn?.filter((mark) => some.includes(mark)) ?? []),
                            }),
                          ),
                        ),
                    }
              }
              focus={opened ?? sought.box ?? undefined}
              beside={
                drawn !== null && (
                  <SeenList
                    marks={inView}
                    addressOf={({ id }) => at(`einheiten/${id}`)}
                    onOpen={({ many }) => openBox(many === undefined ? null : { ...many.box })}
                  />
                )
              }
              timeline={
                year !== null &&
                !isShared && (
                  <TimeLine
                    year={year}
                    last={lastYear(asOf)}
                    isReady={loaded.state === 'ready'}
                    onChange={(next) => change({ jahr: next }, true)}
                    onClose={() => change({ jahr: null })}
                  />
                )
              }
              onComplete={() => change({ alle: true })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** A query as the address of another page has it. */
const textsOf = (query: Query): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value == null ? [] : [[name, typeof value === 'object' ? listText(value) : String(value)]],
    ),
  );

/** Carriers and place are chosen beside the filters, and count for the numbers at their values. */
const alsoChosen = ({ filters }: AreaQuestion, place: RegionOrCountry): ReadonlyMap<string, string> =>
  new Map(Object.entries(textsOf({ einheitTyp: filters.einheitTyp, ...unitQuery(place) })));

function placeName({ region: place }: Scope, districts: Boundaries | null): string {
  if (place === null) return say('Deutschland', 'Germany');
  if (place.level === 'bundesland') return place.value;
  return districts?.byKey.get(place.value)?.label ?? place.value;
}
