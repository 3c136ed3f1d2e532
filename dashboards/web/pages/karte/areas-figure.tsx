import { useCallback, useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { count, energy, plural, power, unitCount } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { LegendEntry } from '../../frame/legend.tsx';
import type { Table } from '../../frame/table.ts';
import type { Area, Boundaries } from '../../map/boundaries.ts';
import { type Classes, classesOf, classNames, type Division } from '../../map/classes.ts';
import { KEY_DIGITS } from '../../map/level.ts';
import { MapView } from '../../map/map.tsx';
import type { PointLayerProps } from '../../map/point-layer.tsx';
import type { Description } from '../../map/tip.tsx';
import { around, type Box } from '../../map/view.ts';
import { regionText } from '../../regions/region.ts';
import type { Group } from '../../v1/answers.ts';
import { type Loaded, mapLoaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { type AreaData, LEVEL_NOUNS } from './load-areas.ts';
import type { Measure } from './measures.ts';
import type { Scope } from './scope.ts';
import { type AreaValue, type Values, valuesOf } from './values.ts';

interface Shown {
  readonly data: AreaData;
  readonly values: Values;
  readonly classes: Classes;
}

const UNKNOWN = 'url(#map-unknown)';
const NONE = 'var(--map-none)';

export interface AreasFigureProps {
  readonly loaded: Loaded<AreaData>;
  readonly scope: Scope;
  readonly measure: Measure;
  readonly division: Division;
  /** „Bayern“, as titles have it. */
  readonly place: string;
  /** „Solar, Wind“; null = all carriers. */
  readonly carriers: string | null;
  readonly requests: readonly ApiRequest[];
  readonly points?: PointLayerProps | undefined;
  /** The part that is seen at first instead of all areas. */
  readonly focus?: Box | undefined;
  /** Asks for all areas, where only some are here. */
  onComplete(): void;
}

/** The choropleth with its frame. */
export function AreasFigure(props: AreasFigureProps) {
  const { loaded, scope, measure, division, place, carriers, requests, points, focus, onComplete } = props;
  const { level } = scope;
  const drawn = useMemo(
    () =>
      mapLoaded(loaded, (data): Shown => {
        const values = valuesOf(data, scope, measure);
        const numbers = [...values.valueByKey.values()].flatMap((one) => (one.state === 'units' ? [one.value] : []));
        return { data, values, classes: classesOf(numbers, division) };
      }),
    [loaded, scope, measure, division],
  );
  const value = shown(drawn);
  return (
    <Figure
      title={`${measure.title} nach ${LEVEL_NOUNS[level]}: ${place}`}
      unit={[measure.unit, carriers].filter((part) => part !== null).join('; ')}
      loaded={drawn}
      requests={requests}
      shows="die Karte"
      height={560}
      table={(one) => tableOf(one, measure)}
      empty={({ values }) => (values.areas.length === 0 ? 'Hierfür gibt es keine Grenzen.' : null)}
      {...(value === null ? {} : { legend: legendOf(value, points) })}
      note={
        value !== null && (
          <>
            {[
              aboutElsewhere(value.values.elsewhere, measure),
              aboutUnknown(value, level === 'gemeinde'),
              aboutOutside(value.values, points),
              aboutInhabitants(value.data, measure),
            ]
              .filter((part) => part !== null)
              .join(' ')}{' '}
            {value.data.isPartial && (
              <button type="button" onClick={onComplete}>
                Alle laden, Kreis für Kreis
              </button>
            )}
          </>
        )
      }
      {...(value === null ? {} : { attribution: value.data.boundaries.attribution })}
    >
      {(one) => <Choropleth shown={one} scope={scope} measure={measure} place={place} points={points} focus={focus} />}
    </Figure>
  );
}

function Choropleth({
  shown: { data, values, classes },
  scope: { level, prefix },
  measure,
  place,
  points,
  focus,
}: {
  shown: Shown;
  scope: Scope;
  measure: Measure;
  place: string;
  points: PointLayerProps | undefined;
  focus: Box | undefined;
}) {
  const { go, at } = useNavigation();
  const { areas, valueByKey } = values;
  const fillOf = useCallback(
    (area: Area): string => {
      const one = valueByKey.get(area.key);
      if (one === undefined || one.state === 'unknown') return UNKNOWN;
      return one.state === 'units' && one.value > 0 ? classes.colorOf(classes.classOf(one.value)) : NONE;
    },
    [valueByKey, classes],
  );
  const describe = useCallback(
    (area: Area) => describeArea(area, valueByKey.get(area.key), measure),
    [valueByKey, measure],
  );
  const choose = (area: Area): void => {
    const value = level === 'bundesland' ? area.name : area.key;
    go(at('region', { region: regionText({ level, value }) }));
  };
  const box = useMemo(() => around(areas.map((area) => area.box)), [areas]);
  const outlines = useMemo(() => {
    const digits = level === 'gemeinde' ? KEY_DIGITS.landkreis : KEY_DIGITS.bundesland;
    return level === 'bundesland' ? [] : [data.boundaries.outline(prefix, digits)];
  }, [data.boundaries, prefix, level]);
  const surroundings = useMemo(() => surroundingsOf(data.boundaries, prefix), [data.boundaries, prefix]);
  if (box === null) return null;
  return (
    <div class="map-and-list">
      <MapView
        label={`Karte: ${measure.title} nach ${LEVEL_NOUNS[level]}, ${place}`}
        box={box}
        focus={focus}
        surroundings={surroundings}
        areas={{ areas, fillOf, describe, onChoose: choose }}
        outlines={outlines}
        points={points}
      />
      <Highest values={values} measure={measure} onChoose={choose} />
    </div>
  );
}

/** The borders around a part of the country: of states around a state, and of the districts of its state around a district. */
function surroundingsOf(boundaries: Boundaries, prefix: string): string | undefined {
  if (prefix === '') return undefined;
  return prefix.length === KEY_DIGITS.bundesland
    ? boundaries.outline('', KEY_DIGITS.bundesland)
    : boundaries.outline(prefix.slice(0, KEY_DIGITS.bundesland), KEY_DIGITS.landkreis);
}

/** Areas that are listed beside the map. */
const MOST_LISTED = 12;

/** The areas with the highest values, which a map of small areas hides. */
function Highest({
  values: { areas, valueByKey },
  measure,
  onChoose,
}: {
  values: Values;
  measure: Measure;
  onChoose: (area: Area) => void;
}) {
  const ranked = areas
    .flatMap((area) => {
      const one = valueByKey.get(area.key);
      return one?.state === 'units' && one.value > 0 ? [{ area, value: one.value }] : [];
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_LISTED);
  if (areas.length < 2 || ranked.length === 0) return null;
  return (
    <section class="highest">
      <h3>
        Die höchsten Werte <small>{measure.shortUnit}</small>
      </h3>
      <ol>
        {ranked.map(({ area, value }) => (
          <li key={area.key}>
            <button type="button" onClick={() => onChoose(area)}>
              {area.label}
            </button>
            <span>{measure.write(value)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describeArea(area: Area, one: AreaValue | undefined, measure: Measure): Description {
  const title = area.label;
  if (one === undefined || one.state === 'unknown') return { title, lines: [one?.why ?? 'nicht geladen'] };
  if (one.state === 'none') return { title, lines: ['keine solche Anlage'] };
  const value = `${measure.write(one.value)}\u202f${measure.shortUnit}`;
  const { count: units, bruttoleistungKw } = one.group;
  return { title, lines: [value, `${unitCount(units)}, ${power(bruttoleistungKw)}`] };
}

function legendOf(
  { classes, values }: Shown,
  points: PointLayerProps | undefined,
): { entries: readonly LegendEntry[]; hatched?: string } {
  const states = new Set([...values.valueByKey.values()].map(({ state }) => state));
  const entry = (name: string, color: string): LegendEntry => ({ id: name, name, color, on: true });
  const entries = [
    ...(states.has('units') ? classNames(classes).map((name, index) => entry(name, classes.colorOf(index))) : []),
    ...(states.has('none') ? [entry('keine solche Anlage', NONE)] : []),
    ...new Map(points?.marks.map(({ kind, color }) => [kind, entry(`${kind} (Punkt)`, color)])).values(),
  ];
  return states.has('unknown') ? { entries, hatched: 'keine Angabe' } : { entries };
}

function tableOf({ values: { areas, valueByKey, elsewhere } }: Shown, measure: Measure): Table {
  const isOwn = measure.shortUnit !== 'MW' && measure.shortUnit !== 'Einheiten';
  const row = (key: string | null, name: string, group: Group | null) => [
    key,
    name,
    group?.count ?? null,
    group === null ? null : group.bruttoleistungKw / 1000,
    group?.einwohner ?? null,
    group?.flaecheKm2 ?? null,
    ...(isOwn ? [group === null ? null : measure.valueOf(group)] : []),
  ];
  const nothing: Group = {
    ...{ key: null, count: 0, bruttoleistungKw: 0, durchschnittsleistungKw: null },
    speicherkapazitaetKwh: 0,
  };
  return {
    columns: [
      { name: 'Schlüssel' },
      { name: 'Gebiet' },
      { name: 'Einheiten', numeric: true, digits: 0 },
      { name: 'Leistung', unit: 'MW', numeric: true, digits: 3 },
      { name: 'Einwohner', numeric: true, digits: 0 },
      { name: 'Fläche', unit: 'km²', numeric: true, digits: 2 },
      ...(isOwn ? [{ name: measure.name, unit: measure.shortUnit, numeric: true, digits: 5 }] : []),
    ],
    rows: [
      ...areas.map((area) => {
        const one = valueByKey.get(area.key);
        const group = one?.state === 'units' ? one.group : one?.state === 'none' ? nothing : null;
        return row(area.key, area.label, group);
      }),
      ...elsewhere.map((group) =>
        row(group.schluessel ?? null, `${group.name ?? group.key ?? 'ohne Angabe'} (nicht auf der Karte)`, group),
      ),
    ],
  };
}

/** Names of places that are told; the table has all of them. */
const MOST_NAMES = 4;

/** Lists what the figures have and the map has not. */
function aboutElsewhere(elsewhere: readonly Group[], { isEnergy }: Measure): string | null {
  if (elsewhere.length === 0) return null;
  const units = elsewhere.reduce((sum, group) => sum + group.count, 0);
  const kilowatts = elsewhere.reduce((sum, group) => sum + group.bruttoleistungKw, 0);
  const kilowattHours = elsewhere.reduce((sum, group) => sum + (group.speicherkapazitaetKwh ?? 0), 0);
  const figure = isEnergy === true ? energy(kilowattHours) : power(kilowatts);
  const names = elsewhere.map(({ key, name }) => name ?? key ?? 'ohne Ortsangabe');
  const listed =
    names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} weitere`] : names;
  return `Nicht auf der Karte: ${unitCount(units)} mit ${figure} (${listed.join(', ')}).`;
}

/** Coordinates that lie elsewhere than the district of their unit are faults of the register. */
function aboutOutside({ areas }: Values, points: PointLayerProps | undefined): string | null {
  const box = around(areas.map((area) => area.box));
  const outside = points?.marks.filter(
    ({ point: [x, y] }) => box !== null && (x < box.left || x > box.right || y < box.top || y > box.bottom),
  );
  if (outside === undefined || outside.length === 0) return null;
  return `${plural(outside.length, 'Punkt liegt', 'Punkte liegen')} nach den Koordinaten des Registers außerhalb des gezeigten Gebiets.`;
}

/** Figures by inhabitants and area name their source. */
function aboutInhabitants({ list }: AreaData, { isPerPlace }: Measure): string | null {
  if (list === null || isPerPlace !== true) return null;
  const { count: without } = list.ohneOrt;
  const gap =
    without === 0
      ? ''
      : ` ${plural(without, 'Einheit ist', 'Einheiten sind')} in keinem dieser Werte, weil kein Gebiet der Liste feststeht.`;
  return `Einwohner am ${day(list.einwohnerAm)}, Gebiete vom ${day(list.gebietsstand)}: Statistisches Bundesamt, Gemeindeverzeichnis.${gap}`;
}

function aboutUnknown({ data, values }: Shown, isMunicipal: boolean): string | null {
  const unknown = [...values.valueByKey.values()].filter(({ state }) => state === 'unknown').length;
  if (data.isPartial) {
    return `Die Schnittstelle nennt höchstens tausend Gemeinden auf einmal: die mit den meisten Einheiten. ${count(unknown)} fehlen.`;
  }
  if (!isMunicipal) return null;
  const borders = `Die Grenzen der Gemeinden sind vom ${day(data.boundaries.asOf)}.`;
  return unknown === 0
    ? borders
    : `${borders} ${count(unknown)} davon kommen im Register nicht vor: Sie haben keine Einheit, oder es gibt sie nicht mehr.`;
}
