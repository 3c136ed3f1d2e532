import type { ComponentChildren } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import type { Area, Boundaries } from '../../map/boundaries.ts';
import { KEY_DIGITS } from '../../map/level.ts';
import { MapView } from '../../map/map.tsx';
import type { PointLayerProps } from '../../map/point-layer.tsx';
import { around, type Box } from '../../map/view.ts';
import { regionText } from '../../regions/region.ts';
import { describeArea, LESS, NONE, type Shown, UNKNOWN } from './area-words.ts';
import { Highest, NotOnMap } from './beside.tsx';
import type { Measure } from './measures.ts';
import type { Scope } from './scope.ts';
import type { Elsewhere } from './values.ts';

/** The coloured map, and the lists beside it. */
export function Choropleth({
  shown: { data, values, classes },
  scope: { level, prefix },
  measure,
  label,
  points,
  focus,
  beside,
}: {
  shown: Shown;
  scope: Scope;
  measure: Measure;
  label: string;
  points: PointLayerProps | undefined;
  focus: Box | undefined;
  /** A list above the others. */
  beside: ComponentChildren;
}) {
  const { go, at } = useNavigation();
  const { areas, valueByKey, elsewhere } = values;
  const fillOf = useCallback(
    (area: Area): string => {
      const one = valueByKey.get(area.key);
      if (one === undefined || one.state === 'unknown') return UNKNOWN;
      if (one.state === 'none' || one.value === 0) return NONE;
      return one.value < 0 ? LESS : classes.colorOf(classes.classOf(one.value));
    },
    [valueByKey, classes],
  );
  const describe = useCallback(
    (area: Area) => describeArea(area, valueByKey.get(area.key), measure),
    [valueByKey, measure],
  );
  const open = (value: string): void => go(at('region', { region: regionText({ level, value }) }));
  const choose = (area: Area): void => open(level === 'bundesland' ? area.name : area.key);
  const box = useMemo(() => around(areas.map((area) => area.box)), [data.boundaries, prefix]);
  const outlines = useMemo(() => {
    const digits = level === 'gemeinde' ? KEY_DIGITS.landkreis : KEY_DIGITS.bundesland;
    return level === 'bundesland' ? [] : [data.boundaries.outline(prefix, digits)];
  }, [data.boundaries, prefix, level]);
  const surroundings = useMemo(() => surroundingsOf(data.boundaries, prefix), [data.boundaries, prefix]);
  const placeOf = ({ group }: Elsewhere): string | null =>
    level === 'bundesland' ? group.key : (group.schluessel ?? group.key);
  if (box === null) return null;
  return (
    <div class="map-and-list">
      <MapView
        label={say(`Karte: ${label}`, `Map: ${label}`)}
        box={box}
        focus={focus}
        surroundings={surroundings}
        areas={{ areas, fillOf, describe, onChoose: choose }}
        outlines={outlines}
        points={points}
      />
      <div class="beside">
        {beside}
        <Highest values={values} measure={measure} onChoose={choose} />
        <NotOnMap elsewhere={elsewhere} measure={measure} placeOf={placeOf} onChoose={open} />
      </div>
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
