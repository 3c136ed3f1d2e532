import { useNavigation } from '../../address/address.ts';
import { carrierColor } from '../../charts/carriers.ts';
import { decimal } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import type { Area, Boundaries } from '../../map/boundaries.ts';
import type { MapLevel } from '../../map/level.ts';
import { MapView } from '../../map/map.tsx';
import type { Mark } from '../../map/point-layer.tsx';
import { pointAt } from '../../map/projection.ts';
import { useBoundaries } from '../../map/use-boundaries.ts';
import { around, type Box, square } from '../../map/view.ts';
import { regionText } from '../../regions/region.ts';
import { shown } from '../../v1/loaded.ts';
import type { UnitProps } from './unit-props.ts';

const LEVELS: readonly MapLevel[] = ['bundesland', 'landkreis'];

/** Kilometres to each side of a unit that lies outside of all districts, as at sea. */
const SURROUNDINGS = 60;

/** Where the unit stands: a point in its district, or the district alone. */
export function Place({ unit, request, name }: UnitProps) {
  const { at, go } = useNavigation();
  const { latitude, longitude, einheitTyp, kreisschluessel, mastrNummer } = unit;
  const place = typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null;
  const loaded = useBoundaries(LEVELS);
  const districtOf = (levels: ReadonlyMap<MapLevel, Boundaries>): Area | null =>
    levels.get('landkreis')?.byKey.get(String(kreisschluessel)) ?? null;
  const marks: readonly Mark[] =
    place === null
      ? []
      : [
          {
            id: mastrNummer,
            point: pointAt(place),
            color: carrierColor(String(einheitTyp)),
            description: { title: name, lines: [written(place)] },
          },
        ];
  const boundaries = shown(loaded);
  const attribution = boundaries?.get('landkreis')?.attribution;
  return (
    <Figure
      title="Standort"
      unit={place === null ? 'Landkreis oder kreisfreie Stadt' : written(place)}
      loaded={loaded}
      requests={[request]}
      shows="den Standort"
      height={320}
      {...(attribution === undefined ? {} : { attribution })}
      table={(levels) => ({
        columns: [
          { name: 'Landkreis' },
          { name: 'Breite', unit: '°', numeric: true, digits: 6 },
          { name: 'Länge', unit: '°', numeric: true, digits: 6 },
        ],
        rows: [[districtOf(levels)?.name ?? null, place?.latitude ?? null, place?.longitude ?? null]],
      })}
      empty={(levels) =>
        place === null && districtOf(levels) === null
          ? 'Das Register nennt weder Koordinaten noch einen Landkreis.'
          : null
      }
      note={
        place === null ? (
          'Unter 30 kW nennt das Register keine Koordinaten.'
        ) : (
          <a href={at('karte', { einheit: mastrNummer })}>Auf der großen Karte zeigen</a>
        )
      }
    >
      {(levels) => {
        const district = districtOf(levels);
        const point = marks[0] === undefined ? null : square(marks[0].point, SURROUNDINGS);
        const all = [
          ...(levels.get('bundesland')?.areas ?? []).map(({ box }) => box),
          ...(point === null ? [] : [point]),
        ];
        // A point that the register names by mistake may lie outside of its district.
        const focus: Box | null =
          district === null ? point : around([district.box, ...marks.map((mark) => square(mark.point, 1))]);
        return (
          <MapView
            isSmall
            label={`Karte: ${name}${district === null ? '' : `, ${district.name}`}`}
            box={around(all) ?? square([0, 0], 500)}
            focus={focus ?? undefined}
            areas={{
              areas: levels.get('landkreis')?.areas ?? [],
              fillOf: ({ key }) => (key === district?.key ? 'var(--map-2)' : 'var(--map-none)'),
              describe: (area) => ({ title: area.name, lines: area.kind === null ? [] : [area.kind] }),
              onChoose: ({ key }) => go(at('region', { region: regionText({ level: 'landkreis', value: key }) })),
            }}
            outlines={[levels.get('bundesland')?.outline('', 2) ?? '', ...(district === null ? [] : [district.path])]}
            points={marks.length === 0 ? undefined : { marks, noun: 'Einheiten', selected: mastrNummer }}
          />
        );
      }}
    </Figure>
  );
}

const written = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${decimal(latitude, 6)}°\u202fN, ${decimal(longitude, 6)}°\u202fO (WGS 84)`;
