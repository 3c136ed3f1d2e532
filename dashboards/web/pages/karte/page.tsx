import { useMemo } from 'preact/hooks';
import { flag, oneOf, type Parameter, someOf, text, useChoices, useNavigation } from '../../address/address.ts';
import { CARRIERS, chosenCarriers } from '../../charts/carriers.ts';
import { Page as Frame } from '../../frame/page.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { Failed, Waiting } from '../../frame/state.tsx';
import type { Boundaries } from '../../map/boundaries.ts';
import { useBoundaries } from '../../map/use-boundaries.ts';
import { isOnMap } from '../../regions/hits.ts';
import { type RegionOrCountry, readRegion, region } from '../../regions/region.ts';
import { useRegionName } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, ownName } from '../../units/own-switch.tsx';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import { useLoad } from '../../v1/use-answer.ts';
import { AreasFigure } from './areas-figure.tsx';
import { Choices } from './choices.tsx';
import { type AreaData, areaRequest, loadAreas } from './load-areas.ts';
import { aboutPoints, loadUnits, markOf, type PlacedUnits, unitsRequest } from './load-units.ts';
import { MEASURE, MEASURES } from './measures.ts';
import { type Scope, scopeOf } from './scope.ts';
import { useSoughtUnit } from './sought-unit.ts';

const mapRegion: Parameter<RegionOrCountry> = {
  ...region,
  read(value) {
    const place = readRegion(value);
    return place !== null && isOnMap(place) ? place : undefined;
  },
  takes:
    'einen Ort der Karte: ein Bundesland (bundesland:Bayern), oder den Schlüssel eines Kreises oder einer Gemeinde (landkreis:09162)',
};

export const CHOICES = {
  ebene: oneOf(['landkreis', 'bundesland', 'gemeinde']),
  region: mapRegion,
  wert: oneOf(MEASURES),
  traeger: someOf(CARRIERS),
  klassen: oneOf(['anzahl', 'faktor']),
  /** All municipalities of a state that has more than the interface names at once. */
  alle: flag,
  punkte: flag,
  portfolio: flag,
  einheit: text,
  eventId: text,
};

export function Page() {
  const loaded = useBoundaries(['bundesland', 'landkreis']);
  const [{ region: place, traeger, wert, portfolio }] = useChoices(CHOICES);
  const name = useRegionName(place);
  return (
    <Frame
      title="Karte"
      about={[
        place === null ? null : name,
        wert === MEASURES[0] ? null : MEASURE[wert].name,
        chosenCarriers(traeger),
        portfolio ? OWN_PORTFOLIO : null,
      ]}
      lead="Wo Anlagen stehen, gebaut werden und geplant sind. Ein Klick auf ein Gebiet öffnet seine Seite."
    >
      {loaded.state === 'ready' ? (
        <CountryMap states={entry(loaded.value, 'bundesland')} districts={entry(loaded.value, 'landkreis')} />
      ) : loaded.state === 'failed' ? (
        <Failed problem={loaded.problem} retry={loaded.retry} shows="die Karte" />
      ) : (
        <Waiting loaded={loaded} height={560} />
      )}
    </Frame>
  );
}

function entry<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There are no boundaries of ${key}`);
  return value;
}

function CountryMap({ states, districts }: { states: Boundaries; districts: Boundaries }) {
  const { go, at } = useNavigation();
  const [choices, change] = useChoices(CHOICES);
  const { ebene, wert, traeger, klassen, alle, punkte, einheit, eventId, portfolio } = choices;
  const sought = useSoughtUnit(einheit || null);
  // A link to a unit names no place: the map shows its district.
  const place = choices.region ?? sought.region;
  const scope = useMemo(() => scopeOf(ebene, place, states), [ebene, place, states]);
  const measure = MEASURE[wert];
  const asOf = useDayOfRegister();
  const isAll = traeger.length === CARRIERS.length;
  const filters: Query | null =
    asOf === null
      ? null
      : { ...(isAll ? {} : { einheitTyp: traeger }), ...measure.filters(asOf), ...(portfolio ? { portfolio } : {}) };
  const isReady = scope !== null && filters !== null && !sought.isLoading;
  const loaded = useLoad<AreaData>(isReady ? JSON.stringify([scope, filters, alle]) : null, (loading) =>
    loadAreas(scope as Scope, filters as Query, alle, loading),
  );
  const pointFilters = pointsOf({ punkte, eventId, scope, filters });
  const points = useLoad<PlacedUnits>(pointFilters === null ? null : JSON.stringify(pointFilters), (loading) =>
    loadUnits(pointFilters as Query, loading),
  );
  const marks = useMemo(
    () => [
      ...(pointFilters !== null && points.state === 'ready' ? points.value.units : []).flatMap((unit) =>
        unit.mastrNummer === einheit ? [] : (markOf(unit) ?? []),
      ),
      ...(sought.mark === null ? [] : [sought.mark]),
    ],
    [points, pointFilters === null, sought.mark, einheit],
  );
  const requests: ApiRequest[] = isReady
    ? [areaRequest(scope, filters), ...(pointFilters === null ? [] : [unitsRequest(pointFilters)])]
    : [];
  return (
    <>
      <Choices
        values={{ ...choices, region: place }}
        level={scope?.level ?? ebene}
        states={states}
        districts={districts}
        onChange={(changes) => change({ ...changes, ...('region' in changes ? { alle: false, einheit: '' } : {}) })}
      />
      {sought.failure !== null && <Failed {...sought.failure} shows="die Einheit" />}
      {sought.about !== null && (
        <p class="note">
          {sought.about} <a href={at(`einheiten/${einheit}`)}>Zur Einheit</a>
        </p>
      )}
      <PointsBar
        canShow={scope?.region?.level === 'landkreis'}
        isShown={punkte}
        onToggle={() => change({ punkte: !punkte })}
        points={pointFilters === null ? null : points}
        eventId={eventId}
        onLeaveEvent={() => change({ eventId: '' })}
      />
      {scope === null ? (
        <p class="state empty">Gemeinden werden für ein Land oder einen Kreis gezeigt: Bitte oben ein Land wählen.</p>
      ) : (
        <AreasFigure
          loaded={loaded}
          scope={scope}
          measure={measure}
          division={klassen}
          place={ownName(placeName(scope, districts), portfolio)}
          carriers={chosenCarriers(traeger)}
          requests={requests}
          points={
            marks.length === 0
              ? undefined
              : {
                  marks,
                  noun: 'Einheiten',
                  selected: einheit,
                  onChooseMark: ({ id }) => go(at(`einheiten/${id}`)),
                }
          }
          focus={sought.box ?? undefined}
          onComplete={() => change({ alle: true })}
        />
      )}
    </>
  );
}

/** Selects the units that are shown as points; null = none. */
function pointsOf({
  punkte,
  eventId,
  scope,
  filters,
}: {
  punkte: boolean;
  eventId: string;
  scope: Scope | null;
  filters: Query | null;
}): Query | null {
  if (eventId !== '') return { eventId };
  const district = scope?.region?.level === 'landkreis' ? scope.region.value : null;
  return punkte && district !== null && filters !== null ? { ...filters, landkreis: district } : null;
}

function placeName({ region: place }: Scope, districts: Boundaries): string {
  if (place === null) return 'Deutschland';
  if (place.level === 'bundesland') return place.value;
  return districts.byKey.get(place.value)?.label ?? place.value;
}

/** Turns the points on and off, and says how far they are. */
function PointsBar({
  canShow,
  isShown,
  onToggle,
  points,
  eventId,
  onLeaveEvent,
}: {
  canShow: boolean;
  isShown: boolean;
  onToggle: () => void;
  points: Loaded<PlacedUnits> | null;
  eventId: string;
  onLeaveEvent: () => void;
}) {
  return (
    <div class="points-bar">
      {canShow && eventId === '' && (
        <button type="button" aria-pressed={isShown} onClick={onToggle}>
          {isShown ? 'Punkte ausblenden' : 'Einheiten als Punkte'}
        </button>
      )}
      {eventId !== '' && (
        <p>
          Die Punkte sind die Einheiten eines Ereignisses.{' '}
          <button type="button" onClick={onLeaveEvent}>
            Ausblenden
          </button>
        </p>
      )}
      {points?.state === 'failed' && (
        <Failed problem={points.problem} retry={points.retry} shows="die Einheiten als Punkte" />
      )}
      {points?.state === 'loading' && <Waiting loaded={points} height={0} />}
      {points?.state === 'ready' && <p class="note">{aboutPoints(points.value)}</p>}
    </div>
  );
}
